"""Forms: which words express the tokens of a seed, and which of them are forms of one word."""
