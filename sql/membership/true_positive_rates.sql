/*
summary = "The share of members that each attack finds at false positive rates, the mean of folds where it has several."
part = true
run.few = true

[parameters]
roc = { type = "relation", doc = "as roc gives it" }
rates = { type = "numbers", default = [0.001, 0.01, 0.1], doc = "false positive rates" }
*/
WITH rates AS (
  SELECT CAST(this_value AS DOUBLE) AS false_positive_rate
  FROM each_value($rates)
),
found_in_folds AS (
  SELECT
    roc.attack,
    roc.fold,
    rates.false_positive_rate,
    -- Both are correctly rounded fractions, so that equal fractions compare as equal.
    coalesce(max(
      CASE
        WHEN CAST(roc.non_members_above AS DOUBLE) / roc.all_non_members <= rates.false_positive_rate
          THEN CAST(roc.members_above AS DOUBLE) / roc.all_members
      END
    ), 0.0) AS true_positive_rate,
    max(roc.all_non_members) AS non_members
  FROM roc
  CROSS JOIN rates
  WHERE roc.all_members > 0 AND roc.all_non_members > 0
  GROUP BY roc.attack, roc.fold, rates.false_positive_rate
)
SELECT
  attack,
  false_positive_rate,
  CASE
    WHEN 1.0 / min(non_members) > false_positive_rate THEN NULL
    WHEN count(*) = 1 THEN max(true_positive_rate)
    ELSE exact_mean(true_positive_rate)
  END AS true_positive_rate
FROM found_in_folds
GROUP BY attack, false_positive_rate
