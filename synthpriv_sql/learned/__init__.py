"""The attack that learns: what an auditor can tell of people who knows for some of them whether they were in train.

`tables` holds what is given, `features` says what is looked at of each real record, `judging` learns from it and scores
those whose side it has not used, and `udf` is what SQL calls.
"""
