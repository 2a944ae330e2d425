-- What can go out of the leaky table: the records that are neither copies nor closer to train than real ones are.
SELECT *
FROM synthpriv.safe(
  '{{ ref("synthetic_leaky") }}',
  '{{ ref("customers_train") }}',
  holdout := '{{ ref("customers_holdout") }}',
  key := 'customer_id'
)
