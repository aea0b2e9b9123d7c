"""Training: how classifiers are fitted to texts."""
