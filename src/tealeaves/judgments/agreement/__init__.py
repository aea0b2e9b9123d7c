"""Agreement: how far people agree with each other."""
