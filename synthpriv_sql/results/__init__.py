"""Results of calls: their rows, how they are displayed, written and checked against conditions."""
