/*
summary = "What equivalence classes disclose about sensitive columns: k-anonymity, l-diversity, alpha, t-closeness, beta-likeness and delta-disclosure."
source = "Sweeney 2002; Machanavajjhala et al., TKDD 1 (2007); Wong et al., KDD 2006; Li et al., ICDE 2007; Brickell and Shmatikov, KDD 2008; Cao and Karras, PVLDB 5 (2012)."
reads.groups = ["sensitive", "quasi_identifiers"]
order = ["position"]
run.few = true
example = { data = "train", quasi_identifiers = ["city"], sensitive = ["n", "id"], l = 1 }

[parameters]
data = { type = "relation", doc = "the table" }
quasi_identifiers = { type = "names", doc = "the columns that together may identify a person" }
sensitive = { type = "names", optional = true, doc = "the columns whose values should stay confidential; without them, only the classes are measured" }
l = { type = "integer", default = 2, minimum = 1, doc = "the l of recursive_c" }

[columns]
column_name = "VARCHAR, the sensitive column; NULL without one, like all columns after k"
rows = "BIGINT"
classes = "BIGINT, number of equivalence classes; NULL counts as a value"
uniques = "BIGINT, classes of one record"
k = "BIGINT, the smallest class; NULL without rows"
distinct_l = "BIGINT, the smallest number of distinct values in a class"
entropy_l = "DOUBLE, the smallest exp(entropy) of a class: the number of equally frequent values with the same diversity"
recursive_c = "DOUBLE, the largest ratio, over classes, of the count of the most frequent value to the total count of the values from the l-th most frequent on; infinite if a class has fewer than l values"
alpha = "DOUBLE, the largest share of one value in a class"
t_equal = "DOUBLE, the largest total variation distance between a class and the table"
t_ordered = "DOUBLE, the same with the earth mover's distance over the ranks of values, missing ones last; numbers and times only"
beta = "DOUBLE, the largest relative gain: share in the class / share in the table - 1"
enhanced_beta = "DOUBLE, beta, limited to -ln of the share of the rarest value"
delta = "DOUBLE, the largest |ln(share in the class / share in the table)|"
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
