"""Fuzz: valid files of every format, changed at random, must be read or refused in one line."""
