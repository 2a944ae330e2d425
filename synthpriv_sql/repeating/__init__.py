"""Repeated training of a synthesizer: on many splits of the data, or with and without one person."""
