/*
summary = "What equivalence classes give away of sensitive columns: k-anonymity, l-diversity, alpha, t-closeness, beta-likeness and delta-disclosure."
source = "Sweeney 2002; Machanavajjhala et al., TKDD 1 (2007); Wong et al., KDD 2006; Li et al., ICDE 2007; Brickell and Shmatikov, KDD 2008; Cao and Karras, PVLDB 5 (2012)."
groups = ["sensitive", "quasi_identifiers"]
order = ["position"]
few = true

[parameters]
data = { type = "relation", doc = "the table" }
quasi_identifiers = { type = "names", doc = "the columns that together may single somebody out" }
sensitive = { type = "names", optional = true, doc = "the columns that nobody should learn of a person; without them, classes alone" }
l = { type = "integer", default = 2, minimum = 1, doc = "the l of recursive_c" }

[columns]
column_name = "VARCHAR, the sensitive column; NULL without one, as all after k"
rows = "BIGINT"
classes = "BIGINT, equivalence classes; NULL is a value like any other"
uniques = "BIGINT, classes of one record"
k = "BIGINT, the smallest class; NULL without rows"
distinct_l = "BIGINT, the fewest different values in a class"
entropy_l = "DOUBLE, the least exp(entropy) of a class: how many equally frequent values would be as diverse"
recursive_c = "DOUBLE, the largest share of a class's most frequent value over all values from the l-th most frequent on; infinite where a class has fewer than l"
alpha = "DOUBLE, the largest share of one value in a class"
t_equal = "DOUBLE, the largest distance of a class to the table, half the sum of differences of shares"
t_ordered = "DOUBLE, the same as earth mover's distance over the ranks of values, missing ones last; numbers and times only"
beta = "DOUBLE, the largest relative gain: share in the class over share in the table, less 1"
enhanced_beta = "DOUBLE, beta, and no more than -ln of the rarest value's share"
delta = "DOUBLE, the largest |ln| of share in the class over share in the table"
*/
WITH sizes AS (
  SELECT size
  FROM classes(data := data)
),
totals AS (
  SELECT
    CAST(coalesce(sum(size), 0) AS BIGINT) AS "rows",
    count(*) AS classes,
    count(*) FILTER (WHERE size = 1) AS uniques,
    min(size) AS k
  FROM sizes
)
SELECT
  found.position,
  found.column_name,
  totals."rows",
  totals.classes,
  totals.uniques,
  totals.k,
  found.distinct_l,
  found.entropy_l,
  found.recursive_c,
  found.alpha,
  found.t_equal,
  found.t_ordered,
  found.beta,
  found.enhanced_beta,
  found.delta
FROM totals
CROSS JOIN sensitive_columns(data := data, l := $l) AS found
WHERE $sensitive IS NOT NULL

UNION ALL

SELECT
  0 AS position,
  CAST(NULL AS VARCHAR) AS column_name,
  "rows",
  classes,
  uniques,
  k,
  CAST(NULL AS BIGINT) AS distinct_l,
  CAST(NULL AS DOUBLE) AS entropy_l,
  CAST(NULL AS DOUBLE) AS recursive_c,
  CAST(NULL AS DOUBLE) AS alpha,
  CAST(NULL AS DOUBLE) AS t_equal,
  CAST(NULL AS DOUBLE) AS t_ordered,
  CAST(NULL AS DOUBLE) AS beta,
  CAST(NULL AS DOUBLE) AS enhanced_beta,
  CAST(NULL AS DOUBLE) AS delta
FROM totals
WHERE $sensitive IS NULL
