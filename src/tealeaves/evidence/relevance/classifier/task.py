"""``Task``: what a fit learns."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from tealeaves.evidence.relevance.classifier.batching import Numbers
from tealeaves.evidence.relevance.network.head import Head

Measures = dict[str, float]


class Task(ABC):
    """What is learnt: a network, what it loses on some texts, and how good it is on others."""

    #: The measure of ``judge`` by which the best epoch is told.
    aim: ClassVar[str]
    less_is_better: ClassVar[bool] = False
    #: Whether the network is good for something before it is fitted.
    measured_before: ClassVar[bool] = False
    #: A module of torch with all that is fitted, and nothing else.
    network: Any
    #: The encoder in it.
    model: Any
    #: Pieces of each text that is learnt from.
    lengths: Numbers

    @abstractmethod
    def loss(self, rows: Numbers, rng: np.random.Generator) -> Any:
        """Return what the network loses on texts, as a tensor."""

    @abstractmethod
    def head(self) -> Head:
        """Return what makes the answer of the encoder's last layer, as it is now."""

    @abstractmethod
    def judge(self) -> Measures:
        """Measure the network on held-out texts; nothing where there are none."""

    def merit(self, measures: Measures) -> float:
        """Return what the best epoch has most of; infinite where nothing was held out.

        So the last epoch is kept where there is no telling.
        """
        value = measures.get(self.aim, math.inf)
        return -value if self.less_is_better and self.aim in measures else value
