"""Metrics of the vectors that an embedding gives to the words of topics."""
