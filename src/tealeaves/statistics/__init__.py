"""Statistics on arrays: correlation, hypothesis tests, effect sizes, resampling and intervals."""
