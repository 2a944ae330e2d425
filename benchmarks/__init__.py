"""The product beside its peers: ``python -m benchmarks --help``."""
