"""The Python functions that SQL calls: Arrow arguments, results and error messages around the kernels."""
