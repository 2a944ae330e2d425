"""The search for nearest neighbors: its index, the ways it can be made, and which of them is taken."""
