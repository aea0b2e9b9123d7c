"""The inner loops of the polylingual topic model, compiled to machine code."""
