"""The edits behind code actions: one module a kind of repair."""
