-- A synthesizer that copies half of the records of train, with new numbers.
SELECT * REPLACE (customer_id + 3000 AS customer_id)
FROM {{ ref("customers_train") }}
WHERE customer_id % 2 = 0
UNION ALL
(
  {{ population(4, 5000, 200) }}
)
