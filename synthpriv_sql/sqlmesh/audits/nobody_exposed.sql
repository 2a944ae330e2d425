/* Nobody of train can be named as having been in it. Fails with the records that can, by number and key, without values. */
AUDIT (
  name synthpriv_nobody_exposed,
  dialect duckdb,
  defaults (
    attack = 'uniques',
    key = ''
  )
);

JINJA_QUERY_BEGIN;
SELECT * EXCLUDE (agreeing)
FROM synthpriv.exposure(
  '{{ this_model }}', {{ train }}, {{ holdout }}, attack := {{ attack }}, key := nullif({{ key }}, '')
)
WHERE exposed
JINJA_END;
