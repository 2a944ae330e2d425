/*
summary = "The values of columns of which nearly all differ among the first thousand records of synthetic, in synthetic and in train."
part = true
reads.common = true
run.materialized = true
tables = ["synthetic", "train"]

[columns]
position = "BIGINT, of the column"
role = "VARCHAR, of the column"
fresh = "INTEGER, 1 of synthetic, 0 of train"
value = "VARCHAR, not missing"
*/
-- The first thousand records show that most columns are none of these: the tables are read for the others alone.
WITH suspects AS (
  SELECT this_position AS position
  FROM each_column(common, common_originals(synthetic)) AS known
  WHERE this_column IS NOT NULL AND this_role <> 'temporal' AND known.record < 1000
  HAVING count(*) >= 20 AND count(DISTINCT this_column) >= 0.99 * count(*)
)
SELECT this_position AS position, this_role AS role, 1 AS fresh, CAST(this_column AS VARCHAR) AS value
FROM each_column(common, common_originals(synthetic)) AS known
JOIN suspects ON suspects.position = this_position
WHERE this_column IS NOT NULL

UNION ALL

SELECT this_position AS position, this_role AS role, 0 AS fresh, CAST(this_column AS VARCHAR) AS value
FROM each_column(common, common_originals(train)) AS known
JOIN suspects ON suspects.position = this_position
WHERE this_column IS NOT NULL
