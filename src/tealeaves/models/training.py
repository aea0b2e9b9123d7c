"""Training one model on one corpus."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tealeaves.errors import InputError
from tealeaves.files import check_writable
from tealeaves.jobs import Job, check_resume_options, processors, progress_bar
from tealeaves.models.model import Advance, Model
from tealeaves.models.model import model as parse_model
from tealeaves.models.polylingual.job import read_result, run_training
from tealeaves.models.polylingual.model import PolylingualModel
from tealeaves.models.polylingual.texts import PolylingualTexts, read_tuples
from tealeaves.models.polylingual.training import (
    CHECKPOINT_SECONDS,
    TrainingOptions,
    TrainingProgress,
)
from tealeaves.models.texts import TrainingTexts, as_corpus, default_tokens, read_texts
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline, Tokens, pipelines_of
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.expressions import Value
    from tealeaves.text.corpus import Corpus, Text

    TrainingCorpus = Corpus | PairedCorpus | str | os.PathLike[str] | Iterable[Text]
    OnNote = Callable[[str], None]
    OnSweep = Callable[[TrainingProgress], None]

_STOP_WORDS_STAY = '; stop words stay: leave them out with --tokens "words(stopwords=en)"'


def train(
    model: str | Model,
    corpus: TrainingCorpus,
    *,
    tokens: Tokens = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    restart: bool = False,
    checkpoint: float = CHECKPOINT_SECONDS,
    threads: int | None = None,
    progress: bool = False,
    on_sweep: OnSweep | None = None,
    on_note: OnNote | None = None,
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
        The token pipeline; by default words without the stop words of the texts' language, if the
        texts name it. For paired texts one pipeline for all languages, or a mapping from
        languages; by default words, or ICU for languages without spaces.
    output
        The file that the topics are saved to: ``.topics`` or ``.json``. While ``pltm`` is trained,
        ``output.partial`` keeps its state; SIGINT and SIGTERM save it before they interrupt.
    resume, restart
        ``pltm``: go on with an unfinished training, or begin anew. A training that is complete is
        not done again: its topics are read.
    checkpoint
        ``pltm``: seconds between two saves of the state.
    threads
        ``pltm``: threads that sample, by default one per processor. They do not change the topics.
    progress
        Show a progress bar on standard error.
    on_sweep
        ``pltm``: called after each sweep with its :class:`TrainingProgress`.
    on_note
        Called with each note: which tokens were chosen, log-likelihoods, what was saved.
    changes
        Parameters of the model, as in ``k=20``.

    >>> texts = ["cat dog cat", "dog cat", "soup bread", "bread soup bread"]
    >>> topics = train("nmf", texts, k=2)
    >>> sorted(sorted(topic.words[:2]) for topic in topics.topics)
    [['bread', 'soup'], ['cat', 'dog']]
    >>> topics.family, topics.model
    ('nmf(k=2)', 'nmf-2-1')
    """
    topic_model = parse_model(model, **changes)
    topic_model.check()
    path = None if output is None else Path(output)
    if path is not None:
        _check_output(path)
    note = on_note or (lambda _: None)
    if isinstance(topic_model, PolylingualModel):
        job = _training_job(path, resume=resume, restart=restart)
        tuples = read_polylingual_texts(topic_model, corpus, tokens, note)
        complete = read_result(job, topic_model, tuples) if job else None
        if complete is not None:
            note(f"{path} is complete already")
            return complete
        check_sizes(topic_model, tuples)
        with _sweep_bar(topic_model, on_sweep, shown=progress) as show_sweep:
            options = TrainingOptions(
                threads or processors(), checkpoint=checkpoint, on_sweep=show_sweep
            )
            topics = run_training(job, topic_model, tuples, options, note)
    else:
        _refuse_pltm_options(
            topic_model,
            resume=resume,
            restart=restart,
            checkpoint=checkpoint != CHECKPOINT_SECONDS,
            threads=threads is not None,
            on_sweep=on_sweep is not None,
        )
        texts, _ = _read_one_language(topic_model, corpus, tokens, note)
        with _bar(topic_model, shown=progress) as advance:
            topics = fit(topic_model, texts, advance)
        if path is not None:
            topics.save(path)
    if path is not None:
        what = "tuples" if isinstance(topics, MultilingualTopics) else "texts"
        note(f"{path}: {topic_model!r} of {topics.documents} {what}")
    return topics


def fit(model: Model, texts: TrainingTexts, advance: Advance = lambda *_: None) -> Topics:
    """Train on texts that are read already; the model limits their vocabulary."""
    limits = model.settings
    limited = texts.limited(min_df=limits.min_df, max_df=limits.max_df)
    check_sizes(model, limited)
    topics = model.fit(limited, advance)
    return replace(
        topics,
        language=texts.language,
        family=model.family,
        document_ids=texts.document_ids,
        tokens=texts.tokens,
    )


