"""The polylingual topic model: texts in several languages that share their topics."""
