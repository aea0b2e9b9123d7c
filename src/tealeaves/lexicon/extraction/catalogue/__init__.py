"""The models, one in each module."""
