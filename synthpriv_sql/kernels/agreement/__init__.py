"""The attack by agreement: which synthetic record says most of a real one that it would not say of anybody.

Two steps, so that they may run on different machines: `population` learns from the values of all real records what
agreeing in each of them is worth; `index` looks for the synthetic record with the most bits.
"""
