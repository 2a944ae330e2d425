{#
  No attack tells the records of train from those of the holdout better than `auc`. Fails with the rows of `membership`
  where the lower end of the interval of the area under the curve is above it; without an `auc`, above 0.5 beyond chance.
  With releases, the attacks have all of them.
#}
{% test membership_below(model, train, holdout, auc=none, releases=[], options={}) %}
SELECT DISTINCT attack, members, non_members, auc, auc_lower, auc_upper, p_adjusted
FROM synthpriv.membership({{ synthpriv.arguments(
  [model, train, holdout], synthpriv.with_releases(options, releases)
) }})
WHERE
{%- if auc is none %} p_adjusted < 0.01
{%- else %} auc_lower > {{ synthpriv.literal(auc) }}
{%- endif %}
{% endtest %}
