"""The loop that trains a network: the same for classes and for masked words."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, ClassVar, NamedTuple

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier, Kind
from tealeaves.evidence.attention.classifiers.encoders import Encoder
from tealeaves.evidence.attention.classifiers.folder import CHECKPOINTS
from tealeaves.evidence.attention.devices import device_of, is_memory_error, sensible_threads
from tealeaves.evidence.attention.network.head import Head
from tealeaves.evidence.attention.training.checkpoints import (
    Checkpoint,
    Checkpoints,
    finished_classifier,
    has_checkpoint,
)
from tealeaves.evidence.attention.training.optimiser import Optimiser
from tealeaves.evidence.attention.training.pieces import Numbers, random_batches
from tealeaves.evidence.attention.training.settings import FitOptions, FitSettings
from tealeaves.extras import require
from tealeaves.jobs import progress_bar

_REASON = "fine-tuning"
#: Names and values of measures, such as ``{"f1": 0.8}``.
EpochMeasures = dict[str, float]


class Task(ABC):
    """What is learnt: a network, its loss on some texts, and how good it is on others."""

    #: The kind of the classifier that is made.
    kind: ClassVar[Kind]
    #: The measure of ``evaluate`` that decides which epoch is the best.
    aim: ClassVar[str]
    less_is_better: ClassVar[bool] = False
    #: Whether the network is good for something before it is trained.
    measured_before: ClassVar[bool] = False
    #: A module of torch with all that is trained, and nothing else.
    network: Any
    #: The encoder in it.
    model: Any
    #: The number of pieces of each text that is learnt from.
    lengths: Numbers

    @abstractmethod
    def loss(self, rows: Numbers, rng: np.random.Generator) -> Any:
        """Return the loss of the network on texts, as a tensor."""

    @abstractmethod
    def head(self) -> Head:
        """Return what makes the answer from the encoder's last layer, as it is now."""

    @abstractmethod
    def evaluate(self) -> EpochMeasures:
        """Measure the network on held-out texts; nothing if there are none."""

    def merit(self, measures: EpochMeasures) -> float:
        """Return a number that is highest for the best epoch; infinite if nothing was held out.

        So the last epoch is kept if the best one is not known.
        """
        value = measures.get(self.aim, math.inf)
        return -value if self.less_is_better and self.aim in measures else value


def train_classifier(
    task: Task,
    encoder: Encoder,
    settings: FitSettings,
    options: FitOptions,
    *,
    fit: str,
    labels: tuple[str, ...] = (),
    report: dict[str, Any],
) -> Classifier:
    """Train the network of a task, and return it as a classifier.

    Parameters
    ----------
    task, encoder
        What is learnt, and what its network is a copy of.
    settings, options
        How and where it is trained. If a fit is resumed that is finished, its classifier is
        returned.
    fit
        What identifies the fit, whatever the size of batches.
    labels
        The classes of the classifier.
    report
        What is known about the texts.
    """
    fit_and_batch = f"{fit} {settings.batch}"  # other batches have another outcome
    if finished := finished_classifier(options, fit_and_batch):
        return finished
    history = train(task, settings, options, fit=fit)
    return Classifier(
        name=f"{encoder.name} {task.kind}",
        model=task.model,
        tokenizer=encoder.tokenizer,
        head=task.head(),
        labels=labels,
        longest=settings.longest,
        kind=task.kind,
        report={
            **report,
            "encoder": encoder.name,
            "fit": fit_and_batch,
            **history.report(settings),
        },
    )


class TrainingHistory(NamedTuple):
    """The measures of each epoch, which one was kept, counted from 1, and the measures before.

    ``seconds`` are those of all runs, if there were several.
    """

    epochs: list[EpochMeasures]
    best: int
    before: EpochMeasures
    seconds: float

    def report(self, settings: FitSettings) -> dict[str, Any]:
        """Return what a report says about a training, the measures of the best epoch first."""
        best = {name: value for name, value in self.epochs[self.best - 1].items() if name != "loss"}
        return best | {
            "longest": settings.longest,
            "seconds": self.seconds,
            **{f"{name}_before": value for name, value in self.before.items()},
            "epochs": self.epochs,
            "best_epoch": self.best,
            "settings": msgspec.structs.asdict(settings),
        }


