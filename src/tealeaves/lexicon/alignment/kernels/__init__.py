"""Loops of the own aligner that become machine code."""
