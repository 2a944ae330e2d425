/*
summary = "The scores of the model for each secret, as those of an attack of this name: larger where synthetic finds the truth likelier than other people do."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
tolerance = { type = "number", default = 0.05, doc = "as in attribute_inference" }
sure = { type = "boolean", default = false, doc = "how sure trees of synthetic are of the truth, instead" }
*/
SELECT names.secret AS attack, 0 AS fold, found.side, found.record, CASE WHEN $sure THEN found.sure ELSE found.score END AS score
FROM learned_secrets(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance) AS found
JOIN (SELECT this_position AS position, this_name AS secret FROM each_column(secrets)) AS names
  ON names.position = found.position
