/*
summary = "For each difference between a person's replicated uniques in synthetic rows and in real ones, the number of people; with the sums and the exchanges of rows."
options = ["attack.width", "attack.combinations", "seed"]
part = true
run.materialized = true
reads.compares = true
run.operator = "exchanges of rows"
tables = ["synthetic"]

[parameters]
real = { type = "relation", doc = "as in within" }
*/
SELECT
  answer.found.replicated AS replicated,
  answer.found.control AS control,
  answer.found.z AS z,
  answer.found.above AS above,
  answer.found.exchanges AS exchanges,
  unnest(answer.found.differences) AS difference,
  unnest(answer.found.people) AS people
FROM (
  SELECT
    synthpriv_within(
      synthetic_pages.pages,
      real_pages.pages,
      real_units.pages,
      {
        'width': $width,
        'combinations': $combinations,
        'seed': $seed,
        'columns': [each(compared, this_name)],
        'weights': [each(compared, this_weight)],
        'synthetic': label(synthetic),
        'real': label(real),
        'threads': current_setting('threads'),
        'memory': parse_formatted_bytes(current_setting('memory_limit'))
      }
    ) AS found
  FROM key_pages(synthetic) AS synthetic_pages
  CROSS JOIN key_pages(real) AS real_pages
  CROSS JOIN unit_pages(real) AS real_units
) AS answer
