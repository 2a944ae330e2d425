{#
  The verdict on all numbers of `evaluate` together, as the page and the gate have it, is no graver than `level`: good,
  none (nothing can be said), watch, bad. Fails with the verdict. With releases, it is that on all
  of them together.
#}
{% test verdict_at_most(model, train, holdout=none, level='good', releases=[], options={}) %}
{%- set levels = ['good', 'none', 'watch', 'bad'] -%}
{%- if level not in levels -%}
  {{ exceptions.raise_compiler_error('verdict_at_most: level "' ~ level ~ '" is not one of ' ~ levels | join(', ')) }}
{%- endif -%}
WITH numbers AS (
  SELECT *, row_number() OVER () AS place
  FROM synthpriv.evaluate({{ synthpriv.arguments(
    [model, train, holdout], synthpriv.with_releases(options, releases)
  ) }})
),
judged AS (
  SELECT synthpriv_verdict(list(numbers ORDER BY place)) AS verdict
  FROM numbers
)
SELECT verdict.level, verdict.headline, verdict.sentence
FROM judged
WHERE list_position({{ synthpriv.literal(levels) }}, verdict.level) > {{ levels.index(level) + 1 }}
{% endtest %}
