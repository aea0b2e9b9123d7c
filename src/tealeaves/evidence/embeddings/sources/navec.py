"""Navec: vectors of Russian words from news."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from tealeaves.evidence.embeddings.sources.lookup import VERSION, Lookup
from tealeaves.evidence.embeddings.sources.weights import fingerprint_of_files, package_file
from tealeaves.extras import require

_PROCEDURE = "е for ё 1"
_NO_WORDS = ("<unk>", "<pad>")


class NavecNews(Lookup):
    """navec_news_v1: 250,000 words of a thousand million, from the files of natasha.

    natasha itself is not imported. A word with ё that is not there is looked up with е, as most
    texts write it.
    """

    name = "navec"

    @cached_property
    def fingerprint(self) -> str:
        """Of the file of the package."""
        return fingerprint_of_files([_archive()], _PROCEDURE, VERSION)

    def find(self, word: str) -> Any:
        """Return the vector of exactly this word, or with е for ё."""
        for form in (word, word.replace("ё", "е").replace("Ё", "Е")):
            if form in self._vectors and form not in _NO_WORDS:
                return self._vectors[form]
        return None

    @cached_property
    def _vectors(self) -> Any:
        navec = require("navec", extra="ru", reason="the embedding navec")
        return navec.Navec.load(str(_archive()))


def _archive() -> Path:
    file = "navec_news_v1_1B_250K_300d_100q.tar"
    return package_file("natasha", "data", "emb", file, extra="ru")
