"""Features: what is known of a topic without a rich reference."""
