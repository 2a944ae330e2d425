/*
summary = "One row: the replicated uniques of all real records, as the kernel finds them."
source = "Sample uniques of statistical disclosure control: Elliot, Manning and Ford, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10 (2002)."
options = ["attack.width", "attack.combinations"]
part = true
run.materialized = true
reads.compares = true
reads.unites = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw; they count when deciding whether a key is unique" }
pairs = { type = "boolean", default = false, doc = "return every synthetic record that has a replicated unique of a person" }
*/
WITH holdout_pages AS (
  SELECT key_pages.pages, unit_pages.pages AS persons
  FROM key_pages(holdout) AS key_pages
  CROSS JOIN unit_pages(holdout) AS unit_pages
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BLOB[]) AS pages, CAST(NULL AS BLOB[]) AS persons
  WHERE $holdout IS NULL
)
SELECT
  synthpriv_uniques(
    synthetic_pages.pages,
    train_pages.pages,
    holdout_pages.pages,
    train_units.pages,
    holdout_pages.persons,
    {
      'width': $width,
      'combinations': $combinations,
      'pairs': $pairs,
      'counts': synthetic_pages.counts,
      'lacks': synthetic_pages.lacks,
      'names': synthetic_pages.names,
      'columns': [each(compared, this_name)],
      'weights': [each(compared, this_weight)],
      'synthetic': label(synthetic),
      'train': label(train),
      'holdout': CASE WHEN $holdout IS NULL THEN '' ELSE label(holdout) END,
      'threads': current_setting('threads'),
      'memory': parse_formatted_bytes(current_setting('memory_limit'))
    }
  ) AS found
FROM released_keys(synthetic := synthetic) AS synthetic_pages
CROSS JOIN key_pages(train) AS train_pages
CROSS JOIN unit_pages(train) AS train_units
CROSS JOIN holdout_pages
