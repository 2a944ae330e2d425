SET python_enable_replacements = true
