"""Bibles: books, verses, numberings of verses, and the formats that Bibles are written in."""
