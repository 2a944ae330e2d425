/*
summary = "The groups of at least 10 people who can be identified more often than all others, those with the largest ratio first."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in evaluate" }
groups = { type = "integer", default = 12, doc = "number of groups" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "as in evaluate" }
*/
-- Without isolation, which is a search of its own; of fewer people the value would show who they are.
WITH found AS (
  SELECT column_name, value, people, rate, rate_elsewhere, p_adjusted, row_number() OVER (ORDER BY ratio DESC, people DESC, position, place) AS place
  FROM exposure_ratios(
    groups := exposure_groups(
      synthetic := synthetic, train := train, holdout := holdout, scores := scores, attack := $named_by,
      false_discovery := $false_discovery, k := 1, isolation := false, always := false
    )
  )
  WHERE p_adjusted < 0.05 AND ratio > 1 AND people >= 10
)
SELECT place, column_name, value, people, rate, rate_elsewhere, p_adjusted
FROM found
WHERE place <= $groups
