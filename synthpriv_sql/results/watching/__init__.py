"""What a call tells while it runs: a bar where somebody watches, lines of a log where nobody does."""
