"""The attack by agreement: which synthetic record says most of a real one that it would not say of anybody.

Two steps, so that they may run on different machines: `Population` learns from the values of all real records what
agreeing in each of them is worth; `search` and `Index` look for the synthetic record with the most bits.
"""

from synthpriv_sql.neighbors.agreement.index import Index, agreeing, merge, own, search
from synthpriv_sql.neighbors.agreement.population import Population, Shares, Values, values_of
from synthpriv_sql.neighbors.agreement.scan import Found

__all__ = ["Found", "Index", "Population", "Shares", "Values", "agreeing", "merge", "own", "search", "values_of"]
