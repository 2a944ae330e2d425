"""The functions that SQL calls: Arrow and messages around the kernels."""
