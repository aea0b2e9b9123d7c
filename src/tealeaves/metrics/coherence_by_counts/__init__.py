"""Coherence from counts of words: segmentation × probability × confirmation × aggregation.

After Röder, Both & Hinneburg (2015), "Exploring the space of topic coherence measures".
"""
