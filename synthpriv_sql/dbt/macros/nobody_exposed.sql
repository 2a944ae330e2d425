{#
  Nobody of train can be named as having been in it, by what the model says. Fails with the records that can, by number
  (and key, where the options name one) and without their values.
#}
{% test nobody_exposed(model, train, holdout, options={}) %}
SELECT * EXCLUDE (agreeing)
FROM synthpriv.exposure({{ synthpriv.arguments([model, train, holdout], options) }})
WHERE exposed
{% endtest %}
