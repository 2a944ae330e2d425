/*
summary = "For every cell of train a uniform random number, and its replacement: a number, or the record whose value is taken."
part = true
run.materialized = true
options = ["seed", "forest"]
run.operator = "forests"
tables = ["train"]
*/
SELECT
  predicted.cells.record AS record,
  predicted.cells.draws AS draws,
  predicted.cells.numbers AS numbers,
  predicted.cells.donors AS donors
FROM (
  SELECT
    unnest(synthpriv_forest(
      train_pages.pages,
      {
        'columns': [each(compared, this_name)],
        'roles': [each(compared, this_role)],
        'relation': label(train),
        'seed': $seed,
        'out_of_bag': $out_of_bag,
        'noise': $noise,
        'trees': $trees,
        'sample': $sample,
        'threads': current_setting('threads')
      }
    )) AS cells
  FROM pages(train) AS train_pages
) AS predicted
