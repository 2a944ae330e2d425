{#
  No more records of the model are nearly copies of train records than chance explains: those that are nearer to train
  than 95 % of the holdout. Fails with the row of `evaluate` that has the excess over the holdout, where the lower end of
  its interval is above 0.
#}
{% test no_near_copies(model, train, holdout, options={}) %}
SELECT metric, statistic, value, lower, upper, meaning
FROM synthpriv.evaluate({{ synthpriv.arguments([model, train, holdout], options) }})
WHERE metric = 'near_copies' AND statistic = 'excess' AND lower > 0
{% endtest %}
