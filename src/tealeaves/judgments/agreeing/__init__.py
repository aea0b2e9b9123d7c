"""Do people agree: α, κ, the human ceiling, reliability, precision, and signs of carelessness."""
