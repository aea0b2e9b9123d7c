"""``fit``: a classifier for the texts of a corpus."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args

from tealeaves.errors import InputError, did_you_mean
from tealeaves.evidence.relevance.classifier.classifier import Classifier
from tealeaves.evidence.relevance.classifier.devices import device_of
from tealeaves.evidence.relevance.classifier.drawing import draw
from tealeaves.evidence.relevance.classifier.encoders import Given, check_packages, open_encoder
from tealeaves.evidence.relevance.classifier.labelling import LabelSource, label
from tealeaves.evidence.relevance.classifier.plan import PROBE_POOLING, Features, Plan
from tealeaves.evidence.relevance.classifier.presets import settings_of
from tealeaves.evidence.relevance.classifier.training import Control
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

How = Literal["probe", "finetune", "mlm"]
_PROBE_BATCH = 32  # nothing is learnt from it, so that only speed counts


def fit(
    corpus: Corpus,
    how: How = "probe",
    *,
    encoder: Given = None,
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
    every: float = 300.0,
    stop: Callable[[], bool] = lambda: False,
    device: str | None = None,
    progress: bool = False,
) -> Classifier:
    """Fit a classifier to texts, as the token pipeline leaves them.

    Parameters
    ----------
    corpus
        The texts, with labels or without.
    how
        ``probe`` puts a linear classifier on the encoder as it is, in minutes; ``finetune`` trains
        the encoder too; ``mlm`` trains it to tell masked words, for which no labels are needed.
    encoder
        None for the packaged MiniLM; a folder or a name of the hub; or a model with its tokenizer.
    tokens
        The token pipeline: its tokens are the words that the encoder reads.
    labels
        ``given`` by the corpus, ``clusters`` of the texts, or ``auto``: given ones where most texts
        have one.
    clusters
        How many clusters.
    texts
        How many texts are drawn at most, from all over the corpus.
    pooling
        What classes are told by: ``cls``, ``mean`` or ``pooler``; None is what is best for ``how``.
    held_out
        The share of texts on which the classifier is tried.
    seed
        Decides which texts are drawn and held out, and where training begins.
    preset
        Settings of the paper for ``finetune`` and ``mlm``: ``20ng``, ``lenta`` or ``amazon``.
    longest, batch, epochs, rate, patience
        Settings other than those of the preset: word pieces of a text, texts of a batch, rounds
        over all texts, rate of learning, rounds without a better one after which training stops.
        A probe has only the first two.
    folder
        Where training keeps its state, and where the classifier is to be saved.
    resume
        Go on with an unfinished training of the same in the folder; return a classifier of the same
        that is there already.
    restart
        Forget an unfinished training in the folder.
    every
        Seconds between two checkpoints of training.
    stop
        Is asked after each step; training then ends with a checkpoint and KeyboardInterrupt.
    device
        ``cpu``, ``cuda`` or another name of torch; None takes a GPU where there is one.
    progress
        Show a progress bar.
    """
    _check_choice("how", how, get_args(How))
    _check_choice("pooling", pooling or "cls", get_args(Features))
    _check_choice("labels", labels, get_args(LabelSource))
    learning: dict[str, Any] = {
        "preset": preset,
        "epochs": epochs,
        "rate": rate,
        "patience": patience,
    }
    _check_meant(how, learning, labels=labels, pooling=pooling)
    if how == "probe" or (how == "finetune" and labels != "given"):
        check_packages("sklearn")
    if batch is None and how == "probe":
        batch = _PROBE_BATCH
    settings = settings_of(seed=seed, longest=longest, batch=batch, **learning)
    if pooling is None:
        pooling = PROBE_POOLING if how == "probe" else "cls"
    place = None if folder is None else Path(folder).expanduser()
    plan = Plan(pooling, held_out, place, resume, restart, device, progress)
    pipeline = Pipeline.parse(tokens)
    if device is not None:  # refused before any work
        device_of(device)
    opened = open_encoder(encoder, masked=how == "mlm")
    drawn = draw(corpus, pipeline, texts, seed=seed)
    control = Control(every, stop)
    if how == "mlm":
        from tealeaves.evidence.relevance.classifier.masked import fit_masked

        return fit_masked(opened, drawn.words, settings, plan, report=drawn.report, control=control)
    examples = label(drawn, labels, clusters=clusters, seed=seed)
    if how == "probe":
        from tealeaves.evidence.relevance.classifier.probe import probe

        return probe(opened, examples, settings, plan)
    from tealeaves.evidence.relevance.classifier.finetuning import finetune

    return finetune(opened, examples, settings, plan, control=control)


def _check_meant(
    how: How, learning: dict[str, Any], *, labels: LabelSource, pooling: Features | None
) -> None:
    """Refuse what is given but would say nothing."""
    for name, value in learning.items():
        if how == "probe" and value is not None:
            raise InputError(f"{name}={value}: for finetune and mlm; a probe is not trained so")
    if how == "mlm" and (labels != "auto" or pooling is not None):
        raise InputError("mlm has no classes: it takes neither labels nor pooling")


def _check_choice(name: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        hint = did_you_mean(str(given), known)
        raise InputError(f"{name}={given}: not known{hint} (known: {', '.join(known)})")
