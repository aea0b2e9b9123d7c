"""Kernels: the loops over bytes, tokens and events.

They keep no state, raise nothing, and release the GIL.
"""
