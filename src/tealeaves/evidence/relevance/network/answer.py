"""From the last layer to the answer of a head, and back by three rules."""

from __future__ import annotations

from typing import Any, NamedTuple

from tealeaves.evidence.relevance.network.activation import Activation
from tealeaves.evidence.relevance.network.head import Dense, Head
from tealeaves.evidence.relevance.network.layer import Biased
from tealeaves.evidence.relevance.network.linear import Linear, ratio
from tealeaves.evidence.relevance.network.norm import Norm, Normal
from tealeaves.evidence.relevance.network.sharing import Rules

Tensor = Any


class Stepped(NamedTuple):
    """What is kept of one step of a head."""

    x: Tensor
    y: Tensor
    active: Tensor
    normal: Normal | None


class Answer(NamedTuple):
    """The answers of some texts: what is kept, and the outputs that relevance is asked for.

    Each text has one place or, where words are masked, several; ``there`` is 0 for places that only
    pad. ``logits`` are those of the targets, texts by places.
    """

    states: Tensor
    shown: Tensor
    places: Tensor
    there: Tensor
    steps: list[Stepped]
    features: Tensor
    weights: Tensor
    biases: Tensor
    logits: Tensor

    @property
    def total(self) -> Tensor:
        """What relevance is asked for: the logits of all places of a text."""
        return (self.logits * self.there).sum(dim=1)


class Step:
    """A linear layer with the function and the normalisation that follow it."""

    def __init__(self, dense: Dense) -> None:
        self.linear = Linear(dense.weight, dense.bias)
        self.activation = Activation(dense.function) if dense.function else None
        self.norm = Norm(*dense.norm) if dense.norm else None

    def forward(self, x: Tensor) -> tuple[Tensor, Stepped]:
        """Return the output, and what is kept."""
        y = self.linear.forward(x)
        active = self.activation.forward(y) if self.activation else y
        out, normal = self.norm.forward(active) if self.norm else (active, None)
        return out, Stepped(x, y, active, normal)

    def gradient(self, gradient: Tensor, kept: Stepped) -> Tensor:
        """Return the gradient of the input."""
        if self.norm and kept.normal:
            gradient = self.norm.gradient(gradient, kept.normal)
        if self.activation:
            gradient = gradient * self.activation.slope(kept.y)
        return self.linear.back(gradient)

    def lrp(self, gradient: Tensor, kept: Stepped, biased: Biased) -> Tensor:
        """Return the gradient of the input by the rules of CP-LRP."""
        if self.norm and kept.normal:
            biased.append((self.norm.bias, gradient))
            gradient = self.norm.lrp(gradient, kept.normal)
        if self.activation:
            gradient = gradient * self.activation.ratio(kept.y, kept.active)
        biased.append((self.linear.bias, gradient))
        return self.linear.back(gradient)

    def share(self, relevance: Tensor, kept: Stepped, least: float) -> Tensor:
        """Return the relevance of the input."""
        return self.linear.share(kept.x, kept.y, relevance, least)


class Answering:
    """A head as it is computed; only the asked outputs of its last layer are."""

    def __init__(self, head: Head) -> None:
        self.pooling = head.pooling
        self._steps = [Step(dense) for dense in head.steps[:-1]]
        self._last = Linear(head.steps[-1].weight, head.steps[-1].bias)

    def features(self, states: Tensor, shown: Tensor, places: Tensor) -> Tensor:
        """Return what is taken of the last layer: texts × places × neurons."""
        if self.pooling == "mean":
            return (shown.unsqueeze(1) / shown.sum(dim=1)[:, None, None]) @ states
        index = places.unsqueeze(-1).expand(-1, -1, states.shape[-1])
        return states.gather(1, index)

    def predicted(self, states: Tensor, shown: Tensor, places: Tensor) -> Tensor:
        """Return the logits of all classes."""
        x = self.features(states, shown, places)
        for step in self._steps:
            x, _ = step.forward(x)
        return self._last.forward(x)

    def forward(
        self, states: Tensor, shown: Tensor, places: Tensor, there: Tensor, targets: Tensor | None
    ) -> Answer:
        """Answer; the targets are by default the outputs that are predicted.

        Parameters
        ----------
        states
            The last layer: texts × tokens × neurons.
        shown
            1 for the tokens of each text, 0 for padding.
        places, there
            Which tokens are taken of each text, and 0 where there is none.
        targets
            The outputs whose logits are asked for, texts by places.
        """
        x = self.features(states, shown, places)
        steps = []
        for step in self._steps:
            x, kept = step.forward(x)
            steps.append(kept)
        if targets is None:
            targets = self._last.forward(x).argmax(dim=-1)
        weights = self._last.weight[targets]
        bias = self._last.bias
        biases = x.new_zeros(targets.shape) if bias is None else bias[targets]
        logits = (x * weights).sum(dim=-1) + biases
        return Answer(states, shown, places, there, steps, x, weights, biases, logits)

    def gradient(self, answer: Answer) -> Tensor:
        """Return the gradient of the last layer."""
        found = answer.weights * answer.there.unsqueeze(-1)
        for step, kept in zip(reversed(self._steps), reversed(answer.steps), strict=True):
            found = step.gradient(found, kept)
        return self._spread(found, answer)

    def lrp(self, answer: Answer) -> tuple[Tensor, Biased]:
        """Return the gradient of the last layer by the rules of CP-LRP."""
        found = answer.weights * answer.there.unsqueeze(-1)
        biased: Biased = []
        for step, kept in zip(reversed(self._steps), reversed(answer.steps), strict=True):
            found = step.lrp(found, kept, biased)
        return self._spread(found, answer), biased

    def share(self, answer: Answer, rules: Rules) -> Tensor:
        """Return the relevance of the last layer; that of each text is 1 in all."""
        added = (answer.features * answer.weights).clamp(min=0)
        start = answer.there / answer.there.sum(dim=1, keepdim=True)
        found = added * ratio(start, added.sum(dim=-1)).unsqueeze(-1)
        for step, kept in zip(reversed(self._steps), reversed(answer.steps), strict=True):
            found = step.share(found, kept, rules.least)
        if self.pooling != "mean":
            return self._placed(found, answer)
        # by sizes: shares of opposite signs would grow without bound
        size = answer.states.abs() * answer.shown.unsqueeze(-1)
        return size * ratio(found, size.sum(dim=1, keepdim=True))

    def _spread(self, gradient: Tensor, answer: Answer) -> Tensor:
        """Return the gradient of the last layer from that of what was taken of it."""
        if self.pooling == "mean":
            share = answer.shown / answer.shown.sum(dim=1, keepdim=True)
            return share.unsqueeze(-1) * gradient
        return self._placed(gradient * answer.there.unsqueeze(-1), answer)

    def _placed(self, values: Tensor, answer: Answer) -> Tensor:
        index = answer.places.unsqueeze(-1).expand_as(values)
        return answer.states.new_zeros(answer.states.shape).scatter_add(1, index, values)
