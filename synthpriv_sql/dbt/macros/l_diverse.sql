{#
  Each class of the quasi-identifiers has at least l different values of every sensitive column; with `entropy`, values as
  diverse as l equally frequent ones. Fails with the row of `anonymity` of each column that has fewer.
#}
{% test l_diverse(model, quasi_identifiers, sensitive, l=2, entropy=false) %}
SELECT *
FROM synthpriv.anonymity({{ synthpriv.arguments([model], {'quasi_identifiers': quasi_identifiers, 'sensitive': sensitive}) }})
WHERE {{ 'entropy_l' if entropy else 'distinct_l' }} < {{ synthpriv.literal(l) }}
{% endtest %}
