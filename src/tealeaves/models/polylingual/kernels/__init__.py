"""The loops of the polylingual topic model, as machine code."""
