-- Real customers that the synthesizer was trained on.
{{ population(1, 1000, 400) }}
