"""Training one model on one corpus."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.models.base import Advance, Model
from tealeaves.models.registry import model as parsed
from tealeaves.models.texts import TrainingTexts, default_tokens, read_texts
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics


def train(
    model: str | Model,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text],
    *,
    tokens: str | Pipeline | None = None,
    progress: bool = False,
    **changes: Value,
) -> Topics:
    """Train a model and return its topics with φ, θ and, where it has them, token assignments.

    Parameters
    ----------
    model
        An expression such as ``"lda(k=20, iterations=500)"``.
    corpus
        The texts: a corpus, a path, or texts in memory.
    tokens
        The token pipeline; by default words without the stop words of the texts' language, where
        they say it.
    progress
        Show a bar on standard error.
    changes
        Parameters of the model, as in ``k=20``.

    >>> texts = ["cat dog cat", "dog cat", "soup bread", "bread soup bread"]
    >>> topics = train("nmf", texts, k=2)
    >>> sorted(sorted(topic.words[:2]) for topic in topics.topics)
    [['bread', 'soup'], ['cat', 'dog']]
    >>> topics.family, topics.model
    ('nmf(k=2)', 'nmf-2-1')
    """
    chosen = parsed(model)(**changes)
    chosen.check()
    opened = as_corpus(corpus)
    pipeline = Pipeline.parse(default_tokens(opened) if tokens is None else tokens)
    texts = read_texts(opened, pipeline)
    if not progress:
        return fit(chosen, texts)
    from tqdm.auto import tqdm

    with tqdm(desc=f"training {chosen!r}", disable=None) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        return fit(chosen, texts, advance)


def fit(model: Model, texts: TrainingTexts, advance: Advance = lambda *_: None) -> Topics:
    """Train on texts at hand, whose vocabulary the model limits."""
    limits = model.settings
    limited = texts.limited(min_df=limits.min_df, max_df=limits.max_df)
    check_size(model, limited)
    topics = model.fit(limited, advance)
    return replace(
        topics,
        language=texts.language,
        family=model.family,
        document_ids=texts.document_ids,
        tokens=texts.tokens,
    )


def check_size(model: Model, texts: TrainingTexts) -> None:
    """Refuse more topics than there are texts or words."""
    wanted = getattr(model.settings, "k", 1)
    sizes = {"texts with words": int((texts.lengths > 0).sum()), "words": len(texts.vocabulary)}
    for what, size in sizes.items():
        if wanted > size:
            raise InputError(f"{model!r}: more topics than {what}: {texts.name} has {size}")


def as_corpus(corpus: Any) -> Corpus:
    """Open what is a path, and take texts in memory for a corpus."""
    if isinstance(corpus, Corpus):
        return corpus
    if isinstance(corpus, str) or hasattr(corpus, "__fspath__"):
        return Corpus.open(corpus)
    return Corpus.of(corpus)
