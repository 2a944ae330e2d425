SET python_enable_replacements = false
