/*
summary = "Pearson's correlation of two numbers; NULL where one of them is constant."
part = true

[parameters]
x = { type = "expression", doc = "a number from -1 to 1, about 0" }
y = { type = "expression", doc = "another, of the same records" }
*/
SELECT
  CASE
    WHEN max(x) > min(x) AND max(y) > min(y)
    THEN greatest(-1.0, least(1.0,
      (count(x) * exact_sum(x * y) - exact_sum(x) * exact_sum(y))
      / sqrt(
        (count(x) * exact_sum(x * x) - exact_sum(x) * exact_sum(x))
        * (count(x) * exact_sum(y * y) - exact_sum(y) * exact_sum(y))
      )
    ))
  END
