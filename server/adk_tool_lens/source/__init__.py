"""Text and positions: everything above speaks code-point offsets into a `SourceText`."""
