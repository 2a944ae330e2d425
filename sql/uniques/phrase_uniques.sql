/*
summary = "For each real record, or person, and column of longer texts: the longest run of words that nobody else has, and that a synthetic record has, too."
part = true
reads.compares = true
reads.unites = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
phrase = { type = "integer", optional = true, doc = "from how many words on" }

[columns]
place = "BIGINT, after the places of smallest_uniques"
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
  CASE WHEN hits.position < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.position < hits.members THEN hits.position ELSE hits.position - hits.members END AS record,
  9000000000 + hits.place AS place,
  [hits.column_name] AS columns,
  hits.synthetic AS synthetic,
  hits.also AS also,
  hits.words AS words,
  hits.release AS release
FROM (
  SELECT
    answer.found.members AS members,
    unnest(answer.found.positions) AS position,
    generate_subscripts(answer.found.positions, 1) AS place,
    unnest(answer.found.columns) AS column_name,
    unnest(answer.found.words) AS words,
    unnest(answer.found.synthetic) AS synthetic,
    unnest(answer.found.also) AS also,
    unnest(answer.found.releases) AS release
  FROM (
    SELECT
      synthpriv_phrases(
        synthetic_pages.pages,
        train_pages.pages,
        holdout_pages.pages,
        train_units.pages,
        holdout_pages.persons,
        {
          'phrase': CAST($phrase AS BIGINT),
          'counts': synthetic_pages.counts,
          'lacks': synthetic_pages.lacks,
          'names': synthetic_pages.names,
          'columns': [each(compared, this_name)],
          'weights': [each(compared, this_weight)],
          'threads': current_setting('threads')
        }
      ) AS found
    FROM released_keys(synthetic := synthetic) AS synthetic_pages
    CROSS JOIN key_pages(train) AS train_pages
    CROSS JOIN unit_pages(train) AS train_units
    CROSS JOIN holdout_pages
  ) AS answer
) AS hits
