"""``fit_classifier`` and ``fit_folder``: fit a classifier to the texts of a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.encoders import (
    EncoderSource,
    check_packages,
    open_encoder,
)
from tealeaves.evidence.attention.classifiers.folder import CHECKPOINTS, check_folder, saved_fit
from tealeaves.evidence.attention.classifiers.record import language_of
from tealeaves.evidence.attention.devices import device_of
from tealeaves.evidence.attention.notes import language_notes
from tealeaves.evidence.attention.training.checkpoints import (
    has_checkpoint,
    remove_checkpoints,
    unfinished_error,
)
from tealeaves.evidence.attention.training.examples import LabelSource, draw_texts, label_texts
from tealeaves.evidence.attention.training.finetuning import finetune
from tealeaves.evidence.attention.training.masked_words import fit_masked
from tealeaves.evidence.attention.training.probe import fit_probe
from tealeaves.evidence.attention.training.report import report_lines
from tealeaves.evidence.attention.training.settings import Features, FitOptions, settings_of
from tealeaves.evidence.sources import open_corpus
from tealeaves.jobs import check_resume_options, explain_interruption, stop_at_signals
from tealeaves.parameters import check_choice, check_keywords
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline

How = Literal["probe", "finetune", "mlm"]
_PROBE_BATCH = 32  # nothing is learnt in these batches: only speed counts


def fit_classifier(
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text],
    how: How = "probe",
    *,
    encoder: EncoderSource = None,
    tokens: str | Pipeline = "words",
    labels: LabelSource = "auto",
    clusters: int = 20,
    texts: int = 2000,
    pooling: Features | None = None,
    held_out: float = 0.1,
    seed: int = 0,
    preset: str | None = None,
    longest: int | None = None,
    batch: int | None = None,
    epochs: int | None = None,
    rate: float | None = None,
    patience: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    restart: bool = False,
    checkpoint: float = 300.0,
    stop: Callable[[], bool] = lambda: False,
    device: str | None = None,
    progress: bool = False,
) -> Classifier:
    """Fit a classifier to texts, as the token pipeline reads them.

    :func:`fit_folder` does the same, saves the classifier, and stops and resumes long trainings.

    Parameters
    ----------
    corpus
        The texts, with labels or without: a corpus, a path, or a list of texts.
    how
        ``probe`` puts a linear classifier on the encoder as it is, in minutes; ``finetune`` trains
        the encoder too; ``mlm`` trains it to predict masked words, for which no labels are needed.
    encoder
        None for the packaged MiniLM; a folder or a name of the hub; or a model with its tokenizer.
    tokens
        The token pipeline: its tokens are the words that the encoder reads.
    labels
        ``given`` by the corpus, ``clusters`` of the texts, or ``auto``: given ones if most texts
        have one.
    clusters
        How many clusters.
    texts
        How many texts are drawn at most, from all over the corpus.
    pooling
        What predicts classes: ``cls``, ``mean`` or ``pooler``; None is what is best for ``how``.
    held_out
        The share of texts on which the classifier is tested.
    seed
        Decides which texts are drawn and held out, and where training begins.
    preset
        Settings of the paper for ``finetune`` and ``mlm``: ``20ng``, ``lenta`` or ``amazon``.
    longest, batch, epochs, rate, patience
        Settings other than those of the preset: word pieces of a text, texts of a batch, rounds
        over all texts, learning rate, rounds without a better one after which training stops.
        A probe has only the first two.
    folder
        Where training keeps its checkpoints, in a folder of their own.
    resume
        Continue an unfinished training of the same in the folder; return a classifier of the same
        that is saved there already.
    restart
        Discard an unfinished training in the folder.
    checkpoint
        Seconds between two checkpoints of training.
    stop
        Called after each step; if it returns true, training ends with a checkpoint and
        KeyboardInterrupt.
    device
        ``cpu``, ``cuda`` or another name of torch; None takes a GPU if there is one.
    progress
        Show a progress bar.
    """
    check_choice("how", how, get_args(How))
    check_choice("pooling", pooling or "cls", get_args(Features))
    check_choice("labels", labels, get_args(LabelSource))
    learning: dict[str, Any] = {
        "preset": preset,
        "epochs": epochs,
        "rate": rate,
        "patience": patience,
    }
    _check_effect(how, learning, labels=labels, pooling=pooling)
    if how == "probe" or (how == "finetune" and labels != "given"):
        check_packages("sklearn")
    if batch is None and how == "probe":
        batch = _PROBE_BATCH
    settings = settings_of(seed=seed, longest=longest, batch=batch, **learning)
    options = FitOptions(
        pooling or ("mean" if how == "probe" else "cls"),
        held_out,
        None if folder is None else Path(folder).expanduser(),
        resume,
        restart,
        checkpoint,
        stop,
        device,
        progress,
    )
    pipeline = Pipeline.parse(tokens)
    if device is not None:  # an error before any work
        device_of(device)
    opened = open_encoder(encoder, masked=how == "mlm")
    drawn = draw_texts(open_corpus(corpus), pipeline, texts, seed=seed)
    if how == "mlm":
        return fit_masked(opened, drawn.words, settings, options, drawn.report)
    examples = label_texts(drawn, labels, clusters=clusters, seed=seed)
    return (fit_probe if how == "probe" else finetune)(opened, examples, settings, options)


def _check_effect(
    how: How, learning: dict[str, Any], *, labels: LabelSource, pooling: Features | None
) -> None:
    """Raise for arguments that would have no effect."""
    for name, value in learning.items():
        if how == "probe" and value is not None:
            raise InputError(f"{name} {value}: for finetune and mlm; a probe has no such setting")
    if how == "mlm" and (labels != "auto" or pooling is not None):
        raise InputError("mlm has no classes: it takes neither labels nor pooling")


@dataclass(frozen=True)
class ClassifierFolder:
    """A folder with a classifier, and whether it was complete before."""

    path: Path
    classifier: Classifier
    was_complete: bool = False

    def __str__(self) -> str:
        lines = [f"  {line}" for line in report_lines(self.classifier.report)]
        return "\n".join([f"{self.path}: {self.classifier.name}", *lines])


def fit_folder(
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text],
    folder: str | os.PathLike[str],
    how: How = "probe",
    *,
    encoder: EncoderSource = None,
    resume: bool = False,
    restart: bool = False,
    checkpoint: float = 300.0,
    on_note: Callable[[str], None] | None = None,
    **options: Any,
) -> ClassifierFolder:
    """Fit a classifier to texts, and save it in a folder.

    While it trains, ``FOLDER/checkpoints`` holds what is done. Ctrl-C and SIGTERM save it, and a
    later call with ``resume`` continues it. A probe takes little time and has no checkpoints.

    Parameters
    ----------
    corpus, how, encoder, options
        As in :func:`fit_classifier`.
    folder
        The folder of the classifier.
    resume
        Continue an unfinished training of the same texts and settings.
    restart
        Start again, and replace what is in the folder.
    checkpoint
        Seconds between two checkpoints of training.
    on_note
        Called with what a user should know before the texts are read.
    """
    check_keywords(fit_folder, options, fit_classifier)
    check_resume_options(resume=resume, restart=restart)
    corpus = open_corpus(corpus)
    path = check_folder(folder)
    checkpoints = path / CHECKPOINTS
    if has_checkpoint(checkpoints) and not restart:
        if how == "probe":
            raise InputError(
                f"{checkpoints}: an unfinished training: a probe with --restart replaces it; or "
                "name another folder"
            )
        if not resume:
            raise unfinished_error(checkpoints)
    before = saved_fit(path)
    if before is not None and not (resume or restart):
        raise InputError(f"{path} holds a classifier already: --restart replaces it")

    def saved() -> str:
        return f"{checkpoints} holds what is done" if has_checkpoint(checkpoints) else ""

    # Ctrl-C ends a probe at once
    signals = nullcontext() if how == "probe" else stop_at_signals()
    with explain_interruption(saved), signals as stop:
        language = language_of(encoder)
        for note in language_notes(corpus, [], language, remedy="--encoder names another"):
            if on_note:
                on_note(note)
        classifier = fit_classifier(
            corpus,
            how,
            encoder=encoder,
            folder=path,
            resume=resume,
            restart=restart,
            checkpoint=checkpoint,
            stop=stop or (lambda: False),
            **options,
        )
        was_complete = resume and before == classifier.report["fit"]
        if not was_complete:
            classifier.save(path)
        remove_checkpoints(checkpoints)
    return ClassifierFolder(path, classifier, was_complete)
