/* The verdict on all numbers of evaluate is no graver than level: good, none, watch, bad. Fails with the verdict. */
AUDIT (
  name synthpriv_verdict_at_most,
  dialect duckdb,
  defaults (
    holdout = '',
    key = '',
    level = 'good'
  )
);

JINJA_QUERY_BEGIN;
SELECT judged.verdict.level, judged.verdict.headline, judged.verdict.sentence
FROM (
  SELECT synthpriv_verdict(list(numbers)) AS verdict
  FROM synthpriv.evaluate(
    '{{ this_model }}', {{ train }}, nullif({{ holdout }}, ''), key := nullif({{ key }}, '')
  ) AS numbers
) AS judged
WHERE
  list_position(['good', 'none', 'watch', 'bad'], judged.verdict.level)
  > list_position(['good', 'none', 'watch', 'bad'], {{ level }})
JINJA_END;
