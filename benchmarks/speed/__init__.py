"""How fast tealeaves is, beside other packages: ``make bench``."""
