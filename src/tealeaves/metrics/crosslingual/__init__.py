"""Metrics of topics in several languages, and these topics side by side."""
