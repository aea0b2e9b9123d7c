"""The page of a report: sections with charts, tables and cards, in one file."""
