"""What an editor or a terminal shows, as plain data in editor's terms."""
