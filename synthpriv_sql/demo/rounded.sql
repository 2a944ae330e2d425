-- The change after which nobody can be named from synthetic_spliced; the table stands behind it.
SELECT * REPLACE (round(income / 5000) * 5000 AS income, round(balance / 2000) * 2000 AS balance)
