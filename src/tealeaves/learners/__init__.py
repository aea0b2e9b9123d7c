"""Learners: models kept as JSON, their fitting, and how their predictions are explained."""
