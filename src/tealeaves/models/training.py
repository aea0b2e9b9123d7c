"""Training one model on one corpus."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.evidence.sources import open_corpus
from tealeaves.files import check_replaceable
from tealeaves.jobs import Advance, Job, check_resume_options, progress_bar
from tealeaves.models.model import Model
from tealeaves.models.model import model as parse_model
from tealeaves.models.polylingual.model import PolylingualModel
from tealeaves.models.polylingual.training import (
    CHECKPOINT_SECONDS,
    TrainingOptions,
    TrainingProgress,
)
from tealeaves.models.texts import TrainingTexts, default_tokens, read_texts, read_tuples
from tealeaves.system import processors
from tealeaves.text.languages import language_code
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline, Tokens, pipelines_of
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tqdm import tqdm

    from tealeaves.expressions import Value
    from tealeaves.text.corpus import Corpus, Text

    TrainingCorpus = Corpus | PairedCorpus | str | os.PathLike[str] | Iterable[Text]
    OnNote = Callable[[str], None]
    OnSweep = Callable[[TrainingProgress], None]


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
        languages; by default words with stop words, or ICU for languages without spaces.
    output
        The file that the topics are saved to: ``.topics`` or ``.json``. While ``pltm`` is trained,
        ``output.partial`` keeps its state; SIGINT and SIGTERM save it before they interrupt.
    resume
        ``pltm``: continue an unfinished training. If it is complete, its topics are read.
    restart
        ``pltm``: start again.
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
        texts = training_texts(topic_model, corpus, tokens, note)
        if job and job.may_be_complete:
            complete = _read_result(job.output, topic_model, texts)
            note(f"{path} is complete already")
            return complete
        if tokens is None and isinstance(corpus, PairedCorpus):
            note(_note_on_stop_words(topic_model, texts))
        with progress_bar(None, topic_model.name, shown=progress, unit="sweep") as bar:

            def show_sweep(state: TrainingProgress) -> None:
                _show_sweep(bar, state)
                if on_sweep is not None:
                    on_sweep(state)

            options = TrainingOptions(
                threads or processors(), checkpoint=checkpoint, on_sweep=show_sweep
            )
            topics = _sample_topics(topic_model, texts, options, job, note)
    else:
        _refuse_pltm_options(
            topic_model,
            resume=resume,
            restart=restart,
            checkpoint=checkpoint != CHECKPOINT_SECONDS,
            threads=threads is not None,
            on_sweep=on_sweep is not None,
        )
        texts = training_texts(topic_model, corpus, tokens, note)
        with progress_bar(None, f"training {topic_model!r}", shown=progress) as bar:
            topics = fit(topic_model, texts, partial(_advance, bar))
        if path is not None:
            topics.save(path)
    if path is not None:
        what = "tuples" if isinstance(topics, MultilingualTopics) else "texts"
        note(f"{path}: {topic_model!r} of {topics.documents} {what}")
    return topics


def fit(model: Model, texts: TrainingTexts, advance: Advance = lambda *_: None) -> Topics:
    """Train on texts in one language that are read already, and whose vocabulary is limited."""
    return replace(
        model.fit(texts, advance),
        language=texts.languages[0],
        family=model.family,
        document_ids=texts.ids or None,
        tokens=texts.tokens[0],
    )


def _sample_topics(
    model: PolylingualModel,
    texts: TrainingTexts,
    options: TrainingOptions,
    job: Job | None,
    note: OnNote,
) -> Topics:
    """Train and return the topics; a job saves them, and its partial file keeps the state."""
    if job is None:
        best = model.sample(texts, options)
        topics = model.topics(texts, best)
    else:
        with job.run() as stop:
            best = model.sample(texts, replace(options, partial=job.partial, stop=stop))
            topics = model.topics(texts, best)
            topics.save(job.output)
    values = ", ".join(f"{trace[-1]:.4f}" for trace in best.traces)
    if len(best.traces) == 1:
        note(f"log-likelihood {values} per token")
    else:
        seed = model.settings.seed + best.number
        note(f"log-likelihoods {values} per token: the chain of seed {seed} is kept")
    return topics


def _read_result(path: Path, model: PolylingualModel, texts: TrainingTexts) -> Topics:
    topics = read_topics(path)
    if not model.has_trained(topics, texts):
        raise InputError(f"{path} holds other topics: --restart replaces them")
    return topics


# ------------------------------------------------------------------ texts


def training_texts(
    model: Model, corpus: TrainingCorpus, tokens: Tokens = None, note: OnNote = lambda _: None
) -> TrainingTexts:
    """Read what a model is trained on, with the vocabulary that the model sets limits to."""
    if isinstance(corpus, PairedCorpus):
        if not isinstance(model, PolylingualModel):
            raise InputError(
                f"{model.name} takes texts in one language: train pltm, or give the texts of one "
                f"language, as in --corpus {corpus.languages[0]}.jsonl (in Python "
                f"paired.side({corpus.languages[0]!r}))"
            )
        return limit_vocabulary(model, read_tuples(corpus, pipelines_of(corpus.languages, tokens)))
    if isinstance(tokens, Mapping):
        raise InputError("tokens for each language are for paired texts: give one pipeline")
    corpus = open_corpus(corpus)
    return limit_vocabulary(model, read_texts(corpus, choose_tokens(corpus, tokens, note)))


def choose_tokens(corpus: Corpus, tokens: str | Pipeline | None, note: OnNote) -> Pipeline:
    """Return the pipeline that is given, or else that of the texts' language, with a note."""
    if tokens is not None:
        return Pipeline.parse(tokens)
    default = default_tokens(corpus)
    if default == "words":
        note('stop words stay in the texts: leave them out with --tokens "words(stopwords=en)"')
    else:
        note(f'stop words are left out, as with --tokens "{default}"')
    return Pipeline.parse(default)


