"""The loops over bytes and tokens. They keep no state, raise nothing, and release the GIL."""
