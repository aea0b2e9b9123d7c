"""Learners: what makes a prediction of features, fitted here and saved as plain numbers."""
