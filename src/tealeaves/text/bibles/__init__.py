"""Bibles: books, verses, their numberings, and the formats that Bibles are written in."""
