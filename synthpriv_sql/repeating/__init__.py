"""Trains a synthesizer again and again: on many splits of the data, or with and without one person."""
