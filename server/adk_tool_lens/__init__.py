"""Shows what the model is told about Google ADK tools, while they are written.

For Google ADK, not by Google.
"""

__version__ = "0.1.0"
