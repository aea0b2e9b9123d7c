"""The loop that fits weights: the same for classes and for masked words."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.batching import Numbers, batches
from tealeaves.evidence.relevance.classifier.checkpoints import (
    Checkpoint,
    Checkpoints,
    has_checkpoint,
)
from tealeaves.evidence.relevance.classifier.devices import device_of, sensible_threads
from tealeaves.evidence.relevance.classifier.optimising import Optimiser
from tealeaves.evidence.relevance.classifier.plan import Plan
from tealeaves.evidence.relevance.classifier.presets import FitSettings
from tealeaves.evidence.relevance.classifier.storage import CHECKPOINTS
from tealeaves.evidence.relevance.classifier.task import Measures, Task
from tealeaves.evidence.relevance.memory import is_memory_error
from tealeaves.extras import require
from tealeaves.jobs import progress_bar

_REASON = "fine-tuning"


class Course(NamedTuple):
    """What happened in each epoch, which one was kept, counted from 1, and what was before.

    ``seconds`` are those of all runs, where there were several.
    """

    epochs: list[Measures]
    best: int
    before: Measures
    seconds: float


def reported(course: Course, settings: FitSettings) -> dict[str, Any]:
    """Return what a report says of a fit, the measures of the epoch that was kept first."""
    kept = {name: value for name, value in course.epochs[course.best - 1].items() if name != "loss"}
    return kept | {
        "longest": settings.longest,
        "seconds": course.seconds,
        **{f"{name}_before": value for name, value in course.before.items()},
        "epochs": course.epochs,
        "best_epoch": course.best,
        "settings": msgspec.structs.asdict(settings),
    }


class Control(NamedTuple):
    """How a fit is interrupted; nothing of it changes the outcome.

    ``every`` is the time between checkpoints, in seconds; ``stop`` is asked after each step.
    """

    every: float = 300.0
    stop: Callable[[], bool] = lambda: False


def train(
    task: Task,
    settings: FitSettings,
    plan: Plan,
    *,
    fit: str,
    control: Control,
) -> Course:
    """Fit the network of a task; it has the weights of the best epoch in the end.

    Parameters
    ----------
    task
        What is learnt.
    settings, plan
        How, and where.
    fit
        What identifies this fit: a checkpoint of another one is refused.
    control
        When checkpoints are written, and when to stop.
    """
    torch = require("torch", extra="relevance", reason=_REASON)
    keeper = Checkpoints(plan.folder / CHECKPOINTS, fit=fit) if plan.folder else None
    start = keeper.begin(resume=plan.resume, restart=plan.restart) if keeper else None
    device = device_of(plan.device)
    graphics = [torch.cuda.current_device()] if device.type == "cuda" else []
    with ExitStack() as around:
        around.enter_context(torch.random.fork_rng(devices=graphics))
        around.enter_context(_memory_named(settings, keeper))
        around.enter_context(sensible_threads())
        task.network.to(device)
        run = _Run(task, settings, keeper)
        run.begin(start)
        with _bar(run, shown=plan.progress) as told:
            while not run.is_finished:
                run.step_through(control, told)
                run.end_epoch(told)
        task.network.load_state_dict(run.best_weights)
    task.network.to("cpu").eval()
    return Course(run.epochs, run.best, run.before, run.seconds)


class _Run:
    """A fit on its way. Randomness depends on the position alone, so that it need not be kept."""

    def __init__(self, task: Task, settings: FitSettings, keeper: Checkpoints | None) -> None:
        self.task = task
        self.settings = settings
        self.texts = len(task.lengths)
        self.per_epoch = math.ceil(self.texts / settings.batch)
        self.before: Measures = {}
        self.epochs: list[Measures] = []
        self.best = 0
        self.best_weights: dict[str, Any] = {}
        self.done = 0  # batches of this epoch
        self._keeper = keeper
        self._lost = 0.0
        total = settings.epochs * self.per_epoch
        self._optimiser = Optimiser(task.network, settings, total)
        self._saved = self._begun = time.monotonic()
        self._earlier = 0.0  # seconds of runs before this one

    @property
    def seconds(self) -> float:
        """How long all runs have taken."""
        return self._earlier + time.monotonic() - self._begun

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are over, or so many were no better that the rest is left."""
        number = len(self.epochs)
        return number == self.settings.epochs or number - self.best >= self.settings.patience

    def begin(self, start: Checkpoint | None) -> None:
        """Begin, or go on from a checkpoint."""
        if start is not None:
            self._go_on(start)
        elif self.task.measured_before:
            self.task.network.eval()
            self.before = self.task.judge()

    def _go_on(self, start: Checkpoint) -> None:
        """Take up a fit where it was left; where batches are of another size, about there."""
        position = start.position
        self.epochs, self.best = position["epochs"], position["best"]
        self.before, self._earlier = position["before"], position["seconds"]
        self.done, self._lost = position["done"], position["lost"]
        if position["per_epoch"] != self.per_epoch:
            share = self.per_epoch / position["per_epoch"]
            self.done, self._lost = int(self.done * share), self._lost * share
        weights = {name[2:]: part for name, part in start.tensors.items() if name[:2] == "w."}
        self.task.network.load_state_dict(weights)
        self._optimiser.load(start.tensors)
        if self.best and self._keeper:
            self.best_weights = self._keeper.best(self.best)

    def step_through(self, control: Control, told: Callable[[int], None]) -> None:
        """Read the rest of an epoch."""
        self.task.network.train()
        order = batches(self.task.lengths, self.settings.batch, self._rng(0))
        for number in range(self.done, self.per_epoch):
            self._step(order[number], number)
            self.done = number + 1
            told(len(order[number]))
            self._pause(control)

    def _step(self, rows: Numbers, number: int) -> None:
        torch = require("torch", extra="relevance", reason=_REASON)
        rng = self._rng(number + 1)
        torch.manual_seed(int(rng.integers(2**31)))  # for dropout
        loss = self.task.loss(rows, rng)
        lost = float(loss.detach())
        if not math.isfinite(lost):
            raise InputError(
                f"rate={self.settings.rate}: the loss is no number any more in epoch "
                f"{len(self.epochs) + 1}: use a lower rate of learning"
            )
        self._lost += lost
        loss.backward()
        self._optimiser.step(len(self.epochs) * self.per_epoch + number)

    def end_epoch(self, told: Callable[[int], None]) -> None:
        """Measure the network, and keep it where it is the best so far."""
        self.task.network.eval()
        measures = {"loss": self._lost / self.per_epoch, **self.task.judge()}
        merit = self.task.merit
        better = not self.best or _more(merit(measures), merit(self.epochs[self.best - 1]))
        self.epochs.append(measures)
        if better:
            self._keep_best()
        self.done, self._lost = 0, 0.0
        self._keep()
        told(0)

    def _keep_best(self) -> None:
        self.best = len(self.epochs)
        state = self.task.network.state_dict()
        self.best_weights = {name: part.detach().cpu().clone() for name, part in state.items()}
        if self._keeper:
            self._keeper.keep_best(self.best, self.best_weights)

    def _pause(self, control: Control) -> None:
        """Write a checkpoint when it is time to, and stop when that is asked for."""
        stopped = control.stop()
        due = time.monotonic() - self._saved >= control.every
        if stopped or due:
            self._keep()
        if stopped:
            raise KeyboardInterrupt

    def _keep(self) -> None:
        if not self._keeper:
            return
        state = self.task.network.state_dict()
        tensors = {f"w.{name}": part for name, part in state.items()}
        position = {
            "before": self.before,
            "epochs": self.epochs,
            "best": self.best,
            "done": self.done,
            "per_epoch": self.per_epoch,
            "lost": self._lost,
            "seconds": self.seconds,
        }
        self._keeper.keep(Checkpoint(position, {**tensors, **self._optimiser.tensors()}))
        if self.best:
            self._keeper.forget_others(self.best)
        self._saved = time.monotonic()

    def _rng(self, place: int) -> np.random.Generator:
        return np.random.default_rng((self.settings.seed, len(self.epochs), place))


