/*
summary = "One row: the number of records of each table, or an error for infinite numbers."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH counted AS (
  SELECT 1 AS place, count(*) AS records, each(numeric, count(*) FILTER (WHERE isinf(this_column)))
  FROM encoded(synthetic)

  UNION ALL

  SELECT 2 AS place, count(*) AS records, each(numeric, count(*) FILTER (WHERE isinf(this_column)))
  FROM encoded(train)

  UNION ALL

  SELECT 3 AS place, count(*) AS records, each(numeric, count(*) FILTER (WHERE isinf(this_column)))
  FROM encoded(holdout)
  WHERE $holdout IS NOT NULL
),
checked AS (
  SELECT
    place,
    records + total(numeric,
      CASE
        WHEN this_column > 0 AND place = 1 THEN infinite_value_error(this_name, this_column, label(synthetic))
        WHEN this_column > 0 AND place = 2 THEN infinite_value_error(this_name, this_column, label(train))
        WHEN this_column > 0 THEN infinite_value_error(this_name, this_column, $holdout)
        ELSE 0
      END
    ) AS records
  FROM counted
)
SELECT
  CAST(max(CASE WHEN place = 1 THEN records END) AS BIGINT) AS synthetic,
  CAST(max(CASE WHEN place = 2 THEN records END) AS BIGINT) AS train,
  CAST(max(CASE WHEN place = 3 THEN records END) AS BIGINT) AS holdout
FROM checked
