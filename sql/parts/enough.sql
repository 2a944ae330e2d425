/*
summary = "One row that is true, or the error that a table has fewer records than the neighbors asked for."
part = true

[parameters]
reference = { type = "relation", doc = "the records that are found" }
k = { type = "integer", default = 1, doc = "neighbors per record" }
exclude_self = { type = "boolean", default = false, doc = "a record is not its own neighbor" }
*/
SELECT
  CASE
    WHEN count(*) = 0 THEN CAST(error(
      'EmptyTable: ' || label(reference) || ' has no rows; without a record there is no closest one'
    ) AS BOOLEAN)
    WHEN count(*) - CASE WHEN $exclude_self THEN 1 ELSE 0 END < $k THEN CAST(error(
      'OptionError: option "k" := ' || $k || ' asks for ' || $k || CASE $k WHEN 1 THEN ' neighbor' ELSE ' neighbors' END || ', but ' || label(reference)
      || ' has only ' || (count(*) - CASE WHEN $exclude_self THEN 1 ELSE 0 END)
      || CASE WHEN $exclude_self THEN ' other' ELSE '' END
      || CASE count(*) - CASE WHEN $exclude_self THEN 1 ELSE 0 END WHEN 1 THEN ' row' ELSE ' rows' END
      || '; give a smaller k or more rows'
    ) AS BOOLEAN)
    ELSE true
  END AS is_enough
FROM encoded(reference)
