/*
summary = "The two-sided p-value of a share, by 9,999 random permutations of the labels train and holdout."
part = true
run.few = true
run.operator = "exchanges of labels"

[parameters]
heavy = { type = "relation", doc = "rows of depth, weight and the number of units that have it, with the totals all_units, members and share" }
*/
SELECT
  listed.depth,
  synthpriv_exchanged(listed.weights, listed.units, listed.all_units, listed.members, listed.share, $seed) AS p_value
FROM (
  SELECT
    depth,
    list(CAST(weight AS DOUBLE) ORDER BY weight) AS weights,
    list(CAST(units AS BIGINT) ORDER BY weight) AS units,
    max(CAST(all_units AS BIGINT)) AS all_units,
    max(CAST(members AS BIGINT)) AS members,
    max(CAST(share AS DOUBLE)) AS share
  FROM heavy
  GROUP BY depth
) AS listed
