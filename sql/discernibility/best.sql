/*
summary = "The smallest sum of squared class sizes over partitions of n rows into classes of at least k: as many classes as possible, of sizes as equal as possible."
part = true

[parameters]
n = { type = "expression", doc = "rows" }
k = { type = "expression", doc = "smallest class allowed" }
*/
-- q = n // k classes, of which n % q have one row more than n // q; (a + 1)² = a² + 2a + 1.
SELECT
  CASE
    WHEN n = 0 THEN CAST(0 AS HUGEINT)
    WHEN n >= k THEN
      CAST(n // k AS HUGEINT) * (n // (n // k)) * (n // (n // k))
      + CAST(n % (n // k) AS HUGEINT) * (2 * (n // (n // k)) + 1)
  END
