/*
summary = "The best discernibility that n rows can have with classes of at least k, and the common formula for it."
source = "Sum of squared class sizes, Bayardo and Agrawal, ICDE 2005; the true minimum spreads the remainder over all classes."
gives.number = "best"
example = { n = 10, k = 7 }

[parameters]
n = { type = "integer", minimum = 0, counts = true, doc = "rows" }
k = { type = "integer", default = 1, minimum = 1, doc = "smallest class allowed; more than n rows is an error" }

[columns]
best = "HUGEINT, the smallest sum of squared class sizes; 0 for no rows"
documented = "HUGEINT, (n//k - R) k² + R (k+1)² with R = n % k: the true minimum only if R <= n//k"
*/
SELECT
  CASE
    WHEN given.n > 0 AND given.n < given.k THEN CAST(error(
      'OptionError: option "k" is ' || given.k || ', but n is ' || given.n
      || ': a class of at least k rows needs that many. Give a k of at most n.'
    ) AS HUGEINT)
    ELSE best(given.n, given.k)
  END AS best,
  CASE
    WHEN given.n > 0 AND given.n < given.k THEN NULL
    ELSE
      (given.n // given.k - given.n % given.k) * given.k * given.k
      + (given.n % given.k) * (given.k + 1) * (given.k + 1)
  END AS documented
FROM (SELECT CAST($n AS HUGEINT) AS n, CAST($k AS HUGEINT) AS k) AS given
