"""Encoded tables: the pages in which SQL passes rows, and the arrays that kernels take."""
