"""Declarations in the headers of sql/ (functions, parameters, options), and checks of arguments against them."""
