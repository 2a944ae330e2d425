/*
summary = "For each column, and for what its values in train look like: the number of values that one real person alone has, and of those that synthetic has, too."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH real_people AS (
  SELECT side, record, person
  FROM real_persons(train := train, holdout := holdout)
),
together AS (
  SELECT people.person, 1 AS side, each(common, known.this_column)
  FROM common_values(train) AS known
  JOIN real_people AS people ON people.side = 'train' AND people.record = known.record

  UNION ALL

  SELECT people.person, 2 AS side, each(common, known.this_column)
  FROM common_values(holdout) AS known
  JOIN real_people AS people ON people.side = 'holdout' AND people.record = known.record
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS person, 0 AS side, each(common, this_column)
  FROM common_values(synthetic)
),
-- A value is that of one person if the first of its persons is the last.
alone AS (
  SELECT
    this_position AS position,
    this_role AS role,
    CAST(this_column AS VARCHAR) AS value,
    max(side) AS side,
    sum(CASE side WHEN 0 THEN 1 ELSE 0 END) AS records
  FROM each_column(common, together)
  WHERE this_column IS NOT NULL
  GROUP BY this_column
  HAVING min(person) = max(person) AND min(CASE WHEN side > 0 THEN side END) = max(side)
),
written AS (
  SELECT
    *,
    CASE
      WHEN length(value) BETWEEN 13 AND 37 AND regexp_matches(value, '^[0-9]([ -]?[0-9]){12,18}$') THEN
        lpad(replace(replace(value, ' ', ''), '-', ''), 19, '0')
    END AS digits,
    CASE
      WHEN length(value) BETWEEN 15 AND 42 AND regexp_matches(value, '^[A-Z]{2}[0-9]{2} ?([A-Z0-9]{4} ?){2,7}[A-Z0-9]{1,4}$') THEN
        lpad(iban_digits(replace(value, ' ', '')), 72, '0')
    END AS iban
  FROM alone
),
-- Luhn's checksum of what has the digits of a card: from the right, every second digit is doubled, and 9 subtracted if that has two digits.
checked AS (
  SELECT
    *,
    total(
      numbers(1, 19),
      (strpos('0123456789', substr(digits, this_value, 1)) - 1) * (2 - this_value % 2)
      - CASE WHEN this_value % 2 = 0 AND strpos('0123456789', substr(digits, this_value, 1)) > 5 THEN 9 ELSE 0 END
    ) AS checksum,
    -- The weights are 10^63, 10^54, ... 1, divided by 97: the rests of nine digits each.
    total(
      numbers(0, 7),
      CAST(substr(iban, 9 * this_value + 1, 9) AS BIGINT) % 97 * CAST(substr('5270426419893401', 2 * this_value + 1, 2) AS BIGINT)
    ) % 97 AS rest
  FROM written
),
looked_at AS (
  -- With types, also where there is no column to look at.
  SELECT
    CAST(position AS BIGINT) AS position,
    role,
    value,
    CAST(side AS BIGINT) AS side,
    CAST(records AS BIGINT) AS records,
    CASE
      WHEN side = 2 THEN NULL
      WHEN role = 'temporal' THEN 'date'
      WHEN role = 'numeric' AND checksum IS NULL THEN 'number'
      ELSE looks_like(value, checksum, rest)
    END AS looks
  FROM checked
)
SELECT
  position,
  looks,
  sum(CASE side WHEN 1 THEN 1 ELSE 0 END) AS train,
  sum(CASE WHEN side = 1 AND records > 0 THEN 1 ELSE 0 END) AS replayed,
  sum(CASE side WHEN 2 THEN 1 ELSE 0 END) AS holdout,
  sum(CASE WHEN side = 2 AND records > 0 THEN 1 ELSE 0 END) AS holdout_replayed,
  sum(CASE side WHEN 1 THEN records ELSE 0 END) AS records,
  sum(CASE WHEN is_told THEN 1 ELSE 0 END) AS told
FROM told_phones(given := looked_at)
GROUP BY position, looks
