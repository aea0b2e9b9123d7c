"""How far extracted expressions are from annotated ones."""
