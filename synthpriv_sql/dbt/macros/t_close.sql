{#
  The values of each sensitive column are spread in every class of the quasi-identifiers as in the table, up to a distance
  of t: ordered for numbers and times, equal for categories. Fails with the row of `anonymity` of each column beyond it.
#}
{% test t_close(model, quasi_identifiers, sensitive, t=0.2) %}
SELECT *
FROM synthpriv.anonymity({{ synthpriv.arguments([model], {'quasi_identifiers': quasi_identifiers, 'sensitive': sensitive}) }})
WHERE coalesce(t_ordered, t_equal) > {{ synthpriv.literal(t) }}
{% endtest %}
