"""The command line: a command for each function of the catalog."""