# ------------------------------------------------------------------ reading


def choose_tokens(
    corpus: Corpus, tokens: str | Pipeline | None, note: Callable[[str], None]
) -> Pipeline:
    """Return the pipeline that is given, or else that of the texts' language, with a note."""
    if tokens is not None:
        return Pipeline.parse(tokens)
    default = default_tokens(corpus)
    note(f"--tokens {default!r}{_STOP_WORDS_STAY if default == 'words' else ''}")
    return Pipeline.parse(default)


def _read_one_language(
    model: Model, corpus: TrainingCorpus, tokens: Tokens, note: Callable[[str], None]
) -> tuple[TrainingTexts, Pipeline]:
    if isinstance(corpus, PairedCorpus):
        raise InputError(
            f"{model.name} is of one language: pltm takes texts in several; or train {model.name} "
            f"on one side, paired.side({corpus.languages[0]!r})"
        )
    if isinstance(tokens, Mapping):
        raise InputError("tokens for each language are for paired texts: give one pipeline")
    texts = as_corpus(corpus)
    pipeline = choose_tokens(texts, tokens, note)
    return read_texts(texts, pipeline), pipeline


def read_polylingual_texts(
    model: PolylingualModel,
    corpus: TrainingCorpus,
    tokens: Tokens = None,
    note: Callable[[str], None] = lambda _: None,
) -> PolylingualTexts:
    """Read what a polylingual model is trained on; the model limits the vocabularies."""
    if isinstance(corpus, PairedCorpus):
        texts = read_tuples(corpus, pipelines_of(corpus.languages, tokens))
    else:
        plain, pipeline = _read_one_language(model, corpus, tokens, note)
        texts = PolylingualTexts.of_one_language(plain, pipeline.signature)
    limits = model.settings
    return texts.limited(min_df=limits.min_df, max_df=limits.max_df)


# ------------------------------------------------------------------ checks


def _check_output(path: Path) -> None:
    if path.suffix.lower() not in (".topics", ".json"):
        raise InputError(f"{path}: topics are saved as .topics or .json")
    check_writable(path)


def _training_job(path: Path | None, *, resume: bool, restart: bool) -> Job | None:
    """Return the job that saves the topics in a file, None without a file."""
    if path is not None:
        return Job(path, "training", resume=resume, restart=restart)
    check_resume_options(resume=resume, restart=restart)
    if resume or restart:
        raise InputError("resume and restart need the output file of the training")
    return None


def _refuse_pltm_options(model: Model, **options: bool) -> None:
    for name, is_given in options.items():
        if is_given:
            raise InputError(f"{name} is for pltm, not for {model.name}")


def check_sizes(model: Model, texts: TrainingTexts | PolylingualTexts) -> None:
    """Refuse more topics than there are texts with words, or words of a language."""
    if isinstance(texts, PolylingualTexts):
        filled = texts.lengths.sum(axis=1) > 0
        sides = zip(texts.languages, texts.vocabularies, strict=True)
        of_languages = len(texts.languages) > 1
        words = {f"words of {name}" if of_languages else "words": len(own) for name, own in sides}
    else:
        filled, words = texts.lengths > 0, {"words": len(texts.vocabulary)}
    k = getattr(model.settings, "k", 1)
    for what, size in {"texts with words": int(filled.sum()), **words}.items():
        if k > size:
            raise InputError(f"{model!r}: more topics than {what}: {texts.name} has {size}")


# ------------------------------------------------------------------ progress bars


@contextmanager
def _bar(model: Model, *, shown: bool) -> Iterator[Advance]:
    if not shown:
        yield lambda *_: None
        return
    with progress_bar(None, f"training {model!r}") as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield advance


@contextmanager
def _sweep_bar(model: Model, on_sweep: OnSweep | None, *, shown: bool) -> Iterator[OnSweep]:
    """Show sweeps and the log-likelihood per token; ``on_sweep`` is called too."""
    if not shown:
        yield on_sweep or (lambda _: None)
        return
    with progress_bar(None, model.name, unit="sweep") as bar:

        def show_sweep(progress: TrainingProgress) -> None:
            bar.total = progress.total
            if not math.isnan(progress.log_likelihood):  # the first sweeps have none
                text = f"log-likelihood {progress.log_likelihood:.3f}"
                bar.set_postfix_str(text, refresh=False)
            bar.update(progress.sweeps - bar.n)
            if on_sweep is not None:
                on_sweep(progress)

        yield show_sweep
