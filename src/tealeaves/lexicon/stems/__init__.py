"""Stems of the forms that express one seed."""
