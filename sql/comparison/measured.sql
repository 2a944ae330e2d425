/*
summary = "DCR and the variants of NNDR of synthetic to train, holdout to train, and train within itself, one value per row."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
which = { type = "text", optional = true, doc = "as in nearness" }
k = { type = "integer", default = 5, doc = "as in nndr" }
partial = { type = "boolean", default = false, doc = "return no rows instead of an error if there are too few neighbors" }
partial_within = { type = "boolean", default = false, doc = "the same for train within itself" }
baseline_alone = { type = "boolean", default = false, doc = "with a holdout, leave out train within itself" }
*/
SELECT 'synthetic_train' AS comparison, metric, position, value
FROM nearness(queries := synthetic, train := train, which := $which, k := $k, partial := $partial)

UNION ALL

SELECT 'holdout_train' AS comparison, metric, position, value
FROM nearness(queries := holdout, train := train, which := $which, k := $k, partial := $partial)
WHERE $holdout IS NOT NULL

UNION ALL

SELECT 'train_train' AS comparison, metric, position, value
FROM nearness(
  queries := train, train := train, which := $which, k := $k, exclude_self := true, partial := $partial_within
)
WHERE $holdout IS NULL OR NOT $baseline_alone
