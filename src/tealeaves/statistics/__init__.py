"""Statistics on arrays: coefficients, resampling, intervals and tests."""
