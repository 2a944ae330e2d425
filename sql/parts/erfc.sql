/*
summary = "The complementary error function, to 13 significant digits: twice the probability that a standard normal variable is at least x * sqrt(2)."
source = "Rational approximations on three intervals: Cody, Mathematics of Computation 23 (1969)."
part = true

[parameters]
x = { type = "expression", doc = "a number" }
*/
-- Written out, since few databases have the function. Beyond 26.5 the result is subnormal.
SELECT
  CASE
    WHEN abs(x) <= 0.46875 THEN
      1 - x * (
        (((0.185777706184603153 * (x * x) + 3.1611237438705656) * (x * x) + 113.864154151050156) * (x * x)
        + 377.485237685302021) * (x * x) + 3209.37758913846947
      ) / (
        ((((x * x) + 23.6012909523441209) * (x * x) + 244.024637934444173) * (x * x)
        + 1282.61652607737228) * (x * x) + 2844.23683343917062
      )
    WHEN x >= 26.5 THEN 0.0
    WHEN x <= -26.5 THEN 2.0
    ELSE
      (1 - sign(x)) + sign(x) * exp(-x * x) * CASE
        WHEN abs(x) <= 4 THEN
          (
            (((((((2.15311535474403846e-8 * abs(x) + 0.564188496988670089) * abs(x)
            + 8.88314979438837594) * abs(x) + 66.1191906371416295) * abs(x) + 298.635138197400131) * abs(x)
            + 881.952221241769090) * abs(x) + 1712.04761263407058) * abs(x) + 2051.07837782607147) * abs(x)
            + 1230.33935479799725
          ) / (
            (((((((abs(x) + 15.7449261107098347) * abs(x) + 117.693950891312499) * abs(x)
            + 537.181101862009858) * abs(x) + 1621.38957456669019) * abs(x) + 3290.79923573345963) * abs(x)
            + 4362.61909014324716) * abs(x) + 3439.36767414372164) * abs(x) + 1230.33935480374942
          )
        ELSE
          (
            0.564189583547756287 - (
              ((((0.0163153871373020978 / (x * x) + 0.305326634961232344) / (x * x)
              + 0.360344899949804439) / (x * x) + 0.125781726111229246) / (x * x)
              + 0.0160837851487422766) / (x * x) + 0.000658749161529837803
            ) / (
              ((((1 / (x * x) + 2.56852019228982242) / (x * x) + 1.87295284992346725) / (x * x)
              + 0.527905102951428412) / (x * x) + 0.0605183413124413191) / (x * x) + 0.00233520497626869185
            ) / (x * x)
          ) / abs(x)
      END
  END
