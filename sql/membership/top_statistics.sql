/*
summary = "The top of the lists of each attack: its folds added up, and its p-value over them."
part = true
run.few = true

[parameters]
roc = { type = "relation", doc = "the rows of roc" }

[columns]
attack = "VARCHAR"
at_least = "BIGINT"
listed = "BIGINT"
top_p_value = "DOUBLE"
least_noticed = "BIGINT, so many members before all non-members would make at_least 1, in any fold"
*/
-- Folds are not independent: the smallest p-value counts, times their number.
SELECT
  tops.attack,
  CAST(sum(tops.at_least) AS BIGINT) AS at_least,
  CAST(sum(tops.listed) AS BIGINT) AS listed,
  least(min(coalesce(tests.p_value, 1.0) * tops.folds), 1.0) AS top_p_value,
  CAST(ceil(max(tops.by_chance) + 1) AS BIGINT) AS least_noticed
FROM tops(roc := roc) AS tops
LEFT JOIN top_tests(roc := roc) AS tests ON tests.attack = tops.attack AND tests.fold = tops.fold
GROUP BY tops.attack
