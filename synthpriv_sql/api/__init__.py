"""What Python users call: sessions, their methods, and opening a database."""
