"""Progress of a running call: a bar for interactive use, or lines of a log."""
