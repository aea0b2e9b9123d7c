"""Extraction models, one in each module."""
