"""What a call gives back: its rows, how they are shown, written and held to conditions."""
