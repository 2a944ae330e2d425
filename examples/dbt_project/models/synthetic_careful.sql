-- A synthesizer that draws new people from what it learned.
{{ population(3, 3000, 400) }}
