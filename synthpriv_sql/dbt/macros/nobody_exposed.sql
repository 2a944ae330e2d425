{#
  Nobody of train can be named as having been in it, by what the model says. Fails with the records that can, by number
  (and key, where the options name one) and without their values. With releases, by what the model says together with
  those before it; whom these name alone, no model can protect.
#}
{% test nobody_exposed(model, train, holdout, releases=[], options={}) %}
{%- set before = synthpriv.tables(releases) -%}
{%- set person = 'person' if options.get('unit') else 'record' -%}
SELECT * EXCLUDE (agreeing)
FROM synthpriv.exposure({{ synthpriv.arguments([model, train, holdout], synthpriv.with_releases(options, before)) }})
WHERE exposed
{%- if before %}
  AND {{ person }} NOT IN (
    SELECT {{ person }}
    FROM synthpriv.exposure({{ synthpriv.arguments(
      [before[0], train, holdout], synthpriv.with_releases(options, before[1:])
    ) }})
    WHERE exposed
  )
{%- endif %}
{% endtest %}
