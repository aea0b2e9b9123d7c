"""``Additive``: a sum of broken lines, one for each signal.

Each signal adds its own part to the prediction, a line of three pieces that meet at two knots. So
the model can be read, and the parts are the Shapley values of the signals.
"""

from __future__ import annotations

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError

#: The pieces of each line.
PIECES = 3


class BrokenLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of one signal: slopes of pieces that meet at knots, and its mean in training.

    The line is level below ``lowest`` and above ``highest``, which training did not see.
    """

    signal: str
    knots: tuple[float, float]
    slopes: tuple[float, float, float]
    lowest: float
    highest: float
    mean: float

    def part(self, values: Floats) -> Floats:
        """Return what the signal adds, less what it adds to an average topic; 0 if it is NaN."""
        within = np.clip(values, self.lowest, self.highest)[:, None]
        pieces = split_pieces(within, np.array([self.knots])).reshape(-1, PIECES)
        return np.asarray(np.nan_to_num(pieces @ np.array(self.slopes) - self.mean, nan=0.0))


class Additive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prediction: the value of an average topic, and the part of each signal."""

    average: float
    lines: tuple[BrokenLine, ...]

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals in the order of columns."""
        return tuple(line.signal for line in self.lines)

    def parts(self, values: Floats) -> Floats:
        """Return what each signal (column) adds for each topic (row)."""
        if values.shape[1] != len(self.lines):
            raise InputError(f"{values.shape[1]} signals, not {len(self.lines)}")
        columns = [line.part(values[:, place]) for place, line in enumerate(self.lines)]
        return np.stack(columns, axis=1) if columns else np.zeros((len(values), 0))

    def predict(self, values: Floats) -> Floats:
        """Return the prediction for each topic, from 0 to 1."""
        return np.asarray(np.clip(self.average + self.parts(values).sum(axis=1), 0.0, 1.0))


def split_pieces(values: Floats, knots: Floats) -> Floats:
    """Split each value into its shares of the pieces, whose sum is the value."""
    low, high = knots[:, 0], knots[:, 1]
    between = np.clip(values, low, high) - low
    return np.stack([np.minimum(values, low), between, np.maximum(values - high, 0.0)], axis=2)
