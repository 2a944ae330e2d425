"""Exact nearest neighbors of mixed tables: arrays in, arrays out."""

from synthpriv_sql.kernels.knn.index import Index, merge, search
from synthpriv_sql.kernels.layout import Columns, Distance

__all__ = ["Columns", "Distance", "Index", "merge", "search"]
