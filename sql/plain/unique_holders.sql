/*
summary = "Every synthetic record that has a replicated unique of a record of train, by GROUP BY only."
part = true
run.stands_in = ["no kernel", "other databases"]
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "text", default = "uniques", doc = "as in exposure" }
*/
WITH replicated AS (
  SELECT *
  FROM replicated_keys(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $attack = 'uniques'
)
SELECT DISTINCT owners.record, replicated.synthetic
FROM replicated
JOIN unique_owners(train := train, holdout := holdout, replicated := replicated) AS owners
  ON owners.person = replicated.person AND owners.side = 'train'
WHERE $attack = 'uniques'

UNION ALL

SELECT CAST(NULL AS BIGINT) AS record, CAST(NULL AS BIGINT) AS synthetic
WHERE NOT $attack = 'uniques'
