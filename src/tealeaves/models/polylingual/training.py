"""Training the polylingual topic model: chains are run, traced and saved on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.models.model import sampled_iterations
from tealeaves.models.polylingual.chain import GibbsChain, check_sampling
from tealeaves.models.polylingual.checkpoint import (
    EndedChain,
    TrainingStamp,
    TrainingState,
    load_checkpoint,
    save_checkpoint,
)

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.models.texts import TrainingTexts

TRACE_INTERVAL = 20  # sweeps between two log-likelihoods
CHECKPOINT_SECONDS = 30.0


class TrainingProgress(NamedTuple):
    """How far a training is.

    ``traces`` are the log-likelihoods per token of each chain, after every ``TRACE_INTERVAL``
    sweeps and after the last.
    """

    sweeps: int
    total: int
    traces: tuple[tuple[float, ...], ...]

    @property
    def log_likelihood(self) -> float:
        """The last log-likelihood per token; NaN before the first."""
        return next((trace[-1] for trace in reversed(self.traces) if trace), float("nan"))


@dataclass(frozen=True)
class TrainingOptions:
    """How a training runs. Nothing of this changes the result.

    Parameters
    ----------
    threads
        Threads that sample.
    partial, checkpoint
        The file that keeps the state of the training, and how many seconds lie between two
        checkpoints. If the file is there, the training goes on from it.
    stop
        Called after each sweep. If it returns True, the state is saved, and the training ends with
        ``KeyboardInterrupt``.
    on_sweep
        Called after each sweep with the progress.
    """

    threads: int = 1
    partial: Path | None = None
    checkpoint: float = CHECKPOINT_SECONDS
    stop: Callable[[], bool] = lambda: False
    on_sweep: Callable[[TrainingProgress], None] = lambda _: None


@dataclass(frozen=True)
class BestChain:
    """The chain that has the best log-likelihood, its number and samples, and all traces."""

    chain: GibbsChain
    number: int
    samples: Floats | None
    traces: tuple[tuple[float, ...], ...]


def run_chains(
    texts: TrainingTexts, settings: Any, options: TrainingOptions, stamp: TrainingStamp
) -> BestChain:
    """Run the chains one after the other and return that of the best log-likelihood.

    Chain c starts with the seed ``seed + c``.
    """
    check_sampling("training", texts, settings.k, settings.iterations * settings.chains)
    partial = options.partial
    if partial is not None and partial.exists():
        state = load_checkpoint(partial, stamp, texts, sampler=settings.sampler)
    else:
        state = TrainingState(_start_chain(texts, settings, 0))
    options.on_sweep(_progress(state, settings))
    saved_at = time.monotonic()
    for _ in _sweep_chains(texts, settings, state, options.threads):
        options.on_sweep(_progress(state, settings))
        is_stopped = options.stop()
        is_due = is_stopped or time.monotonic() - saved_at >= options.checkpoint
        if is_due and partial is not None:
            save_checkpoint(state, partial, stamp)
            saved_at = time.monotonic()
        if is_stopped:
            raise KeyboardInterrupt
    best = state.best
    if best is None:
        raise AssertionError("a training has at least one chain")
    chain = GibbsChain.from_arrays(texts, best.arrays, sampler=settings.sampler)
    return BestChain(chain, best.number, best.samples, tuple(map(tuple, state.traces)))


def _start_chain(texts: TrainingTexts, settings: Any, number: int) -> GibbsChain:
    return GibbsChain.start(
        texts,
        k=settings.k,
        alpha=settings.alpha,
        beta=settings.beta,
        seed=settings.seed + number,
        parts=settings.parts,
        sampler=settings.sampler,
    )


def _progress(state: TrainingState, settings: Any) -> TrainingProgress:
    sweeps = state.number * settings.iterations + state.chain.sweep
    traces = tuple(map(tuple, state.traces))
    return TrainingProgress(sweeps, settings.iterations * settings.chains, traces)


def _sweep_chains(
    texts: TrainingTexts, settings: Any, state: TrainingState, threads: int
) -> Iterator[None]:
    """Sweep over all chains that are left; the state is complete at each ``yield``."""
    sampled = sampled_iterations(settings)
    while True:
        while state.chain.sweep < settings.iterations:
            chain = state.chain
            chain.advance(threads=threads)
            is_last = chain.sweep == settings.iterations
            if _is_fitted_at(chain.sweep, settings):
                chain.optimise()
            if chain.sweep % TRACE_INTERVAL == 0 or is_last:
                state.traces[-1].append(chain.log_likelihood() / max(len(texts.words), 1))
            if chain.sweep in sampled:
                phi = [chain.phi(language) for language in range(len(texts.languages))]
                state.samples.append(np.concatenate(phi, axis=1))
            if is_last:
                _keep_best(state)
            yield
        if state.number + 1 >= settings.chains:
            return
        state.traces.append([])
        state.samples = []
        state.chain = _start_chain(texts, settings, state.number)


def _is_fitted_at(sweep: int, settings: Any) -> bool:
    """Tell whether α and β are fitted after a sweep: every ``optimize`` sweeps after burn-in."""
    interval = settings.optimize
    return bool(interval) and sweep > settings.burn_in and sweep % interval == 0


def _keep_best(state: TrainingState) -> None:
    """Keep the chain that has just ended if none before was better."""
    finals = [trace[-1] for trace in state.traces]
    if state.best is None or finals[-1] > finals[state.best.number]:
        samples = np.stack(state.samples) if state.samples else None
        state.best = EndedChain(state.number, state.chain.arrays(), samples)
