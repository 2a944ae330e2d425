SELECT current_setting('enable_progress_bar')
