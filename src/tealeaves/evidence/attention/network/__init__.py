"""A transformer that is followed: forward once, and back by several rules."""
