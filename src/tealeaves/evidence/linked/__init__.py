"""Evidence of texts that are linked across languages."""
