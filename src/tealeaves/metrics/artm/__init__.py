"""What the literature of additive regularisation (ARTM) measures of topics' distributions."""
