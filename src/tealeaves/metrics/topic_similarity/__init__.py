"""How similar topics are to each other: by their ranked words, or by p(w|t)."""
