/*
summary = "The re-identification risk of records: for a target known to be in the table (prosecutor) and, with a population, for one known to be in the population (journalist, marketer)."
source = "Prosecutor, journalist and marketer risk: El Emam, Guide to the De-Identification of Personal Health Information, 2013; delta-presence: Nergiz et al., SIGMOD 2007; k-map: Sweeney, 2001."
reads.groups = ["quasi_identifiers"]
run.few = true
example = { data = "train", quasi_identifiers = ["city", "n"], threshold = 0.3 }

[parameters]
data = { type = "relation", doc = "the table" }
quasi_identifiers = { type = "names", doc = "the columns that may identify a person" }
population = { type = "relation", optional = true, doc = "the population that the table is a part of" }
threshold = { type = "number", default = 0.2, minimum = 0, maximum = 1, doc = "the risk above which a record counts as at risk" }

[columns]
prosecutor_share = "DOUBLE, the share of records with 1 / class size above the threshold"
prosecutor_max = "DOUBLE, the largest 1 / class size"
prosecutor_mean = "DOUBLE, the mean of 1 / class size over records: classes / rows"
unique_share = "DOUBLE, the share of records that are alone in their class"
journalist_share = "DOUBLE, like prosecutor_share, with the class size in the population; NULL without one, like all columns below"
journalist_max = "DOUBLE, the largest 1 / size in the population"
journalist_mean = "DOUBLE, the larger of marketer and (number of classes / people in these classes)"
marketer = "DOUBLE, the mean over records of 1 / size in the population"
k_map = "BIGINT, the smallest class size in the population among the records' classes"
delta_min = "DOUBLE, the smallest share of a population class that is in the table"
delta_max = "DOUBLE, the largest such share"
*/
WITH together AS (
  SELECT each(quasi_identifiers, this_column), size AS here, CAST(0 AS BIGINT) AS there
  FROM classes(data := data)

  UNION ALL

  SELECT each(quasi_identifiers, this_column), CAST(0 AS BIGINT) AS here, size AS there
  FROM classes(data := population)
  WHERE $population IS NOT NULL
),
matched AS (
  SELECT CAST(sum(here) AS BIGINT) AS here, CAST(sum(there) AS BIGINT) AS there
  FROM together
  GROUP BY each(quasi_identifiers, this_column)
),
totals AS (
  SELECT
    sum(here) AS records,
    count(*) FILTER (WHERE here > 0) AS classes,
    count(*) FILTER (WHERE here = 1) AS uniques,
    min(CASE WHEN here > 0 THEN here END) AS smallest,
    sum(CASE WHEN 1.0 / nullif(here, 0) > $threshold THEN here ELSE 0 END) AS at_risk,
    count(*) FILTER (WHERE here > 0 AND there = 0) AS lacking,
    min(CASE WHEN here > 0 THEN there END) AS smallest_there,
    sum(CASE WHEN here > 0 THEN there END) AS people,
    sum(CASE WHEN 1.0 / nullif(there, 0) > $threshold THEN here ELSE 0 END) AS at_risk_there,
    min(CAST(here AS DOUBLE) / nullif(there, 0)) AS delta_min,
    max(CAST(here AS DOUBLE) / nullif(there, 0)) AS delta_max
  FROM matched
),
shares AS (
  SELECT exact_sum(CAST(matched.here AS DOUBLE) / nullif(matched.there * totals.records, 0)) AS marketer
  FROM matched
  CROSS JOIN totals
),
checks AS (
  SELECT
    CASE
      WHEN $population IS NOT NULL AND lacking > 0 THEN CAST(error(
        'OptionError: ' || label(population) || ' lacks ' || lacking || ' of the ' || classes || ' classes of '
        || label(data) || ': everybody in the table has to be in the population. '
        || 'Add these people, or leave them out of the table.'
      ) AS BOOLEAN)
      ELSE true
    END AS is_complete
  FROM totals
)
-- Without a population its counts are 0, and ratios to them are NULL.
SELECT
  CAST(totals.at_risk AS DOUBLE) / nullif(totals.records, 0) AS prosecutor_share,
  1.0 / totals.smallest AS prosecutor_max,
  CAST(totals.classes AS DOUBLE) / nullif(totals.records, 0) AS prosecutor_mean,
  CAST(totals.uniques AS DOUBLE) / nullif(totals.records, 0) AS unique_share,
  CASE WHEN totals.people > 0 THEN CAST(totals.at_risk_there AS DOUBLE) / totals.records END AS journalist_share,
  1.0 / nullif(totals.smallest_there, 0) AS journalist_max,
  greatest(CAST(totals.classes AS DOUBLE) / nullif(totals.people, 0), shares.marketer) AS journalist_mean,
  shares.marketer,
  nullif(totals.smallest_there, 0) AS k_map,
  totals.delta_min,
  totals.delta_max
FROM totals
CROSS JOIN shares
CROSS JOIN checks
WHERE checks.is_complete
