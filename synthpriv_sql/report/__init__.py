"""The report page: one HTML file that works offline, for whoever has to decide whether a table may be given away."""
