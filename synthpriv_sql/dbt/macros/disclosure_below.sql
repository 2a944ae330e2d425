{#
  No more is disclosed of train than of people who were not in the training data. Fails with each row of `disclosure` whose
  excess over the holdout is `excess` or more; without an `excess`, where the lower end of its interval is above 0.
#}
{% test disclosure_below(model, train, holdout, quasi_identifiers, targets=none, excess=none,
    measures=['replicated_uniques', 'correct_disclosures'], bins=none) %}
SELECT *
FROM synthpriv.disclosure({{ synthpriv.arguments([model, train], {
    'quasi_identifiers': quasi_identifiers, 'targets': targets, 'holdout': synthpriv.table(holdout), 'bins': bins
}) }})
WHERE list_contains({{ synthpriv.literal(measures) }}, measure) AND
{%- if excess is none %} lower > 0
{%- else %} excess >= {{ synthpriv.literal(excess) }}
{%- endif %}
{% endtest %}
