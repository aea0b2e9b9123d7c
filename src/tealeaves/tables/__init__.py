"""Results as text (rows, tables, numbers, formats), and tables that are read (rows, columns)."""
