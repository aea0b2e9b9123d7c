"""Paired texts: documents that are linked across languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.text.paired.corpus import PairedCorpus
    from tealeaves.text.paired.links import LinkRule

__all__ = ["LinkRule", "PairedCorpus"]

__getattr__, __dir__ = lazy_names(__name__, {"corpus": ("PairedCorpus",), "links": ("LinkRule",)})
