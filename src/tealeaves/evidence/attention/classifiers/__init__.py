"""Classifiers: an encoder with a head, how it is opened, and the folder that it is saved in."""
