{#
  What stands between the parentheses of synthpriv.NAME(…).

  tables: relations, names, files or queries in parentheses, in the order of the function.
  options: a dictionary of options; what is none is left out.
#}
{% macro arguments(tables, options) %}
  {%- set written = [] -%}
  {%- for table in tables -%}
    {%- do written.append(synthpriv.literal(synthpriv.table(table))) -%}
  {%- endfor -%}
  {%- for name, value in options.items() if value is not none -%}
    {%- do written.append(name ~ ' := ' ~ synthpriv.literal(value)) -%}
  {%- endfor -%}
  {{- written | join(', ') -}}
{% endmacro %}

{# A table as the functions take it. Under `where`, dbt gives a query in parentheses and an alias, which goes. #}
{% macro table(relation) %}
  {%- set text = relation | string | trim -%}
  {%- if relation is none -%}
    {{ return(none) }}
  {%- elif text.startswith('(') -%}
    {{ return(text[: text.rfind(')') + 1]) }}
  {%- else -%}
    {{ return(text) }}
  {%- endif -%}
{% endmacro %}

{# A value of YAML as DuckDB writes it. #}
{% macro literal(value) %}
  {%- set items = [] -%}
  {%- if value is none -%}
    {{ return('NULL') }}
  {%- elif value is boolean or value is number -%}
    {{ return(value | string | lower) }}
  {%- elif value is string -%}
    {{ return("'" ~ value | replace("'", "''") ~ "'") }}
  {%- elif value is mapping -%}
    {%- for name, item in value.items() -%}
      {%- do items.append(synthpriv.literal(name) ~ ': ' ~ synthpriv.literal(item)) -%}
    {%- endfor -%}
    {{ return('{' ~ items | join(', ') ~ '}') }}
  {%- else -%}
    {%- for item in value -%}
      {%- do items.append(synthpriv.literal(item)) -%}
    {%- endfor -%}
    {{ return('[' ~ items | join(', ') ~ ']') }}
  {%- endif -%}
{% endmacro %}
