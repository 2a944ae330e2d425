-- Real customers that it never saw.
{{ population(2, 2000, 400) }}
