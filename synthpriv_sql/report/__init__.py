"""The report page: one HTML file that works offline, for those who decide whether a table may be released."""
