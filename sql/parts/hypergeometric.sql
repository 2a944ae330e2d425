/*
summary = "The probability that draws without replacement from a population meet at least so many successes: the upper tail of the hypergeometric distribution."
source = "Probabilities by deviances and Stirling's series: Loader, Fast and accurate computation of binomial probabilities (2000)."
part = true
run.few = true

[parameters]
tests = { type = "relation", columns = ["test", "population", "successes", "draws", "observed"], doc = "one test a row, with a number of its own" }

[columns]
test = "BIGINT"
tail = "DOUBLE, the probability of at least observed successes, to 1e-10 of itself"
ln_tail = "DOUBLE, its logarithm, also where it is too small for a DOUBLE; NULL where it is 0"
*/
-- For populations of up to 20 million the terms that are left out are below 1e-16 of the first. Below the mean the other
-- tail is summed, that of failures.
WITH counted AS (
  SELECT
    CAST(test AS BIGINT) AS test,
    CAST(population AS DOUBLE) AS population,
    CAST(successes AS DOUBLE) AS successes,
    CAST(draws AS DOUBLE) AS draws,
    CAST(observed AS DOUBLE) AS observed
  FROM tests
),
sided AS (
  SELECT
    test,
    is_above,
    population,
    draws,
    CASE WHEN is_above THEN successes ELSE population - successes END AS hits,
    CASE WHEN is_above THEN observed ELSE draws - observed + 1 END AS least_hits
  FROM (SELECT *, observed * population > successes * draws OR observed > draws AS is_above FROM counted) AS compared
),
-- Each term is smaller than the one before, and after j of them by exp(-j * j / 2 * curvature), at least.
summed_over AS (
  SELECT
    *,
    population - draws - hits AS lacking,
    least(
      least(draws, hits) - least_hits,
      ceil(sqrt(20 / (population + 2) * least((hits + 1) * (population - hits + 1), (draws + 1) * (population - draws + 1))))
    ) AS further
  FROM sided
  WHERE least_hits <= least(draws, hits)
),
-- The first term is that of a table of four cells, with their margins and the population.
cells AS (
  SELECT
    test,
    place,
    CASE place
      WHEN 1 THEN least_hits
      WHEN 2 THEN hits - least_hits
      WHEN 3 THEN draws - least_hits
      WHEN 4 THEN lacking + least_hits
      WHEN 5 THEN hits
      WHEN 6 THEN population - hits
      WHEN 7 THEN draws
      WHEN 8 THEN population - draws
      ELSE population
    END AS x,
    CASE WHEN place IN (1, 2) THEN hits ELSE population - hits END
    * CASE WHEN place IN (1, 3) THEN draws ELSE population - draws END / population AS expected
  FROM (SELECT this_value AS place FROM each_value([1, 2, 3, 4, 5, 6, 7, 8, 9])) AS places
  CROSS JOIN summed_over
),
parts AS (
  SELECT
    test,
    place,
    CASE
      WHEN place > 4 AND place < 9 THEN stirling_rest(x)
      ELSE -stirling_rest(x)
    END - CASE WHEN place < 5 THEN deviance(x, expected, (x - expected) / (x + expected)) ELSE 0 END AS part
  FROM cells
),
-- In one order, as sums of fractions depend on it.
firsts AS (
  SELECT test, place, sum(part) OVER (PARTITION BY test ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ln_first
  FROM parts
),
ratios AS (
  SELECT
    summed_over.test,
    steps.step,
    CASE WHEN steps.step = 0 THEN 0.0 ELSE ln(
      (summed_over.hits - summed_over.least_hits - steps.step + 1) * (summed_over.draws - summed_over.least_hits - steps.step + 1)
      / ((summed_over.least_hits + steps.step) * (summed_over.lacking + summed_over.least_hits + steps.step))
    ) END AS ln_ratio
  FROM summed_over
  JOIN generate_series(0, 9999) AS steps(step) ON steps.step <= summed_over.further
),
terms AS (
  SELECT test, sum(ln_ratio) OVER (PARTITION BY test ORDER BY step ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ln_term
  FROM ratios
),
totals AS (
  SELECT test, exact_sum(CASE WHEN ln_term > -60 THEN exp(ln_term) ELSE 0.0 END) AS total
  FROM terms
  GROUP BY test
),
summed AS (
  SELECT firsts.test, firsts.ln_first + ln(totals.total) AS ln_sum
  FROM firsts
  JOIN totals ON totals.test = firsts.test
  WHERE firsts.place = 9
)
SELECT
  sided.test,
  CASE
    WHEN sided.least_hits IS NULL THEN NULL
    WHEN summed.ln_sum > -700 AND sided.is_above THEN least(exp(summed.ln_sum), 1.0)
    WHEN summed.ln_sum > -700 THEN 1 - least(exp(summed.ln_sum), 1.0)
    WHEN sided.is_above THEN 0.0
    ELSE 1.0
  END AS tail,
  CASE
    WHEN NOT sided.is_above AND summed.ln_sum > -700 THEN ln(1 - least(exp(summed.ln_sum), 1.0))
    WHEN NOT sided.is_above OR summed.ln_sum > 0 THEN 0.0
    ELSE summed.ln_sum
  END AS ln_tail
FROM sided
LEFT JOIN summed ON summed.test = sided.test
