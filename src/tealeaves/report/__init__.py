"""What is shown: charts of what was computed."""
