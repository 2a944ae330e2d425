{#
  The distances to the closest train record are as large as those of real records, by the bands of `comparison`.
  Fails with the row of the comparison where the band is lower than at_least (high, medium), or unknown.
#}
{% test dcr_band(model, train, holdout=none, at_least='medium', options={}) %}
{%- set bands = {'high': ['high'], 'medium': ['high', 'medium']} -%}
{%- if at_least not in bands -%}
  {{ exceptions.raise_compiler_error('dcr_band: at_least is "' ~ at_least ~ '", neither high nor medium') }}
{%- endif -%}
{%- set options = dict(options, holdout=synthpriv.table(holdout)) -%}
SELECT *
FROM synthpriv.comparison({{ synthpriv.arguments([model, train], options) }})
WHERE metric = 'dcr' AND (band IS NULL OR NOT list_contains({{ synthpriv.literal(bands[at_least]) }}, band))
{% endtest %}
