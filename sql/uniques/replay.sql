/*
summary = "Which values that one person alone has come back in synthetic, column by column: also in columns that are not compared, such as e-mail addresses."
source = "Of the values that one person alone has among all real ones, as many of train as of the holdout come back by chance: hypergeometric, Holm over columns."
options = ["unit.unit", "unit.shared_units"]
reads.common = true
reads.units = ["train", "holdout"]
gives.columns_with = { edits = "near", words = "phrase" }
order = ["position", "place"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout" }
tables = ["synthetic", "train", "holdout?"]

[parameters]
near = { type = "boolean", own = true, default = false, doc = "compare texts by nearness: without case and runs of blanks, and up to some edits (see docs/tasks/text.md); where the kernel is: DuckDB, beside it, and Spark" }
phrase = { type = "integer", optional = true, minimum = 2, maximum = 32, doc = "also look at runs of words, of texts of 6 words or more in the median: so many, twice and three times as many; 4 is a good number; where the kernel is" }

[columns]
column_name = "VARCHAR, each column that the tables share, except vectors"
kind = """VARCHAR, what most of these values look like: email, phone (see told_by), iban and card (both by their check digits), ip, url, uuid, date, number, \
  name-like, text or other; phrase, only with phrase, in a row of its own: runs of words, where persons are counted who have one that nobody else has; running for numbers of rows, whose return is no evidence"""
train = "BIGINT, values that one record of train, or person, alone has among all real ones; with near, nobody else has one near it either"
replayed = "BIGINT, those of them that synthetic has, exactly; with near, those of texts that have one near them"
holdout = "BIGINT, the same of the holdout"
holdout_replayed = "BIGINT, those of them that synthetic has"
excess = "DOUBLE, the share of train's that come back, less the share of the holdout's"
p_value = "DOUBLE, one-sided: the probability that at least so many of those that come back are of train (hypergeometric); NULL without a holdout, and for running numbers"
p_adjusted = "DOUBLE, the same, adjusted for the number of columns (Holm)"
records = "BIGINT, synthetic records with such a value of train"
edits = "BIGINT, only with near, for texts: up to how many edits values are counted as coming back: of 0 (but for case and blanks), 1 and as many as nearness allows (20, in long texts), what tells train from the holdout best; p_value counts these three"
words = "BIGINT, only with phrase, for phrases: the number of words of the runs that are counted; that which tells train from the holdout best"
told_by = """VARCHAR, of phone: phonenumbers if that library says so of most of these values (in DuckDB, if it is installed), else rule: 7 to 22 digits and \
  separators that begin with +, ( or 0, or 555-555-5555; NULL for other kinds"""
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
  SELECT position, looks, 2 * told > train AS is_told, row_number() OVER (PARTITION BY position ORDER BY train DESC, looks) AS place
  FROM found
  WHERE looks IS NOT NULL
),
texts AS (
  SELECT names.position, found.what, found.length, found.train, found.replayed, found.holdout, found.holdout_replayed, found.records
  FROM near_values(synthetic := synthetic, train := train, holdout := holdout, near := $near, phrase := $phrase) AS found
  JOIN names ON names.column_name = found.column_name
),
-- Rows of a column: its values (what is 0) and, with phrase, runs of words of its texts (1).
counted AS (
  SELECT
    found.position,
    0 AS what,
    CAST(NULL AS BIGINT) AS length,
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
    position, 0 AS what, length, CASE WHEN length IS NULL THEN 1 ELSE 3 END AS ways, train, replayed, holdout, holdout_replayed,
    records
  FROM texts
  WHERE $near AND what = 'text'

  UNION ALL

  SELECT position, 1 AS what, length, 3 AS ways, train, replayed, holdout, holdout_replayed, records
  FROM texts
  WHERE $phrase IS NOT NULL AND what = 'phrase'
),
tests AS (
  SELECT
    counted.position * 256 + counted.what * 128 + coalesce(counted.length, 0) AS test,
    counted.train + counted.holdout AS population,
    counted.replayed + counted.holdout_replayed AS successes,
    counted.train AS draws,
    counted.replayed AS observed
  FROM counted
  LEFT JOIN running ON running.position = counted.position
  WHERE $holdout IS NOT NULL AND counted.train > 0 AND running.position IS NULL
),
-- The number of edits, or of words, that tells most, at the price of having been chosen.
chosen AS (
  SELECT
    counted.*,
    CASE WHEN tails.tail * counted.ways > 1.0 THEN 1.0 ELSE tails.tail * counted.ways END AS tail,
    row_number() OVER (
      PARTITION BY counted.position, counted.what
      ORDER BY coalesce(tails.tail, 1.0), CASE counted.what WHEN 0 THEN -counted.length ELSE counted.length END
    ) AS choice
  FROM counted
  LEFT JOIN hypergeometric(tests := tests) AS tails
    ON tails.test = counted.position * 256 + counted.what * 128 + coalesce(counted.length, 0)
),
sums AS (
  SELECT * FROM chosen WHERE choice = 1
),
tails AS (
  SELECT
    position, what, tail, count(*) OVER () AS columns, row_number() OVER (ORDER BY tail, position, what) AS place
  FROM sums
  WHERE tail IS NOT NULL
),
adjusted AS (
  SELECT
    position, what, tail,
    least(max(tail * (columns - place + 1)) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 1.0) AS p_adjusted
  FROM tails
),
shown AS (
  SELECT position, column_name, role, 0 AS what
  FROM names

  UNION ALL

  SELECT names.position, names.column_name, names.role, sums.what
  FROM sums
  JOIN names ON names.position = sums.position
  WHERE sums.what = 1
)
SELECT
  names.position,
  names.what AS place,
  names.column_name,
  CASE
    WHEN names.what = 1 THEN 'phrase'
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
  CAST(CASE sums.what WHEN 0 THEN sums.length END AS BIGINT) AS edits,
  CAST(CASE sums.what WHEN 1 THEN sums.length END AS BIGINT) AS words,
  CASE
    WHEN names.what = 0 AND running.position IS NULL AND kinds.looks = 'phone' THEN
      CASE WHEN kinds.is_told THEN 'phonenumbers' ELSE 'rule' END
  END AS told_by
FROM shown AS names
LEFT JOIN sums ON sums.position = names.position AND sums.what = names.what
LEFT JOIN kinds ON kinds.position = names.position AND kinds.place = 1
LEFT JOIN running ON running.position = names.position
LEFT JOIN adjusted ON adjusted.position = names.position AND adjusted.what = names.what
WHERE (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train, holdout := holdout))
