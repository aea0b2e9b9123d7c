"""Sample topic models with topica, one thread, in its own environment: model, K, texts.

The model is ``sparse`` or ``warp`` (its samplers of LDA), or ``polylingual`` (two languages, made
of one as in ``work.pltm``). Prints the seconds of sweeps, for a million tokens. A chain cannot be
continued, so sweeps are timed between the calls by which topica tells its progress.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import ALPHA, BETA, TIMED_SWEEPS, burn_in, frequent_words


def fit_lda(sampler: str, k: int, documents: list[list[str]], told: Callable[..., None]) -> None:
    """Sample LDA. The likelihood that comes with each message costs less than 2 % of its sweeps."""
    import topica  # type: ignore[import-not-found, unused-ignore]

    model = topica.LDA(
        k, alpha_sum=ALPHA * k, beta=BETA, optimize_interval=0, seed=1, sampler=sampler
    )
    model.fit(
        topica.Corpus.from_documents(documents), iters=burn_in(k) + TIMED_SWEEPS, num_samples=1,
        sample_interval=1, keep_theta_draws=False, check_every=0, progress=told,
        progress_interval=TIMED_SWEEPS,
    )  # fmt: skip


def fit_polylingual(k: int, documents: list[list[str]], told: Callable[..., None]) -> None:
    """Sample the polylingual topic model; a message comes with each sweep."""
    import topica

    model = topica.PolylingualLDA(k, alpha=ALPHA, beta=BETA, optimize_alpha=False, seed=1)
    sides = {f"l{first}": [one[first::2] for one in documents] for first in range(2)}
    model.fit(sides, iters=burn_in(k) + TIMED_SWEEPS, progress=told)


def main(name: str, k: str, texts: str) -> None:
    """Let a chain burn in, then time sweeps."""
    documents = [list(map(str, one)) for one in frequent_words(Path(texts)) if one]
    clock, began = Clock(), burn_in(int(k))

    def told(sweep: int, *_: Any) -> None:
        if sweep == began:
            clock.start()
        elif sweep == began + TIMED_SWEEPS:
            clock.stop()

    if name == "polylingual":
        fit_polylingual(int(k), documents, told)
    else:
        fit_lda(name, int(k), documents, told)
    clock.report_each(TIMED_SWEEPS * sum(map(len, documents)) / 1e6)


if __name__ == "__main__":
    main(*sys.argv[1:])
