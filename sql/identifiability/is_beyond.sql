/*
summary = "Whether two numbers differ by more than a share of a range: 1 if so; 0 if not, or if they are equal or both missing."
part = true

[parameters]
number = { type = "expression", doc = "a number" }
other = { type = "expression", doc = "another; missing if the first is" }
reach = { type = "expression", doc = "the range" }
tolerance = { type = "expression", doc = "the share" }
*/
SELECT
  CASE
    WHEN number = other THEN 0.0
    WHEN reach > 0 AND abs(number - other) / reach <= tolerance THEN 0.0
    WHEN number IS NULL THEN 0.0
    ELSE 1.0
  END
