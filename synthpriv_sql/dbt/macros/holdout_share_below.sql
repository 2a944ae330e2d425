{#
  The records of the model are not closer to train than to a holdout more often than is due. Fails with the row of
  `holdout_share` where its `share` of all records is so large or larger; without a `share`, with the rows (all records,
  near ones, copies) where it is above what is expected where nothing leaks, with a p-value below 0.01 / 3.
#}
{% test holdout_share_below(model, train, holdout, share=none, options={}) %}
SELECT *
FROM synthpriv.holdout_share({{ synthpriv.arguments([model, train, holdout], options) }})
WHERE
{%- if share is none %} share > expected AND p_value < 0.01 / 3
{%- else %} depth = 'all' AND share >= {{ synthpriv.literal(share) }}
{%- endif %}
{% endtest %}
