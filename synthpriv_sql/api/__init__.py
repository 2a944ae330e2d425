"""Python interface: sessions, their methods, and opening a database."""
