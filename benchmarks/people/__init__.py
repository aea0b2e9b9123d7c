"""Every metric against people: ``docs/people-table.md``."""
