WITH `data` AS (
  /* The columns that are read of data. */
  SELECT
    `cat`,
    `flag`
  FROM `syn`
), `classes_data` AS (
  /* classes: The equivalence classes of a table and their sizes; NULL counts as a value, and NaN as NULL. */
  SELECT
    `cat` AS `x_cat`,
    `flag` AS `x_flag`,
    COUNT(*) AS `size`
  FROM `data`
  GROUP BY
    `cat`,
    `flag`
), `equivalence_classes_data` AS (
  /* equivalence_classes: The equivalence classes over quasi-identifiers: each combination of values, with its number of records. */
  SELECT
    `x_cat`,
    `x_flag`,
    `size`
  FROM `classes_data` AS `classes`
)
SELECT
  `x_cat` AS `cat`,
  `x_flag` AS `flag`,
  `size`
FROM `equivalence_classes_data`
ORDER BY
  `equivalence_classes_data`.`size` NULLS LAST;
/* Neighbors are searched for in plain SQL here: every record is compared with every other. Time and temporary space grow with rows x rows. */
WITH `train_2` AS (
  /* The columns that are read of train. */
  SELECT
    `cat`,
    ROW_NUMBER() OVER (ORDER BY `cat`) - 1 AS `record_number`
  FROM (
    SELECT
      `cat`
    FROM `train`
  ) AS `given`
), `encoded_train` AS (
  /* encoded: The compared columns of a table in the kernel's encoding: DOUBLE for numbers and times, VARCHAR for categories. */
  SELECT
    `record_number` AS `record`,
    `cat` AS `x_cat`
  FROM `train_2` AS `relation`
), `finite_train` AS (
  /* finite: The numbers of a table, without those that are infinite. */
  /* Callers report infinite values themselves, with table, column and count. */
  SELECT
    `record`
  FROM `encoded_train` AS `encoded`
), `scale_columns_train` AS (
  /* scale_columns: One row: the scale of each numeric column, by which differences are divided; 0 or NULL if it is compared by equality. */
  SELECT
    COUNT(*) AS `rows`
  FROM `finite_train` AS `finite`
), `scale` AS (
  /* A numeric column without a spread is compared by equality, like a category. */
  SELECT
    CAST(NULL AS FLOAT64) AS `x_cat_spread`
  FROM `scale_columns_train` AS `columns`
), `synthetic` AS (
  /* The columns that are read of synthetic. */
  SELECT
    `cat`,
    ROW_NUMBER() OVER (ORDER BY `cat`) - 1 AS `record_number`
  FROM (
    SELECT
      `cat`
    FROM `syn`
  ) AS `given`
), `encoded_synthetic` AS (
  /* encoded: The compared columns of a table in the kernel's encoding: DOUBLE for numbers and times, VARCHAR for categories. */
  SELECT
    `record_number` AS `record`,
    `cat` AS `x_cat`
  FROM `synthetic` AS `relation`
), `pairs` AS (
  SELECT
    `queries`.`record`,
    `found`.`record` AS `neighbor`,
    CAST((
      CASE
        WHEN `scale`.`x_cat_spread` > 0
        THEN 0.0
        WHEN `found`.`x_cat` = `queries`.`x_cat`
        THEN 0.0
        WHEN `found`.`x_cat` IS NULL AND `queries`.`x_cat` IS NULL
        THEN 0.0
        ELSE CAST(1.0 AS FLOAT64)
      END
    ) AS FLOAT64) AS `cost`
  FROM `encoded_synthetic` AS `queries`
  CROSS JOIN `encoded_train` AS `found`
  CROSS JOIN `scale`
), `distances` AS (
  SELECT
    `record`,
    `neighbor`,
    `cost` / 1.0 AS `distance`
  FROM `pairs`
), `near` AS (
  SELECT
    `record`,
    `neighbor`,
    `distance`
  FROM `distances`
), `ranked` AS (
  SELECT
    `record`,
    ROW_NUMBER() OVER (PARTITION BY `record` ORDER BY `distance`, `neighbor`) AS `place`,
    `neighbor`,
    `distance`
  FROM `near`
), `infinite_queries` AS (
  SELECT
    COUNT(*) AS `rows`
  FROM `encoded_synthetic` AS `encoded`
), `infinite_reference` AS (
  SELECT
    COUNT(*) AS `rows`
  FROM `encoded_train` AS `encoded`
), `checks` AS (
  SELECT
    0.0 AS `problems`
  FROM `infinite_queries` AS `infinite`
  UNION ALL
  SELECT
    CASE
      WHEN `infinite`.`rows` = 0
      THEN CAST(ERROR(
        'EmptyTable: ' || 'the query (SELECT cat FROM train)' || ' has no rows; without a record there is no closest one'
      ) AS INT64)
      ELSE 0.0
    END AS `problems`
  FROM `infinite_reference` AS `infinite`
  CROSS JOIN `scale_columns_train` AS `scale`
), `nearest_synthetic_train` AS (
  /* nearest: The k nearest records of reference for every record of queries (fewer if reference is smaller), on the scale of train. */
  SELECT
    `record`,
    CAST(`place` AS INT64) AS `rank`,
    `neighbor`,
    `distance`
  FROM `ranked`
  WHERE
    `place` <= 1
  UNION ALL
  /* Never gives a row, but makes the checks run for any tables. */
  SELECT
    CAST(-1 AS INT64) AS `record`,
    1 AS `rank`,
    CAST(-1 AS INT64) AS `neighbor`,
    CAST(0 AS FLOAT64) AS `distance`
  FROM `checks`
  WHERE
    `problems` > 0
), `dcr_synthetic_train` AS (
  /* dcr: Distance to closest record (DCR): the distance of every synthetic record to its closest train record. */
  SELECT
    `record`,
    `distance` AS `dcr`,
    `neighbor` AS `nearest`
  FROM (
    SELECT
      *
    FROM `nearest_synthetic_train`
    WHERE
      `rank` <= 1
  ) AS `nearest`
)
SELECT
  `record`,
  `dcr`,
  `nearest`
FROM `dcr_synthetic_train`
ORDER BY
  `dcr_synthetic_train`.`record` NULLS LAST;
