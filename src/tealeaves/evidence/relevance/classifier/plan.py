"""``Plan``: what every way of fitting is told beside its settings."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

#: What classes are told by: the first token, the mean over all tokens, or the first token after the
#: layer that the model itself puts on it.
Features = Literal["cls", "mean", "pooler"]
#: What a probe tells classes by, unless it is said.
PROBE_POOLING: Features = "mean"


class Plan(NamedTuple):
    """Where and how a fit runs; ``fit`` says what each of these means."""

    pooling: Features = "cls"
    held_out: float = 0.1
    folder: Path | None = None
    resume: bool = False
    restart: bool = False
    device: str | None = None
    progress: bool = False
