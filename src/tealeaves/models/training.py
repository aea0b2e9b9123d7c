"""Training one model on one corpus."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.jobs import processors
from tealeaves.models.base import Advance, Model
from tealeaves.models.polylingual.model import PolylingualModel
from tealeaves.models.polylingual.reading import read_paired
from tealeaves.models.polylingual.texts import PolylingualTexts
from tealeaves.models.polylingual.training import Progress, Running
from tealeaves.models.registry import model as parsed
from tealeaves.models.texts import TrainingTexts, default_tokens, read_texts
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline, Tokens, pipelines_of
from tealeaves.topics.topics import Topics


def train(
    model: str | Model,
    corpus: Corpus | PairedCorpus | str | os.PathLike[str] | Iterable[Text],
    *,
    tokens: Tokens = None,
    progress: bool = False,
    threads: int | None = None,
    partial: str | os.PathLike[str] | None = None,
    told: Callable[[Progress], None] | None = None,
    **changes: Value,
) -> Topics:
    """Train a model and return its topics with φ, θ and, where it has them, token assignments.

    Parameters
    ----------
    model
        An expression such as ``"lda(k=20, iterations=500)"``.
    corpus
        The texts: a corpus, a path, or texts in memory. A :class:`PairedCorpus` is for ``pltm``,
        which then returns :class:`MultilingualTopics`.
    tokens
        The token pipeline; by default words without the stop words of the texts' language, where
        they say it. Of paired texts one for all languages or a mapping from languages; by default
        words, or ICU for languages without spaces.
    progress
        Show a bar on standard error.
    threads
        Threads of ``pltm``, by default one for each processor; they do not change the topics.
    partial
        A file in which ``pltm`` keeps what is done, every half minute. If it is there, the
        training goes on with it. It stays until it is removed.
    told
        Called after each sweep of ``pltm`` with its :class:`Progress`, log-likelihoods included.
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
    if isinstance(chosen, PolylingualModel):
        texts = read_tuples(chosen, corpus, tokens)
        running = Running(
            threads=threads or processors(), partial=None if partial is None else Path(partial)
        )
        with sweep_bar(chosen, told, shown=progress) as tell:
            return fit_tuples(chosen, texts, replace(running, told=tell))
    for name, given in {"threads": threads, "partial": partial, "told": told}.items():
        if given is not None:
            raise InputError(f"{name} is for pltm, not for {chosen.name}")
    return _train_plain(chosen, corpus, tokens, progress=progress)


def _train_plain(chosen: Model, corpus: Any, tokens: Tokens, *, progress: bool) -> Topics:
    if isinstance(corpus, PairedCorpus):
        raise InputError(
            f"{chosen.name} is of one language: train pltm on paired texts, or {chosen.name} on "
            f"one side, paired.side({corpus.languages[0]!r})"
        )
    texts = _read(corpus, tokens)[0]
    if not progress:
        return fit(chosen, texts)
    from tqdm.auto import tqdm

    with tqdm(desc=f"training {chosen!r}", disable=None) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        return fit(chosen, texts, advance)


def _read(corpus: Any, tokens: Tokens) -> tuple[TrainingTexts, Pipeline]:
    """Read texts of one language; what is said of the tokens is said of all of them."""
    if isinstance(tokens, Mapping):
        raise InputError("tokens for each language are for paired texts: give one pipeline")
    opened = as_corpus(corpus)
    pipeline = Pipeline.parse(default_tokens(opened) if tokens is None else tokens)
    return read_texts(opened, pipeline), pipeline


def read_tuples(model: PolylingualModel, corpus: Any, tokens: Tokens = None) -> PolylingualTexts:
    """Read what a polylingual model is trained on, with the words that its limits leave."""
    if isinstance(corpus, PairedCorpus):
        texts = read_paired(corpus, pipelines_of(corpus.languages, tokens))
    else:
        plain, pipeline = _read(corpus, tokens)
        texts = PolylingualTexts.of_one_language(plain, pipeline.signature)
    limits = model.settings
    return texts.limited(min_df=limits.min_df, max_df=limits.max_df)


def fit_tuples(model: PolylingualModel, texts: PolylingualTexts, running: Running) -> Topics:
    """Train a polylingual model on texts at hand, whose vocabulary is limited already."""
    sizes = {"texts with words": int((texts.lengths.sum(axis=1) > 0).sum())}
    for language, words in zip(texts.languages, texts.vocabularies, strict=True):
        sizes[f"words of {language}" if len(texts.languages) > 1 else "words"] = len(words)
    _check_sizes(model, sizes, texts.name)
    return model.fit_tuples(texts, running)


@contextmanager
def sweep_bar(
    model: Model, told: Callable[[Progress], None] | None = None, *, shown: bool
) -> Iterator[Callable[[Progress], None]]:
    """Show how far the sweeps are, and the log-likelihood a token; then tell ``told`` too."""
    if not shown:
        yield told or (lambda _: None)
        return
    from tqdm.auto import tqdm

    with tqdm(desc=model.name, unit="sweep", disable=None) as bar:

        def tell(progress: Progress) -> None:
            bar.total = progress.total
            if not math.isnan(progress.log_likelihood):  # of the first sweeps it is not known
                said = f"log-likelihood {progress.log_likelihood:.3f}"
                bar.set_postfix_str(said, refresh=False)
            bar.update(progress.sweeps - bar.n)
            if told is not None:
                told(progress)

        yield tell


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
    sizes = {"texts with words": int((texts.lengths > 0).sum()), "words": len(texts.vocabulary)}
    _check_sizes(model, sizes, texts.name)


def _check_sizes(model: Model, sizes: Mapping[str, int], name: str) -> None:
    wanted = getattr(model.settings, "k", 1)
    for what, size in sizes.items():
        if wanted > size:
            raise InputError(f"{model!r}: more topics than {what}: {name} has {size}")


def as_corpus(corpus: Any) -> Corpus:
    """Open what is a path, and take texts in memory for a corpus."""
    if isinstance(corpus, Corpus):
        return corpus
    if isinstance(corpus, PairedCorpus):
        raise InputError("one language is asked for, not paired texts: give one side of them")
    if isinstance(corpus, str) or hasattr(corpus, "__fspath__"):
        return Corpus.open(corpus)
    return Corpus.of(corpus)
