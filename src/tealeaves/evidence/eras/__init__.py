"""Evidence of years: since when words have been in use."""

from tealeaves.evidence.eras.deriving import derive_years, years_of_texts
from tealeaves.evidence.eras.eras import Eras

__all__ = ["Eras", "derive_years", "years_of_texts"]
