{#
  At least k records are equal in all quasi-identifiers, for each combination there is. Fails with the smaller classes.
#}
{% test k_anonymous(model, quasi_identifiers, k=5) %}
{#- The column of class sizes, beside a quasi-identifier of that name. -#}
{%- set size = 'size_1' if 'size' in quasi_identifiers | map('lower') else 'size' -%}
SELECT *
FROM synthpriv.equivalence_classes({{ synthpriv.arguments([model], {'quasi_identifiers': quasi_identifiers}) }})
WHERE {{ size }} < {{ synthpriv.literal(k) }}
{% endtest %}
