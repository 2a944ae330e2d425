/*
summary = "One row that is true, or an error about the first table with too few records, whichever search starts first."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
apart = { type = "boolean", default = false, doc = "each real record needs another one in its table" }
synthetic_apart = { type = "boolean", default = false, doc = "each synthetic record does" }
*/
SELECT none_lacks(message) AS is_enough
FROM (
  SELECT
    coalesce(
      (SELECT message FROM shortage(reference := synthetic, exclude_self := $synthetic_apart)),
      (SELECT message FROM shortage(reference := train, exclude_self := $apart)),
      CASE
        WHEN $holdout IS NULL THEN NULL
        ELSE (SELECT message FROM shortage(reference := holdout, exclude_self := $apart))
      END
    ) AS message
) AS first_message
