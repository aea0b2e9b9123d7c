"""Word alignment: our own aligner, those of others, and how two directions become one."""
