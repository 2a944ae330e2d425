/*
summary = "One row: the error message if a table has too few records for a search of k neighbors; NULL otherwise."
part = true

[parameters]
reference = { type = "relation", doc = "the records that are searched" }
k = { type = "integer", default = 1, doc = "neighbors per record" }
exclude_self = { type = "boolean", default = false, doc = "a record is not its own neighbor" }
*/
SELECT
  CASE
    WHEN count(*) = 0 THEN 'EmptyTable: ' || label(reference) || ' has no rows; without a record there is no closest one'
    WHEN count(*) - CASE WHEN $exclude_self THEN 1 ELSE 0 END < $k THEN
      'OptionError: option "k" is ' || $k || ', which asks for ' || $k || CASE $k WHEN 1 THEN ' neighbor' ELSE ' neighbors' END || ', but ' || label(reference)
      || ' has only ' || (count(*) - CASE WHEN $exclude_self THEN 1 ELSE 0 END)
      || CASE WHEN $exclude_self THEN ' other' ELSE '' END
      || CASE count(*) - CASE WHEN $exclude_self THEN 1 ELSE 0 END WHEN 1 THEN ' row' ELSE ' rows' END
      || '; give a smaller k or more rows'
  END AS message
FROM encoded(reference)
