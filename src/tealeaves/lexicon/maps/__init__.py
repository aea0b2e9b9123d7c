"""Semantic maps: tokens that many languages express alike lie near each other."""
