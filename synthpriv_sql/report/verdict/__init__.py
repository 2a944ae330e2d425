"""The verdict: the questions it answers, the evidence, and its words."""
