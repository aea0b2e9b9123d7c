"""Results as text: tidy rows, tables, numbers and formats; and columns of tables that are read."""
