"""From a tool to google-adk's own declaration of it, made in a child process."""
