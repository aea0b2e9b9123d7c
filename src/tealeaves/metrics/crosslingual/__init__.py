"""Metrics of topics in several languages, and what they have in common."""