def _note_on_stop_words(model: Model, texts: TrainingTexts) -> str:
    """Say that the default tokens of paired texts keep stop words, and how they are left out."""
    language, pipeline = texts.languages[0], Pipeline.parse(texts.tokens[0])
    tokens = msgspec.structs.replace(pipeline, stopwords=language_code(language) or language)
    limit = model.settings.max_df
    frequent = f", except words in more than {limit:.0%} of the texts (max_df)" if limit < 1 else ""
    return (
        f"stop words stay in the texts{frequent}: leave them out with --tokens for each language, "
        f'as in --tokens "{language}={tokens!r}"'
    )


def limit_vocabulary(model: Model, texts: TrainingTexts) -> TrainingTexts:
    """Return the texts with the words that a model is trained on, checked."""
    limited = texts.limited(min_df=model.settings.min_df, max_df=model.settings.max_df)
    check_sizes(model, limited)
    return limited


def check_sizes(model: Model, texts: TrainingTexts) -> None:
    """Refuse more topics than there are texts with words, or words of a language."""
    sizes = {"texts with words": int((texts.lengths > 0).sum())}
    for language, vocabulary in zip(texts.languages, texts.vocabularies, strict=True):
        what = f"words of {language}" if len(texts.languages) > 1 else "words"
        sizes[what] = len(vocabulary)
    for what, size in sizes.items():
        if getattr(model.settings, "k", 1) > size:
            raise InputError(f"{model!r}: more topics than {what}: {texts.name} has {size}")


# ------------------------------------------------------------------ checks of options


def _check_output(path: Path) -> None:
    if path.suffix.lower() not in (".topics", ".json"):
        raise InputError(f"{path}: topics are saved as .topics or .json")
    check_replaceable(path, read_topics, "topics")


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


# ------------------------------------------------------------------ progress bars


def _advance(bar: tqdm[Any], done: int, total: int) -> None:
    bar.total = total
    bar.update(done - bar.n)


def _show_sweep(bar: tqdm[Any], progress: TrainingProgress) -> None:
    """Show sweeps and the log-likelihood per token."""
    if not math.isnan(progress.log_likelihood):  # the first sweeps have none
        bar.set_postfix_str(f"log-likelihood {progress.log_likelihood:.3f}", refresh=False)
    _advance(bar, progress.sweeps, progress.total)
