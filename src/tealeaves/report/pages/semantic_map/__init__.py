"""The page of a semantic map: the map, tokens by languages, expressions, a concordance."""
