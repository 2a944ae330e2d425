/*
summary = "The scores of the model for each secret, as those of an attack of this name: larger where synthetic finds the truth likelier than other people do."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
tolerance = { type = "number", default = 0.05, doc = "as in attribute_inference" }
*/
SELECT names.secret AS attack, 0 AS fold, found.side, found.record, found.score
FROM learned_secrets(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance) AS found
JOIN (SELECT this_position AS position, this_name AS secret FROM each_column(secrets)) AS names
  ON names.position = found.position
