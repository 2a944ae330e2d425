-- The records of the leaky table that can be released: neither copies, nor closer to train than real records are.
SELECT *
FROM synthpriv.safe(
  '{{ ref("synthetic_leaky") }}',
  '{{ ref("customers_train") }}',
  holdout := '{{ ref("customers_holdout") }}',
  key := 'customer_id'
)
