"""The building blocks of charts: ``tealeaves.report.charts`` says which one draws what."""
