-- Real customers whom the synthesizer saw.
{{ population(1, 1000, 400) }}
