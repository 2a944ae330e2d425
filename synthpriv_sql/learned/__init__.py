"""The attack `learned`: a classifier trained on people whose membership in train the auditor knows.

`tables` holds the input, `features` computes the features of each real record, `judging` trains classifiers and scores
the records of the folds that they were not trained on, and `udf` is called by SQL.
"""
