"""How alike topics are: by their ranked words, or by their distributions over words."""
