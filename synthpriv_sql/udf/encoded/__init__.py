"""Encoded tables: the pages in which SQL hands over rows, and the arrays that kernels take."""
