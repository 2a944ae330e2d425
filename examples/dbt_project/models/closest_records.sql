-- How close every synthetic record comes to a real one, and to which.
SELECT *
FROM synthpriv.dcr(
  '{{ ref("synthetic_careful") }}',
  '{{ ref("customers_train") }}',
  key := 'customer_id'
)
