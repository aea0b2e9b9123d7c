"""The inner loops of the polylingual topic model; in C they are in ``src/native/sampling.c``."""
