"""Metrics that look at single texts: their words and topics token by token, or their labels."""
