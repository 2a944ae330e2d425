/*
summary = "Which values that one person alone has come back in synthetic, column by column: also in columns that are not compared, such as e-mail addresses."
source = "Of the values that one person alone has among all real ones, as many of train as of the holdout come back by chance: hypergeometric, Holm over columns."
options = ["unit.unit", "unit.shared_units"]
common = true
units = ["train", "holdout"]
columns_with = { edits = "near" }
order = ["position"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout" }
tables = ["synthetic", "train", "holdout?"]

[parameters]
near = { type = "boolean", own = true, default = false, doc = "compare texts by nearness: without case and runs of blanks, and up to some edits (see docs/tasks/text.md); in DuckDB and beside it only" }

[columns]
column_name = "VARCHAR, each column that the tables share, except vectors"
kind = "VARCHAR, what most of these values look like: email, phone, iban, card, ip, url, uuid, date, number, name-like, text or other; running for numbers of rows, whose return is no evidence"
train = "BIGINT, values that one record of train, or person, alone has among all real ones; with near, nobody else has one near it either"
replayed = "BIGINT, those of them that synthetic has, exactly; with near, those of texts that have one near them"
holdout = "BIGINT, the same of the holdout"
holdout_replayed = "BIGINT, those of them that synthetic has"
excess = "DOUBLE, the share of train's that come back, less the share of the holdout's"
p_value = "DOUBLE, one-sided: the probability that at least so many of those that come back are of train (hypergeometric); NULL without a holdout, and for running numbers"
p_adjusted = "DOUBLE, the same, adjusted for the number of columns (Holm)"
records = "BIGINT, synthetic records with such a value of train"
edits = "BIGINT, only with near, for texts: up to how many edits values are counted as coming back: of 0 (but for case and blanks), 1 and as many as nearness allows (20, in long texts), what tells train from the holdout best; p_value counts these three"
*/
WITH found AS (
  SELECT * FROM replay_values(synthetic := synthetic, train := train, holdout := holdout)
),
running AS (
  SELECT position FROM running_numbers(synthetic := synthetic, train := train)
),
names AS (
  SELECT this_position AS position, this_name AS column_name, this_role AS role
  FROM each_column(common)
),
kinds AS (
  SELECT position, looks, row_number() OVER (PARTITION BY position ORDER BY train DESC, looks) AS place
  FROM found
  WHERE looks IS NOT NULL
),
counted AS (
  SELECT
    found.position,
    CAST(NULL AS BIGINT) AS edits,
    1 AS ways,
    sum(found.train) AS train,
    sum(found.replayed) AS replayed,
    sum(found.holdout) AS holdout,
    sum(found.holdout_replayed) AS holdout_replayed,
    sum(found.records) AS records
  FROM found
  JOIN names ON names.position = found.position
  WHERE names.role <> 'categorical' OR NOT $near
  GROUP BY found.position

  UNION ALL

  SELECT
    names.position, nearly.edits, CASE WHEN nearly.edits IS NULL THEN 1 ELSE 3 END AS ways, nearly.train, nearly.replayed, nearly.holdout, nearly.holdout_replayed,
    nearly.records
  FROM near_values(synthetic := synthetic, train := train, holdout := holdout) AS nearly
  JOIN names ON names.column_name = nearly.column_name
  WHERE $near
),
tests AS (
  SELECT
    counted.position * 32 + coalesce(counted.edits, 0) AS test,
    counted.train + counted.holdout AS population,
    counted.replayed + counted.holdout_replayed AS successes,
    counted.train AS draws,
    counted.replayed AS observed
  FROM counted
  LEFT JOIN running ON running.position = counted.position
  WHERE $holdout IS NOT NULL AND counted.train > 0 AND running.position IS NULL
),
-- Of a column of texts, the number of edits that tells most, at the price of having been chosen.
chosen AS (
  SELECT
    counted.*,
    CASE WHEN tails.tail * counted.ways > 1.0 THEN 1.0 ELSE tails.tail * counted.ways END AS tail,
    row_number() OVER (PARTITION BY counted.position ORDER BY coalesce(tails.tail, 1.0), counted.edits DESC) AS choice
  FROM counted
  LEFT JOIN hypergeometric(tests := tests) AS tails ON tails.test = counted.position * 32 + coalesce(counted.edits, 0)
),
sums AS (
  SELECT * FROM chosen WHERE choice = 1
),
tails AS (
  SELECT position AS test, tail, count(*) OVER () AS columns, row_number() OVER (ORDER BY tail, position) AS place
  FROM sums
  WHERE tail IS NOT NULL
),
adjusted AS (
  SELECT
    test, tail,
    least(max(tail * (columns - place + 1)) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 1.0) AS p_adjusted
  FROM tails
)
SELECT
  names.position,
  names.column_name,
  CASE
    WHEN running.position IS NOT NULL THEN 'running'
    ELSE coalesce(kinds.looks, CASE names.role WHEN 'numeric' THEN 'number' WHEN 'temporal' THEN 'date' ELSE 'other' END)
  END AS kind,
  CAST(coalesce(sums.train, 0) AS BIGINT) AS train,
  CAST(coalesce(sums.replayed, 0) AS BIGINT) AS replayed,
  CAST(CASE WHEN $holdout IS NOT NULL THEN coalesce(sums.holdout, 0) END AS BIGINT) AS holdout,
  CAST(CASE WHEN $holdout IS NOT NULL THEN coalesce(sums.holdout_replayed, 0) END AS BIGINT) AS holdout_replayed,
  CAST(CASE
    WHEN $holdout IS NOT NULL THEN
      CAST(sums.replayed AS DOUBLE) / nullif(sums.train, 0) - CAST(sums.holdout_replayed AS DOUBLE) / nullif(sums.holdout, 0)
  END AS DOUBLE) AS excess,
  CAST(adjusted.tail AS DOUBLE) AS p_value,
  CAST(adjusted.p_adjusted AS DOUBLE) AS p_adjusted,
  CAST(coalesce(sums.records, 0) AS BIGINT) AS records,
  CAST(sums.edits AS BIGINT) AS edits
FROM names
LEFT JOIN sums ON sums.position = names.position
LEFT JOIN kinds ON kinds.position = names.position AND kinds.place = 1
LEFT JOIN running ON running.position = names.position
LEFT JOIN adjusted ON adjusted.test = names.position
WHERE (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train, holdout := holdout))
