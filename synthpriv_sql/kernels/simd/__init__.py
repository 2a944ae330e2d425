"""The instructions of the kernels: loops written as LLVM vectors, and products of whole numbers."""
