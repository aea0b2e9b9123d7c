"""The types of numpy arrays, named once for all annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Integers32 = NDArray[np.int32]
# vectors of words: single precision from encoders, double precision if the user gives it
Vectors = NDArray[np.floating]
