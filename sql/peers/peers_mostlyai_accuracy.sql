/*
summary = "The accuracy of MOSTLY AI's quality assurance: the similarity of binned marginals of one, two and three columns, and the accuracy expected of two samples of these sizes."
source = """\
mostlyai-qa 1.10; Platzer and Reutterer, Frontiers in Big Data 4 (2021). Problems: the reference is train and holdout together, \
so the result does not show whether synthetic is closer to train; the maximum is computed from the observed shares of the real rows, as if \
these were the true ones; values beyond the range of the real rows count as its minimum or maximum, and rounding the edge of a bin moves \
values into another bin; of more than 10,000 triples the tool samples some (here never), and of columns that look like text it compares words \
sampled with a language model's tokenizer (here they are categories, as any other). Use fidelity and marginals. Its distances and its \
similarity require a language model and are not implemented here."""
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
run.warning = { clickhouse = "ClickHouse takes minutes over the triples of columns here, even over few rows: name fewer of them as columns." }
reads.compares = true
order = ["place", "first", "second", "third"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", columns = ["city", "n"] }
tables = ["synthetic", "train", "holdout?"]

[columns]
level = "VARCHAR: overall, univariate, bivariate, trivariate"
columns = "VARCHAR[], one to three names; empty for the mean of a level and overall"
accuracy = "DOUBLE, from 0 to 1, for columns rounded to 5 digits as by the tool; NULL if a table has no rows"
accuracy_max = "DOUBLE, the expected accuracy if synthetic was drawn from the real rows' shares"
*/
WITH counted AS (
  SELECT 2 AS place, first, second, third, synthetic, train + holdout AS real
  FROM cells(codes := mostlyai_codes(synthetic, train, holdout), of := 1)

  UNION ALL

  SELECT 3 AS place, first, second, third, synthetic, train + holdout AS real
  FROM cells(codes := mostlyai_codes(synthetic, train, holdout), of := 2)

  UNION ALL

  SELECT 4 AS place, first, second, third, synthetic, train + holdout AS real
  FROM cells(codes := mostlyai_codes(synthetic, train, holdout), of := 3)
),
sized AS (
  SELECT
    CAST(nullif(synthetic, 0) AS DOUBLE) AS synthetic,
    CAST(nullif(train + coalesce(holdout, 0), 0) AS DOUBLE) AS real
  FROM sizes(synthetic, train, holdout)
),
shares AS (
  SELECT
    counted.place,
    counted.first,
    counted.second,
    counted.third,
    counted.synthetic / sized.synthetic AS synthetic,
    counted.real / sized.real AS real,
    1 / sized.synthetic + 1 / sized.real AS spread
  FROM counted
  CROSS JOIN sized
),
accuracies AS (
  SELECT
    place,
    first,
    second,
    third,
    floor((1 - exact_sum(abs(synthetic - real)) / 2) * 100000 + 0.5) / 100000 AS accuracy,
    -- The mean absolute value of a centered normal variable is sqrt(2 / pi) of its standard deviation.
    floor((1 - exact_sum(sqrt(real * (1 - real) * spread * 0.6366197723675814)) / 2) * 100000 + 0.5) / 100000 AS accuracy_max
  FROM shares
  GROUP BY place, first, second, third
),
levels AS (
  SELECT place, exact_mean(accuracy) AS accuracy, exact_mean(accuracy_max) AS accuracy_max
  FROM accuracies
  GROUP BY place
),
together AS (
  SELECT
    1 AS place, CAST(NULL AS BIGINT) AS first, CAST(NULL AS BIGINT) AS second, CAST(NULL AS BIGINT) AS third,
    exact_mean(accuracy) AS accuracy, exact_mean(accuracy_max) AS accuracy_max
  FROM levels

  UNION ALL

  SELECT place, NULL, NULL, NULL, accuracy, accuracy_max
  FROM levels

  UNION ALL

  SELECT place, first, second, third, accuracy, accuracy_max
  FROM accuracies
)
SELECT
  together.place,
  together.first,
  together.second,
  together.third,
  CASE together.place WHEN 1 THEN 'overall' WHEN 2 THEN 'univariate' WHEN 3 THEN 'bivariate' ELSE 'trivariate' END AS level,
  list_filter([one.name, two.name, three.name], lambda name: name IS NOT NULL) AS columns,
  together.accuracy,
  together.accuracy_max
FROM together
LEFT JOIN names() AS one ON one.position = together.first
LEFT JOIN names() AS two ON two.position = together.second
LEFT JOIN names() AS three ON three.position = together.third
