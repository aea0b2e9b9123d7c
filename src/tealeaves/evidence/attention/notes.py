"""What a user should know before a classifier reads texts: its tokens and its language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from tealeaves.errors import InputError
from tealeaves.evidence.sources import choose_pipeline
from tealeaves.text.corpus import Corpus
from tealeaves.text.languages import language_code
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

_FIRST_TEXTS = 200  # texts whose language is looked at


def token_notes(
    models: Sequence[Topics], pipeline: Pipeline, tokens: str | Pipeline | None, fitted: str
) -> list[str]:
    """Say that texts are read with other tokens than the classifier or the models know.

    Parameters
    ----------
    models, pipeline
        The models that are scored, and the tokens that texts are read with.
    tokens
        The tokens that the user asked for, None if the user asked for none.
    fitted
        The tokens that the classifier was fitted with, empty if it does not say.
    """
    if not fitted:
        return []
    if tokens is not None:
        if _are_the_same(lambda: Pipeline.stored(fitted, "the classifier"), pipeline):
            return []
        return [f"the classifier was fitted with the tokens {fitted}, and now reads {pipeline!r}"]
    if _are_the_same(lambda: choose_pipeline(models, None), pipeline):
        return []
    note = f"the texts are read with the tokens of the classifier, {fitted}"
    stated = dict.fromkeys(model.tokens for model in models if model.tokens)
    others = [other for other in stated if other != repr(pipeline)]
    if others:
        note += f", not with those that models were made with, {others[0]}"
    return [f"{note} (--tokens names others)"]


def _are_the_same(stored: Callable[[], Pipeline], pipeline: Pipeline) -> bool:
    """Tell whether tokens that a file has are those of a pipeline; not if they need other files."""
    try:
        return stored().signature == pipeline.signature
    except InputError:
        return False


def language_notes(
    corpus: Corpus, models: Sequence[Topics], language: str, *, remedy: str
) -> list[str]:
    """Say that texts or models are in another language than the encoder was made for.

    Parameters
    ----------
    corpus, models
        What may state a language; of a corpus, only the first texts are looked at.
    language
        The language of the encoder, empty if it is not known.
    remedy
        The option that names another encoder.
    """
    if not language:
        return []
    stated = {
        "texts": (document.language for document in islice(corpus, _FIRST_TEXTS)),
        "models": (model.language for model in models),
    }
    for what, languages in stated.items():
        codes = {language_code(name) for name in languages if name} - {"", language}
        if codes:
            listed = ", ".join(sorted(codes))
            return [f"minilm was made for {language}, but the {what} say {listed}: {remedy}"]
    return []
