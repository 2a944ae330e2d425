"""Exact nearest neighbors of mixed tables: arrays in, arrays out."""

from synthpriv_sql.kernels.knn.index import Index, search
from synthpriv_sql.kernels.knn.lists import merge
from synthpriv_sql.kernels.layout import Columns, Distance, Neighbors
from synthpriv_sql.kernels.threads import SearchOptions

__all__ = ["Columns", "Distance", "Index", "Neighbors", "SearchOptions", "merge", "search"]
