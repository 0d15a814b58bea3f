"""The project around a file: its modules, interpreter and settings."""
