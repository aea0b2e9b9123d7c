"""Counting: how the texts of a corpus become counts.

A corpus is read in blocks (:mod:`.blocks`). In each block, the requested tokens are found (*hits*,
:mod:`.hits`), then the terms that are made of them (*events*, :mod:`.events`), and each request
adds up its events (:mod:`.counters`). ``count_corpus`` (:mod:`.corpus`) does all this in several
threads. The loops over bytes, tokens and events are in :mod:`.kernels`.
"""
