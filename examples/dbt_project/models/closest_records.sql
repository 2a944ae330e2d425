-- The closest real record of every synthetic record, and its distance.
SELECT *
FROM synthpriv.dcr(
  '{{ ref("synthetic_careful") }}',
  '{{ ref("customers_train") }}',
  key := 'customer_id'
)
