"""What the metrics of word vectors share."""
