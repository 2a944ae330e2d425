/*
summary = "The weight of a point in composite Simpson's rule over equally spaced points, in steps of the grid."
part = true

[parameters]
place = { type = "expression", doc = "the point, from 0" }
points = { type = "expression", doc = "the number of points" }
*/
-- No text on MDA names a rule; that of SciPy before 1.11 (simpson with even = 'avg') gives the published figures. An
-- even number of points takes the mean of two rules: Simpson on all but the last interval and a trapezoid there, and
-- the same from the other end. Both are sums of weights, so the mean is one weight.
SELECT
  CASE
    WHEN points = 1 THEN 0.0
    WHEN points = 2 THEN 0.5
    WHEN points % 2 = 1 THEN
      CASE WHEN place = 0 OR place = points - 1 THEN 1.0 WHEN place % 2 = 1 THEN 4.0 ELSE 2.0 END / 3
    ELSE (
      CASE
        WHEN place = points - 1 THEN 0.0
        WHEN place = 0 OR place = points - 2 THEN 1.0
        WHEN place % 2 = 1 THEN 4.0
        ELSE 2.0
      END / 3
      + CASE WHEN place >= points - 2 THEN 0.5 ELSE 0.0 END
      + CASE
        WHEN place = 0 THEN 0.0
        WHEN place = 1 OR place = points - 1 THEN 1.0
        WHEN place % 2 = 0 THEN 4.0
        ELSE 2.0
      END / 3
      + CASE WHEN place <= 1 THEN 0.5 ELSE 0.0 END
    ) / 2
  END
