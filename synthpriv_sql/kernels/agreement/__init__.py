"""The search of the attack `agreement`: the synthetic record that shares the rarest values with each real record.

There are two steps, which may run on different machines: `synthpriv_sql.udf.encoded.population` computes from all real
records how many bits an agreement in each value scores; `index` searches for the synthetic record with the most bits.
"""
