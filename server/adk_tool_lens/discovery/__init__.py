"""Finds agents and their tools in the text of Python files."""
