{#
  No record of the model equals a record of train. Fails with the records that do, by number (and key, where the
  options name one) and without their values, which are those of real people.
#}
{% test no_copies(model, train, options={}) %}
SELECT *
FROM synthpriv.copies({{ synthpriv.arguments([model, train], options) }})
WHERE copies > 0
{% endtest %}
