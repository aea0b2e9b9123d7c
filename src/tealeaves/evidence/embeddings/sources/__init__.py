"""The sources of vectors: packages, files, models of Hugging Face, and objects in memory."""