def _more(one: float, other: float) -> bool:
    return one > other or one == math.inf


@contextmanager
def _bar(run: _Run, *, shown: bool) -> Iterator[Callable[[int], None]]:
    total = run.settings.epochs * run.texts
    begun = len(run.epochs) * run.texts + min(run.done * run.settings.batch, run.texts)
    with progress_bar(total, "", shown=shown, initial=begun, unit="text") as bar:

        def told(texts: int) -> None:
            number = min(len(run.epochs) + 1, run.settings.epochs)
            bar.set_description(f"epoch {number}/{run.settings.epochs}", refresh=False)
            if run.epochs and run.task.aim in run.epochs[-1]:
                bar.set_postfix({run.task.aim: run.epochs[-1][run.task.aim]}, refresh=False)
            bar.update(texts)

        told(0)
        yield told


@contextmanager
def _memory_named(settings: FitSettings, keeper: Checkpoints | None) -> Iterator[None]:
    """Say in one line that there is not enough memory, and what to do."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_memory_error(error):
            raise
        where = "the GPU" if type(error).__name__ == "OutOfMemoryError" else "this machine"
        kept = ""
        if keeper and has_checkpoint(keeper.folder):
            kept = f"; {keeper.folder} keeps the last checkpoint, resume (--resume) it"
        raise InputError(
            f"batch={settings.batch}: {where} is out of memory: use a smaller batch (--batch), or "
            f"shorter texts (--longest){kept}"
        ) from error
