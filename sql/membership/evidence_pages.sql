/*
summary = "One row: synthetic and all real records as pages, and how their columns are compared; input of the features of learned."
options = ["distance"]
part = true
reads.compares = true
reads.vectors = true
tables = ["synthetic", "train"]

[columns]
synthetic = "BLOB[], pages of the synthetic records"
real = "BLOB[], pages of the real ones"
synthetic_keys = "BLOB[], the same with unrounded values"
real_keys = "BLOB[]"
columns = "VARCHAR[], the compared columns"
roles = "VARCHAR[], of each"
weights = "DOUBLE[], of each"
texts = "BOOLEAN[], of each, whether it is a text"
vectors = "VARCHAR, how vectors are compared"
threads = "BIGINT, of the database"
memory = "BIGINT, bytes that the database may use"
*/
SELECT
  synthetic_pages.pages AS synthetic,
  train_pages.pages AS real,
  synthetic_keys.pages AS synthetic_keys,
  train_keys.pages AS real_keys,
  [each(compared, this_name)] AS columns,
  [each(compared, this_role)] AS roles,
  [each(compared, this_weight)] AS weights,
  [each(compared, this_is_text)] AS texts,
  $vectors AS vectors,
  CAST(current_setting('threads') AS BIGINT) AS threads,
  parse_formatted_bytes(current_setting('memory_limit')) AS memory
FROM pages(synthetic) AS synthetic_pages
CROSS JOIN pages(train) AS train_pages
CROSS JOIN key_pages(synthetic) AS synthetic_keys
CROSS JOIN key_pages(train) AS train_keys
