/*
summary = "The numerators and denominators of the measures of disclosure: one row for each target and side (train and holdout)."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, doc = "as in disclosure" }
*/
WITH sides AS (
  SELECT
    'train' AS side, position, each(quasi_identifiers, this_column),
    in_train AS real_records, in_synthetic AS synthetic_records
  FROM disclosure_cells(synthetic := synthetic, train := train, holdout := holdout, bins := $bins)

  UNION ALL

  SELECT
    'holdout' AS side, position, each(quasi_identifiers, this_column),
    in_holdout AS real_records, in_synthetic AS synthetic_records
  FROM disclosure_cells(synthetic := synthetic, train := train, holdout := holdout, bins := $bins)
  WHERE $holdout IS NOT NULL
),
-- A class: the records that are equal in all quasi-identifiers. All of them may have the same target value.
per_class AS (
  SELECT
    side,
    position,
    sum(real_records) AS in_real,
    sum(synthetic_records) AS in_synthetic,
    max(real_records) AS most_real,
    max(synthetic_records) AS most_synthetic,
    sum(CASE WHEN synthetic_records > 0 THEN real_records ELSE 0 END) AS matched,
    sum(real_records * real_records) AS real_squares,
    sum(synthetic_records * synthetic_records) AS synthetic_squares,
    sum(real_records * synthetic_records) AS products
  FROM sides
  GROUP BY side, position, each(quasi_identifiers, this_column)
),
sizes AS (
  SELECT side, position, sum(in_real) AS real_rows, sum(in_synthetic) AS synthetic_rows
  FROM per_class
  GROUP BY side, position
)
SELECT
  found.side,
  found.position,
  max(sizes.real_rows) AS real_rows,
  max(sizes.synthetic_rows) AS synthetic_rows,
  count(*) FILTER (WHERE found.in_real = 1) AS uniques,
  count(*) FILTER (WHERE found.in_real = 1 AND found.in_synthetic = 1) AS replicated,
  sum(CASE WHEN found.in_synthetic > 0 THEN found.in_real ELSE 0 END) AS in_synthetic,
  sum(CASE WHEN found.most_real = found.in_real THEN found.in_real ELSE 0 END) AS attributable,
  sum(CASE WHEN found.most_synthetic = found.in_synthetic THEN found.in_synthetic ELSE 0 END) AS attributable_synthetic,
  sum(CASE WHEN found.in_synthetic > 0 AND found.most_synthetic = found.in_synthetic THEN found.in_real ELSE 0 END)
    AS disclosive,
  sum(CASE WHEN found.in_synthetic > 0 AND found.most_synthetic = found.in_synthetic THEN found.matched ELSE 0 END)
    AS correct,
  sum(
    CASE
      WHEN found.in_synthetic > 0 AND found.most_synthetic = found.in_synthetic AND found.matched = found.in_real
      THEN found.in_real
      ELSE 0
    END
  ) AS correct_in_both,
  max(CASE found.side WHEN 'train' THEN equal.of_train ELSE equal.of_holdout END) AS same_value,
  exact_sum(
    CASE WHEN found.in_real > 0 THEN CAST(found.real_squares AS DOUBLE) / CAST(found.in_real * sizes.real_rows AS DOUBLE) END
  ) AS cap_real,
  exact_sum(
    CASE
      WHEN found.in_synthetic > 0
      THEN CAST(found.synthetic_squares AS DOUBLE) / CAST(found.in_synthetic * sizes.synthetic_rows AS DOUBLE)
    END
  ) AS cap_synthetic,
  -- Keys that synthetic lacks count as 0.
  exact_sum(
    CASE
      WHEN found.in_synthetic > 0 AND sizes.real_rows > 0
      THEN CAST(found.products AS DOUBLE) / CAST(found.in_synthetic * sizes.real_rows AS DOUBLE)
      WHEN sizes.real_rows > 0 THEN 0.0
    END
  ) AS cap
FROM per_class AS found
JOIN sizes ON sizes.side = found.side AND sizes.position = found.position
-- Without real records there are no equal pairs, but the measures of synthetic alone are still defined.
LEFT JOIN disclosure_values(synthetic := synthetic, train := train, holdout := holdout, bins := $bins) AS equal
  ON equal.position = found.position
GROUP BY found.side, found.position
