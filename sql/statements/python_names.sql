SELECT current_setting('python_enable_replacements')
