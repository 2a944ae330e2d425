/*
summary = "The same rows with p_value: the chance of a share so much larger than the usual one, or more so, where both are draws of one population."
source = "Score test of two proportions, pooled, with Yates' correction for continuity; one-sided."
part = true

[parameters]
found = { type = "relation", doc = "rows of share, n, usual (the share it is compared with), usual_n, and whatever else" }
*/
-- The score has a name, for erfc says its argument twenty times. Where all or none of both are counted nothing is told.
WITH scored AS (
  SELECT
    *,
    (share - usual - 0.5 * (1.0 / nullif(n, 0) + 1.0 / nullif(usual_n, 0))) / sqrt(nullif(
      2 * (share * n + usual * usual_n) / (n + usual_n) * (1 - (share * n + usual * usual_n) / (n + usual_n))
      * (1.0 / nullif(n, 0) + 1.0 / nullif(usual_n, 0)), 0
    )) AS score
  FROM found
)
SELECT
  *,
  CASE
    WHEN share IS NULL OR usual IS NULL THEN NULL
    WHEN share * n + usual * usual_n <= 0 OR share * n + usual * usual_n >= n + usual_n THEN 1.0
    ELSE 0.5 * erfc(score)
  END AS p_value
FROM scored