def train(task: Task, settings: FitSettings, options: FitOptions, *, fit: str) -> TrainingHistory:
    """Train the network of a task; it has the weights of the best epoch in the end.

    ``fit`` identifies this fit: a checkpoint of another one is an error.
    """
    torch = require("torch", extra="relevance", reason=_REASON)
    checkpoints = Checkpoints(options.folder / CHECKPOINTS, fit=fit) if options.folder else None
    start = None
    if checkpoints:
        start = checkpoints.begin(resume=options.resume, restart=options.restart)
    device = device_of(options.device)
    graphics = [torch.cuda.current_device()] if device.type == "cuda" else []
    with ExitStack() as stack:
        stack.enter_context(torch.random.fork_rng(devices=graphics))
        stack.enter_context(_explain_memory_errors(settings, checkpoints))
        stack.enter_context(sensible_threads())
        task.network.to(device)
        training = _Training(task, settings, options, checkpoints)
        training.begin(start)
        with _progress(training, shown=options.progress) as advance:
            while not training.is_finished:
                training.read_epoch(advance)
                training.end_epoch()
                advance(0)
        task.network.load_state_dict(training.best_weights)
    task.network.to("cpu").eval()
    return TrainingHistory(training.epochs, training.best, training.before, training.seconds)


class _Training:
    """A training in progress.

    Random numbers depend on the position alone, so that their state need not be saved.
    """

    def __init__(
        self,
        task: Task,
        settings: FitSettings,
        options: FitOptions,
        checkpoints: Checkpoints | None,
    ) -> None:
        self.task = task
        self.settings = settings
        self.texts = len(task.lengths)
        self.per_epoch = math.ceil(self.texts / settings.batch)
        self.before: EpochMeasures = {}
        self.epochs: list[EpochMeasures] = []
        self.best = 0
        self.best_weights: dict[str, Any] = {}
        self.done = 0  # batches of this epoch
        self._options = options
        self._checkpoints = checkpoints
        self._loss = 0.0  # summed over the batches of this epoch
        total = settings.epochs * self.per_epoch
        self._optimiser = Optimiser(task.network, settings, total)
        self._saved_at = self._begun = time.monotonic()
        self._earlier = 0.0  # seconds of earlier runs

    @property
    def seconds(self) -> float:
        return self._earlier + time.monotonic() - self._begun

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are over, or too many were no better than the best one."""
        number = len(self.epochs)
        return number == self.settings.epochs or number - self.best >= self.settings.patience

    def begin(self, start: Checkpoint | None) -> None:
        """Begin, or continue from a checkpoint."""
        if start is not None:
            self._continue(start)
        elif self.task.measured_before:
            self.task.network.eval()
            self.before = self.task.evaluate()

    def _continue(self, start: Checkpoint) -> None:
        """Continue where a run ended; with batches of another size, about there."""
        position = start.position
        self.epochs, self.best = position["epochs"], position["best"]
        self.before, self._earlier = position["before"], position["seconds"]
        self.done, self._loss = position["done"], position["lost"]
        if position["per_epoch"] != self.per_epoch:
            share = self.per_epoch / position["per_epoch"]
            self.done, self._loss = int(self.done * share), self._loss * share
        weights = {name[2:]: part for name, part in start.tensors.items() if name[:2] == "w."}
        self.task.network.load_state_dict(weights)
        self._optimiser.load(start.tensors)
        if self.best and self._checkpoints:
            self.best_weights = self._checkpoints.best(self.best)

    def read_epoch(self, advance: Callable[[int], None]) -> None:
        """Read the rest of an epoch."""
        self.task.network.train()
        order = random_batches(self.task.lengths, self.settings.batch, self._rng(0))
        for number in range(self.done, self.per_epoch):
            self._step(order[number], number)
            self.done = number + 1
            advance(len(order[number]))
            self._save_if_due()

    def _step(self, rows: Numbers, number: int) -> None:
        torch = require("torch", extra="relevance", reason=_REASON)
        rng = self._rng(number + 1)
        torch.manual_seed(int(rng.integers(2**31)))  # for dropout
        loss = self.task.loss(rows, rng)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise InputError(
                f"rate {self.settings.rate}: the loss is not a number in epoch "
                f"{len(self.epochs) + 1}: use a lower learning rate"
            )
        self._loss += value
        loss.backward()
        self._optimiser.step(len(self.epochs) * self.per_epoch + number)

    def end_epoch(self) -> None:
        """Measure the network, and keep it if it is the best so far."""
        self.task.network.eval()
        measures = {"loss": self._loss / self.per_epoch, **self.task.evaluate()}
        merit = self.task.merit(measures)
        # if nothing is held out, merit is infinite, and the last epoch is the best
        is_best = (
            not self.best
            or merit == math.inf
            or merit > self.task.merit(self.epochs[self.best - 1])
        )
        self.epochs.append(measures)
        if is_best:
            self._keep_best()
        self.done, self._loss = 0, 0.0
        self._save()

    def _keep_best(self) -> None:
        self.best = len(self.epochs)
        state = self.task.network.state_dict()
        self.best_weights = {name: part.detach().cpu().clone() for name, part in state.items()}
        if self._checkpoints:
            self._checkpoints.keep_best(self.best, self.best_weights)

    def _save_if_due(self) -> None:
        """Write a checkpoint if it is time to, and stop if that is wanted."""
        stopped = self._options.stop()
        if stopped or time.monotonic() - self._saved_at >= self._options.checkpoint:
            self._save()
        if stopped:
            raise KeyboardInterrupt

    def _save(self) -> None:
        if not self._checkpoints:
            return
        state = self.task.network.state_dict()
        tensors = {f"w.{name}": part for name, part in state.items()}
        position = {
            "before": self.before,
            "epochs": self.epochs,
            "best": self.best,
            "done": self.done,
            "per_epoch": self.per_epoch,
            "lost": self._loss,
            "seconds": self.seconds,
        }
        self._checkpoints.keep(Checkpoint(position, {**tensors, **self._optimiser.tensors()}))
        if self.best:
            self._checkpoints.forget_others(self.best)
        self._saved_at = time.monotonic()

    def _rng(self, place: int) -> np.random.Generator:
        return np.random.default_rng((self.settings.seed, len(self.epochs), place))


@contextmanager
def _progress(training: _Training, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar, and yield what advances it by some texts."""
    epochs, aim = training.settings.epochs, training.task.aim
    done = min(training.done * training.settings.batch, training.texts)
    initial = len(training.epochs) * training.texts + done
    total = epochs * training.texts
    with progress_bar(total, "", shown=shown, initial=initial, unit="text") as bar:

        def advance(texts: int) -> None:
            number = min(len(training.epochs) + 1, epochs)
            bar.set_description(f"epoch {number}/{epochs}", refresh=False)
            if training.epochs and aim in training.epochs[-1]:
                bar.set_postfix({aim: training.epochs[-1][aim]}, refresh=False)
            bar.update(texts)

        advance(0)
        yield advance


@contextmanager
def _explain_memory_errors(
    settings: FitSettings, checkpoints: Checkpoints | None
) -> Iterator[None]:
    """Say in one line that memory is too small, and what to do."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_memory_error(error):
            raise
        where = "the GPU" if type(error).__name__ == "OutOfMemoryError" else "this machine"
        kept = ""
        if checkpoints and has_checkpoint(checkpoints.folder):
            kept = f"; {checkpoints.folder} keeps the last checkpoint, resume (--resume) it"
        raise InputError(
            f"batch {settings.batch}: {where} is out of memory: use a smaller batch (--batch), or "
            f"shorter texts (--longest){kept}"
        ) from error
