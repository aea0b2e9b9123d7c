"""Where vectors come from, one source a module."""
