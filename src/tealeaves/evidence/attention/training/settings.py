"""How a classifier is fitted: settings that change its weights, and options that do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from tealeaves.errors import InputError, did_you_mean

#: What classes are told by: the first token, the mean over all tokens, or the first token after the
#: layer that the model itself puts on it.
Features = Literal["cls", "mean", "pooler"]


class FitOptions(NamedTuple):
    """What is held out, where a fit runs, and how it is saved and stopped.

    ``fit_classifier`` and ``fit_folder`` say what each of these means; ``every`` is the time
    between two checkpoints, in seconds.
    """

    pooling: Features = "cls"
    held_out: float = 0.1
    folder: Path | None = None
    resume: bool = False
    restart: bool = False
    every: float = 300.0
    stop: Callable[[], bool] = lambda: False
    device: str | None = None
    progress: bool = False


class FitSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How weights are fitted.

    Parameters
    ----------
    longest
        Word pieces, with both ends, beyond which a text is cut.
    batch
        Texts of one step.
    rate
        The highest learning rate; the rate rises to it and then falls to 0, linearly.
    epochs
        How often all texts are read, at most.
    patience
        Epochs without a better one after which the fit ends; the best one is kept.
    warm_up
        The share of all steps in which the rate rises.
    decay
        Decay of weights; biases and normalisations have none.
    clip
        The longest gradient.
    masked
        The share of words that are masked, if masked words are learnt.
    seed
        Decides the order of texts, the first weights of the head, dropout and masks.
    """

    longest: int = 128
    batch: int = 8
    rate: float = 5e-5
    epochs: int = 5
    patience: int = 2
    warm_up: float = 0.1
    decay: float = 0.01
    clip: float = 1.0
    masked: float = 0.15
    seed: int = 0

    def __post_init__(self) -> None:
        wrong = next((name for name in _RULES if not _RULES[name][0](getattr(self, name))), None)
        if wrong is not None:
            raise InputError(f"{wrong}={getattr(self, wrong)!r}: {_RULES[wrong][1]}")


def _whole(least: int) -> tuple[Any, str]:
    def fits(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= least

    return fits, f"a whole number from {least} on is needed"


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


_POSITIVE = (lambda value: _number(value) and 0 < value < float("inf"), "not a positive number")
_SHARE = (lambda value: _number(value) and 0 <= value < 1, "not a share from 0 to below 1")
_RULES: dict[str, tuple[Any, str]] = {
    "longest": _whole(3),
    "batch": _whole(1),
    "rate": _POSITIVE,
    "epochs": _whole(1),
    "patience": _whole(1),
    "warm_up": _SHARE,
    "decay": (lambda value: value == 0 or _POSITIVE[0](value), "not a number from 0 on"),
    "clip": _POSITIVE,
    "masked": (lambda value: value != 0 and _SHARE[0](value), "not a share between 0 and 1"),
    "seed": _whole(0),
}

#: Settings of Kataeva and Khodorchenko for their three corpora.
PRESETS = {
    "20ng": FitSettings(longest=128, batch=8, rate=5e-5, epochs=5),
    "lenta": FitSettings(longest=256, batch=8, rate=1e-5, epochs=5),
    "amazon": FitSettings(longest=256, batch=8, rate=1e-5, epochs=5),
}


def settings_of(preset: str | None = None, **changed: Any) -> FitSettings:
    """Return the settings of a preset, by default ``20ng``, with changes that are not None.

    >>> settings_of("lenta", batch=16, epochs=None).longest
    256
    """
    name = preset or "20ng"
    if name not in PRESETS:
        hint = did_you_mean(name, PRESETS)
        raise InputError(f"{name}: no such preset{hint}; there are {', '.join(PRESETS)}")
    changes = {key: value for key, value in changed.items() if value is not None}
    unknown = next((key for key in changes if key not in _RULES), None)
    if unknown is not None:
        hint = did_you_mean(unknown, _RULES)
        raise InputError(f"{unknown}: no such setting of a fit{hint}")
    return msgspec.structs.replace(PRESETS[name], **changes)
