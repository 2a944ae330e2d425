/*
summary = "Section dimensions of evaluate: whether distances are meaningful in these columns; for Gower's distance, without columns of vectors."
part = true
tables = ["train"]

[numbers]
always = ["dimensions.contrast"]
*/
SELECT
  'dimensions' AS section, 95 AS position, 'dimensions' AS metric, CAST(NULL AS VARCHAR) AS variant, 'contrast' AS statistic,
  1 AS place, CAST(NULL AS VARCHAR) AS better,
  'How far the nearest other record of train is, beside any two of train: near 1, any two are as far apart and a distance says nothing.' AS meaning,
  found.contrast AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM dimensions(train := train) AS found
JOIN (
  SELECT sum(vectors) AS vectors
  FROM (
    SELECT CASE WHEN this_role = 'vector' THEN 1 ELSE 0 END AS vectors
    FROM each_column(compared)
  ) AS roles
) AS named ON named.vectors = 0
WHERE $metric = 'gower'
