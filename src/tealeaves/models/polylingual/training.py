"""Running the chains of a polylingual topic model: fitted, traced, saved, gone on with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats
    from tealeaves.models.polylingual.checkpoint import Stamp
    from tealeaves.models.polylingual.state import State
    from tealeaves.models.polylingual.texts import PolylingualTexts

    # all that a chain's state can be made of again
    Arrays = dict[str, NDArray[Any]]

TRACED = 20  # every how many sweeps the log-likelihood is computed


class Progress(NamedTuple):
    """How far a run is.

    ``traces`` are the log-likelihoods a token of each chain, after every ``TRACED`` sweeps and
    after the last.
    """

    sweeps: int
    total: int
    traces: tuple[tuple[float, ...], ...]

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood a token that was computed last; NaN before the first."""
        return next((trace[-1] for trace in reversed(self.traces) if trace), float("nan"))


@dataclass(frozen=True)
class Running:
    """How a run goes on, which changes nothing of what comes out.

    Parameters
    ----------
    threads
        Threads that sample.
    partial, every
        The file that keeps what is done, and every how many seconds. If it is there, the run goes
        on with it.
    stop
        Asked after each sweep: the run is saved and ends, with ``KeyboardInterrupt``.
    told
        Told after each sweep how far the run is.
    """

    threads: int = 1
    partial: Path | None = None
    every: float = 30.0
    stop: Callable[[], bool] = lambda: False
    told: Callable[[Progress], None] = lambda _: None


@dataclass
class Ended:
    """A chain that has ended: the number of the chain, its last state, and samples of φ.

    Samples are S×K×W, the words of all languages laid end to end.
    """

    chain: int
    arrays: Arrays
    samples: Floats | None = None


@dataclass
class Standing:
    """Where a run stands: its chain, the traces of all chains so far, and the best that ended."""

    state: State
    traces: list[list[float]] = field(default_factory=lambda: [[]])
    samples: list[Floats] = field(default_factory=list)
    best: Ended | None = None

    @property
    def chain(self) -> int:
        """The number of the chain that runs, or has ended last."""
        return len(self.traces) - 1

    def progress(self, settings: Any) -> Progress:
        """Return how far the run is."""
        done = self.chain * settings.iterations + self.state.sweep
        return Progress(done, settings.iterations * settings.chains, tuple(map(tuple, self.traces)))


@dataclass(frozen=True)
class Sampled:
    """The chain of the best log-likelihood, and the traces of all."""

    state: State
    chain: int
    samples: Floats | None
    traces: tuple[tuple[float, ...], ...]


def sample(
    texts: PolylingualTexts, settings: Any, running: Running, stamp: Stamp | None = None
) -> Sampled:
    """Run the chains one after the other and keep that of the best log-likelihood.

    Chain c starts with the seed ``seed + c``. What ``running`` says does not change the result.
    """
    from tealeaves.models.polylingual.checkpoint import load, save
    from tealeaves.models.polylingual.state import State

    found = None
    if running.partial is not None and running.partial.exists() and stamp is not None:
        found = load(running.partial, stamp, texts, sampler=settings.sampler)
    standing = found or Standing(_begun(texts, settings, 0))
    running.told(standing.progress(settings))
    keep = _Keeper(running, lambda: save(standing, running.partial, stamp))
    for _ in _sweeps(texts, settings, standing, running.threads):
        running.told(standing.progress(settings))
        keep.check()
    best = standing.best
    if best is None:
        raise AssertionError("a run has at least one chain")
    state = State.from_arrays(texts, best.arrays, sampler=settings.sampler)
    return Sampled(state, best.chain, best.samples, tuple(map(tuple, standing.traces)))


def _begun(texts: PolylingualTexts, settings: Any, chain: int) -> State:
    from tealeaves.models.polylingual.state import State

    return State.start(
        texts,
        k=settings.k,
        alpha=settings.alpha,
        beta=settings.beta,
        seed=settings.seed + chain,
        parts=settings.parts,
        sampler=settings.sampler,
    )


def _sweeps(
    texts: PolylingualTexts, settings: Any, standing: Standing, threads: int
) -> Iterator[None]:
    """Go on sweep by sweep; all that a sweep brings is done when it is yielded."""
    takes = sample_sweeps(settings.iterations, settings.samples)
    while True:
        while standing.state.sweep < settings.iterations:
            _sweep(texts, settings, standing, threads, takes)
            if standing.state.sweep == settings.iterations:
                _end(standing)
            yield
        if standing.chain + 1 >= settings.chains:
            return
        standing.traces.append([])
        standing.samples = []
        standing.state = _begun(texts, settings, standing.chain)


def _sweep(
    texts: PolylingualTexts, settings: Any, standing: Standing, threads: int, takes: set[int]
) -> None:
    state = standing.state
    state.advance(threads=threads)
    if is_fitted_at(state.sweep, settings):
        state.optimise()
    if state.sweep % TRACED == 0 or state.sweep == settings.iterations:
        standing.traces[-1].append(state.log_likelihood() / max(len(texts.words), 1))
    if state.sweep in takes:
        standing.samples.append(_all_phi(state, len(texts.languages)))


def is_fitted_at(sweep: int, settings: Any) -> bool:
    """Tell whether α and β are fitted after a sweep: every so many, once the chain has burnt in."""
    every = settings.optimize
    return bool(every) and sweep > settings.burn_in and sweep % every == 0


def sample_sweeps(iterations: int, samples: int) -> set[int]:
    """Return after which sweeps φ is kept: evenly spaced over the second half.

    >>> sorted(sample_sweeps(100, 5))
    [60, 70, 80, 90, 100]
    """
    half = iterations // 2
    return {half + (iterations - half) * number // samples for number in range(1, samples + 1)}


def _end(standing: Standing) -> None:
    """Keep a chain that has ended if none before was better."""
    finals = [trace[-1] for trace in standing.traces]
    if standing.best is None or finals[-1] > finals[standing.best.chain]:
        samples = np.stack(standing.samples) if standing.samples else None
        standing.best = Ended(standing.chain, standing.state.arrays(), samples)


def _all_phi(state: State, languages: int) -> Floats:
    return np.concatenate([state.phi(language) for language in range(languages)], axis=1)


class _Keeper:
    """Saves the run every so often, and before it is stopped."""

    def __init__(self, running: Running, save: Callable[[], None]) -> None:
        self._running = running
        self._save = save
        self._saved = time.monotonic()

    def check(self) -> None:
        """Save where it is time to, and stop where that is asked for."""
        stopped = self._running.stop()
        due = stopped or time.monotonic() - self._saved >= self._running.every
        if due and self._running.partial is not None:
            self._save()
            self._saved = time.monotonic()
        if stopped:
            raise KeyboardInterrupt
