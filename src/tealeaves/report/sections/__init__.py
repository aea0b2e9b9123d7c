"""The sections of a report: functions from a run to figures, tables and sentences."""
