/*
summary = "The contribution, before weighting, of two different values or of a value and a missing one."
part = true

[parameters]
metric = { type = "expression", doc = "the distance" }
category_mismatch = { type = "expression", doc = "as the option of that name" }
*/
SELECT
  CASE metric
    WHEN 'euclidean' THEN category_mismatch * category_mismatch
    WHEN 'manhattan' THEN category_mismatch
    ELSE 1.0
  END
