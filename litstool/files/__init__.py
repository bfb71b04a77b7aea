"""Text, YAML and JSON, read with the place of everything, and files written whole or not at all."""
