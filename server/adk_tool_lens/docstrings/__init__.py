"""Reads and rewrites docstrings, keeping their style and every byte that is not edited."""
