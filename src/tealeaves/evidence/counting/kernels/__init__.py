"""Kernels: the loops over bytes, tokens and events (see :mod:`tealeaves.kernels`)."""
