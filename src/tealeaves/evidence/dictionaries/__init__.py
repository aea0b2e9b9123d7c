"""Evidence of dictionaries: which words translate which."""

from tealeaves.evidence.dictionaries.dictionaries import Dictionaries
from tealeaves.evidence.dictionaries.request import DictionaryRequest

__all__ = ["Dictionaries", "DictionaryRequest"]
