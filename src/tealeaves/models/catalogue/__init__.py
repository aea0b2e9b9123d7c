"""The models: every instance of ``Model`` in a module here is registered."""
