"""Heads: what stands between the last layer of a transformer and its answer."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from tealeaves.evidence.attention.network.attention import Biased
from tealeaves.evidence.attention.network.layers import Activation, Linear, Norm, NormTrace
from tealeaves.evidence.attention.network.rules import Rules, ratio

Tensor = Any
Pooling = Literal["cls", "mean", "masked"]
#: Functions that a head may use, by the names that they have in settings of models.
Function = Literal["", "tanh", "gelu", "relu"]


class Scaling(NamedTuple):
    """The weights of a layer normalisation: tensors of as many numbers as there are neurons."""

    weight: Any
    bias: Any
    eps: float


class Dense(NamedTuple):
    """A linear layer, the function that follows it, and a layer normalisation after that.

    ``weight`` is a tensor of outputs by inputs, as torch has it; ``bias`` is a tensor or None.
    """

    weight: Any
    bias: Any = None
    function: Function = ""
    norm: Scaling | None = None


class Head(NamedTuple):
    """What is taken of the last layer, and the linear layers that make the answer of it.

    ``cls`` takes the first token, ``mean`` the mean over all tokens of the text, its ends too;
    ``masked`` takes each masked token, for which the answer is the word that was there.
    """

    pooling: Pooling
    steps: tuple[Dense, ...]

    def to(self, device: Any, dtype: Any) -> Head:
        """Return the head on a device of torch, in a precision."""

        def moved(tensor: Tensor) -> Tensor:
            return None if tensor is None else tensor.to(device=device, dtype=dtype)

        steps = []
        for weight, bias, function, norm in self.steps:
            scaling = norm and Scaling(moved(norm.weight), moved(norm.bias), norm.eps)
            steps.append(Dense(moved(weight), moved(bias), function, scaling))
        return Head(self.pooling, tuple(steps))


class StepTrace(NamedTuple):
    """What is kept of a forward pass through one step of a head."""

    x: Tensor
    y: Tensor
    active: Tensor
    normal: NormTrace | None


class HeadTrace(NamedTuple):
    """What is kept of a forward pass through a head, and the logits that are explained.

    Each text has one position or, if words are masked, several; ``present`` is 0 for padding.
    ``logits`` are those of the targets, texts × positions.
    """

    states: Tensor
    shown: Tensor
    positions: Tensor
    present: Tensor
    steps: list[StepTrace]
    features: Tensor
    weights: Tensor
    biases: Tensor
    logits: Tensor

    @property
    def total(self) -> Tensor:
        """What is explained: the sum of the logits of all positions of a text."""
        return (self.logits * self.present).sum(dim=1)


class FollowedStep:
    """A linear layer with the function and the normalisation that follow it."""

    def __init__(self, dense: Dense) -> None:
        self.linear = Linear(dense.weight, dense.bias)
        self.activation = Activation(dense.function) if dense.function else None
        self.norm = Norm(*dense.norm) if dense.norm else None

    def forward(self, x: Tensor) -> tuple[Tensor, StepTrace]:
        """Return the output, and what is kept."""
        y = self.linear.forward(x)
        active = self.activation.forward(y) if self.activation else y
        out, normal = self.norm.forward(active) if self.norm else (active, None)
        return out, StepTrace(x, y, active, normal)

    def gradient(self, gradient: Tensor, kept: StepTrace) -> Tensor:
        """Return the gradient of the input."""
        if self.norm and kept.normal:
            gradient = self.norm.gradient(gradient, kept.normal)
        if self.activation:
            gradient = gradient * self.activation.slope(kept.y)
        return self.linear.back(gradient)

    def lrp(self, gradient: Tensor, kept: StepTrace, biased: Biased) -> Tensor:
        """Return the gradient of the input by the rules of CP-LRP."""
        if self.norm and kept.normal:
            biased.append((self.norm.bias, gradient))
            gradient = self.norm.lrp(gradient, kept.normal)
        if self.activation:
            gradient = gradient * self.activation.ratio(kept.y, kept.active)
        biased.append((self.linear.bias, gradient))
        return self.linear.back(gradient)

    def share(self, relevance: Tensor, kept: StepTrace, least: float) -> Tensor:
        """Return the relevance of the input."""
        return self.linear.share(kept.x, kept.y, relevance, least)


class FollowedHead:
    """A head that is computed; of its last layer, only the outputs that are explained."""

    def __init__(self, head: Head) -> None:
        self.pooling = head.pooling
        self._steps = [FollowedStep(dense) for dense in head.steps[:-1]]
        self._last = Linear(head.steps[-1].weight, head.steps[-1].bias)

    def features(self, states: Tensor, shown: Tensor, positions: Tensor) -> Tensor:
        """Return what is taken of the last layer: texts × positions × neurons."""
        if self.pooling == "mean":
            return (shown.unsqueeze(1) / shown.sum(dim=1)[:, None, None]) @ states
        index = positions.unsqueeze(-1).expand(-1, -1, states.shape[-1])
        return states.gather(1, index)

    def predicted(self, states: Tensor, shown: Tensor, positions: Tensor) -> Tensor:
        """Return the logits of all classes."""
        x = self.features(states, shown, positions)
        for step in self._steps:
            x, _ = step.forward(x)
        return self._last.forward(x)

    def forward(
        self,
        states: Tensor,
        shown: Tensor,
        positions: Tensor,
        present: Tensor,
        targets: Tensor | None,
    ) -> HeadTrace:
        """Compute the logits of the targets, by default of the predicted outputs.

        Parameters
        ----------
        states
            The last layer: texts × tokens × neurons.
        shown
            1 for the tokens of each text, 0 for padding.
        positions, present
            The tokens that are taken of each text; ``present`` is 0 for padding.
        targets
            The outputs whose logits are explained, texts × positions.
        """
        x = self.features(states, shown, positions)
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
        return HeadTrace(states, shown, positions, present, steps, x, weights, biases, logits)

    def gradient(self, answer: HeadTrace) -> Tensor:
        """Return the gradient of the last layer."""
        gradient = answer.weights * answer.present.unsqueeze(-1)
        for step, kept in zip(reversed(self._steps), reversed(answer.steps), strict=True):
            gradient = step.gradient(gradient, kept)
        return self._spread(gradient, answer)

    def lrp(self, answer: HeadTrace) -> tuple[Tensor, Biased]:
        """Return the gradient of the last layer by the rules of CP-LRP."""
        gradient = answer.weights * answer.present.unsqueeze(-1)
        biased: Biased = []
        for step, kept in zip(reversed(self._steps), reversed(answer.steps), strict=True):
            gradient = step.lrp(gradient, kept, biased)
        return self._spread(gradient, answer), biased

    def share(self, answer: HeadTrace, rules: Rules) -> Tensor:
        """Return the relevance of the last layer; that of each text is 1 in all."""
        added = (answer.features * answer.weights).clamp(min=0)
        start = answer.present / answer.present.sum(dim=1, keepdim=True)
        relevance = added * ratio(start, added.sum(dim=-1)).unsqueeze(-1)
        for step, kept in zip(reversed(self._steps), reversed(answer.steps), strict=True):
            relevance = step.share(relevance, kept, rules.least)
        if self.pooling != "mean":
            return self._placed(relevance, answer)
        # by sizes, because shares of opposite signs would grow without bound
        size = answer.states.abs() * answer.shown.unsqueeze(-1)
        return size * ratio(relevance, size.sum(dim=1, keepdim=True))

    def _spread(self, gradient: Tensor, answer: HeadTrace) -> Tensor:
        """Return the gradient of the last layer from that of what was taken of it."""
        if self.pooling == "mean":
            share = answer.shown / answer.shown.sum(dim=1, keepdim=True)
            return share.unsqueeze(-1) * gradient
        return self._placed(gradient * answer.present.unsqueeze(-1), answer)

    def _placed(self, values: Tensor, answer: HeadTrace) -> Tensor:
        index = answer.positions.unsqueeze(-1).expand_as(values)
        return answer.states.new_zeros(answer.states.shape).scatter_add(1, index, values)
