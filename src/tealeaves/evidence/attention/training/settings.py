"""How a classifier is fitted: settings that change its weights, and options that do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.parameters import changed_settings, check_names

#: What predicts classes: the first token, the mean over all tokens, or the first token after the
#: layer that the model itself puts on it.
Features = Literal["cls", "mean", "pooler"]
_HUGE = 1e300  # rules out infinity
_Natural = Annotated[int, msgspec.Meta(ge=1)]
_Positive = Annotated[float, msgspec.Meta(gt=0, lt=_HUGE)]


class FitOptions(NamedTuple):
    """What is held out, where a fit runs, and how it is saved and stopped.

    ``fit_classifier`` and ``fit_folder`` say what each of these means; ``checkpoint`` is the
    time between two checkpoints, in seconds.
    """

    pooling: Features = "cls"
    held_out: float = 0.1
    folder: Path | None = None
    resume: bool = False
    restart: bool = False
    checkpoint: float = 300.0
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

    longest: Annotated[int, msgspec.Meta(ge=3)] = 128
    batch: _Natural = 8
    rate: _Positive = 5e-5
    epochs: _Natural = 5
    patience: _Natural = 2
    warm_up: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.1
    decay: Annotated[float, msgspec.Meta(ge=0, lt=_HUGE)] = 0.01
    clip: _Positive = 1.0
    masked: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.15
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0


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
    check_names("the fit", changes, FitSettings.__struct_fields__)
    return changed_settings("the fit", PRESETS[name], changes)
