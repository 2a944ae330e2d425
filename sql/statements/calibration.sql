SELECT count(DISTINCT placed.category) AS categories, sum(placed.place * counts.records) AS places
FROM (
  SELECT *, row_number() OVER (PARTITION BY category ORDER BY number) AS place
  FROM (SELECT range * 7919 % 1009 AS category, range * 104729 % 99991 AS number FROM range(150_000))
) AS placed
JOIN (
  SELECT range * 7919 % 1009 AS category, count(*) AS records
  FROM range(150_000)
  GROUP BY category
) AS counts ON counts.category = placed.category
