{# People of one distribution, with numbers after last_id; another seed gives other people. #}
{% macro population(seed, last_id, people) %}
SELECT
  {{ last_id }} + person AS customer_id,
  ['north', 'south', 'east', 'west'][1 + CAST(floor(4 * region) AS INTEGER)] AS region,
  18 + CAST(floor(60 * age) AS INTEGER) AS age,
  CAST(20000 + 30000 * age + 20000 * income AS DECIMAL(12, 2)) AS income
FROM (
  SELECT
    person,
    {{ uniform(seed, 1) }} AS region,
    {{ uniform(seed, 2) }} AS age,
    {{ uniform(seed, 3) }} AS income
  FROM range(1, {{ people }} + 1) AS numbers(person)
) AS draws
{% endmacro %}

{#
  A number between 0 and 1 that depends on the seed, the person and the draw: the finalizer of MurmurHash3 in integers,
  so that every version of DuckDB draws the same people.
#}
{% macro uniform(seed, draw) -%}
  {%- set bits = '(CAST(person * 2654435761 + ' ~ (seed * 3266489917 + draw * 2246822519) ~ ' AS UBIGINT) & 4294967295)' -%}
  ({{ scatter(scatter(bits, 16, 2246822507), 13, 3266489909) }} + 0.5) / 4294967296
{%- endmacro %}

{% macro scatter(bits, shift, factor) -%}
  ((xor({{ bits }}, {{ bits }} >> {{ shift }}) * {{ factor }}) & 4294967295)
{%- endmacro %}
