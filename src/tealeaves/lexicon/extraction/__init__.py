"""Models that say how each token of a seed is expressed."""
