/* No record of the model equals a record of train. Fails with the records that do, by number and key, without values. */
AUDIT (
  name synthpriv_no_copies,
  dialect duckdb,
  defaults (
    key = ''
  )
);

JINJA_QUERY_BEGIN;
SELECT *
FROM synthpriv.copies('{{ this_model }}', {{ train }}, key := nullif({{ key }}, ''))
WHERE copies > 0
JINJA_END;
