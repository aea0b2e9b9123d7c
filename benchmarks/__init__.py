"""Measurements of speed, and the studies behind the documentation: ``python -m benchmarks``."""
