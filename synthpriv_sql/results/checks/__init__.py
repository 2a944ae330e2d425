"""What is held against results: cautions, the numbers that conditions may name, and an earlier run."""
