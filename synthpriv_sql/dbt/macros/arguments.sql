{#
  What stands between the parentheses of synthpriv.NAME(…).

  tables: relations, names, files or queries in parentheses, in the order of the function.
  options: a dictionary of options; what is none is left out. releases is a list of tables, as those of tables.
#}
{% macro arguments(tables, options) %}
  {%- set written = [] -%}
  {%- for table in tables -%}
    {%- do written.append(synthpriv.literal(synthpriv.table(table))) -%}
  {%- endfor -%}
  {%- for name, value in options.items() if value is not none -%}
    {%- set given = synthpriv.tables(value) if name == 'releases' else value -%}
    {%- do written.append(name ~ ' := ' ~ synthpriv.literal(given)) -%}
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

{# Tables as the functions take them: a list, in which one may stand alone. #}
{% macro tables(relations) %}
  {%- set found = [] -%}
  {%- for relation in ([relations] if relations is string or relations is not sequence else relations) -%}
    {%- do found.append(synthpriv.table(relation)) -%}
  {%- endfor -%}
  {{ return(found) }}
{% endmacro %}

{# The options of a test, with the releases that it has been given, if there are any. #}
{% macro with_releases(options, releases) %}
  {{ return(dict(options, releases=releases) if releases else options) }}
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
