"""What a report says: from what was found to sections of figures, tables and words."""
