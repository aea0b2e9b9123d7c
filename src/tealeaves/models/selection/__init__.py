"""Choosing among models: a grid of them is trained, scored and compared."""
