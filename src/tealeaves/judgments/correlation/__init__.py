"""Correlation: how well metrics agree with people."""
