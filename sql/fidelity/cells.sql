/*
summary = "The number of records of each table in each cell of the marginals of one, two or three columns."
part = true

[parameters]
codes = { type = "relation", doc = "all tables in one, with values replaced by integers from 1 (see coded); below 512 for triples" }
of = { type = "integer", default = 1, doc = "number of columns of a marginal" }
*/
-- One pass: a record has one key per set of columns, composed of the set and the codes of its columns, with 9 bits each
-- for sets of four (which cover all triples), otherwise 18.
WITH keys AS (
  SELECT
    synthetic,
    train,
    holdout,
    unnest(CAST([
      each(sets(compared, $of),
        this_set * 68719476736 + CASE
          WHEN $of = 3 THEN ((this_first * 512 + this_second) * 512 + this_third) * 512 + this_fourth
          ELSE this_first * 262144 + this_second
        END
      )
    ] AS BIGINT[])) AS number
  FROM codes
),
counted AS (
  SELECT number, sum(synthetic) AS synthetic, sum(train) AS train, sum(holdout) AS holdout
  FROM keys
  GROUP BY number
),
parted AS (
  SELECT
    CAST(number // 18014398509481984 AS BIGINT) AS first,
    CAST(number // 35184372088832 % 512 AS BIGINT) AS second,
    CAST(number // 68719476736 % 512 AS BIGINT) AS third,
    CASE WHEN $of = 3 THEN number // 134217728 % 512 ELSE number // 262144 % 262144 END AS first_code,
    CASE WHEN $of = 3 THEN number // 262144 % 512 ELSE number % 262144 END AS second_code,
    CASE WHEN $of = 3 THEN number // 512 % 512 ELSE 0 END AS third_code,
    CASE WHEN $of = 3 THEN number % 512 ELSE 0 END AS fourth_code,
    synthetic,
    train,
    holdout
  FROM counted
),
sets AS (
  SELECT first, second, third, xor(xor(first, second), third) AS fourth,
    first_code, second_code, third_code, fourth_code, synthetic, train, holdout
  FROM parted
),
-- All triples of the four columns of a set.
chosen AS (
  SELECT first, second, third, first_code, second_code, third_code, synthetic, train, holdout
  FROM sets

  UNION ALL

  SELECT first, second, fourth, first_code, second_code, fourth_code, synthetic, train, holdout
  FROM sets
  WHERE $of = 3 AND fourth_code > 0

  UNION ALL

  SELECT first, third, fourth, first_code, third_code, fourth_code, synthetic, train, holdout
  FROM sets
  WHERE $of = 3 AND fourth_code > 0

  UNION ALL

  SELECT second, third, fourth, second_code, third_code, fourth_code, synthetic, train, holdout
  FROM sets
  WHERE $of = 3 AND fourth_code > 0
)
SELECT
  first,
  second,
  third,
  first_code,
  second_code,
  third_code,
  sum(synthetic) AS synthetic,
  sum(train) AS train,
  sum(holdout) AS holdout
FROM chosen
GROUP BY first, second, third, first_code, second_code, third_code
