"""The catalogue: one module a rule, discovered, named after the fault it finds."""
