{#
  The records of the model are not closer to train than to a holdout more often than is due. Fails with the row of
  `holdout_share` where it is `share` or more; without a `share`, where the lower end of its interval is above what is
  expected where nothing leaks.
#}
{% test holdout_share_below(model, train, holdout, share=none, options={}) %}
SELECT *
FROM synthpriv.holdout_share({{ synthpriv.arguments([model, train, holdout], options) }})
WHERE
{%- if share is none %} lower > expected
{%- else %} share >= {{ synthpriv.literal(share) }}
{%- endif %}
{% endtest %}
