"""One layer of a transformer, forward and back by three rules."""

from __future__ import annotations

from typing import Any, NamedTuple

from tealeaves.evidence.relevance.network.activation import Activation
from tealeaves.evidence.relevance.network.attention import Attended, Attention
from tealeaves.evidence.relevance.network.linear import Linear
from tealeaves.evidence.relevance.network.norm import Norm, Normal
from tealeaves.evidence.relevance.network.sharing import Rules

Tensor = Any
# biases, and the gradients of what they are added to
Biased = list[tuple[Tensor, Tensor]]


class Passed(NamedTuple):
    """What is kept of a forward pass through a layer."""

    x: Tensor
    attended: Attended
    merged: Tensor
    added: Tensor
    first: Normal
    middle: Tensor
    risen: Tensor
    active: Tensor
    fallen: Tensor
    second: Normal


class Layer(NamedTuple):
    """Attention and two linear layers, each added to what came in and normalised."""

    attention: Attention
    out: Linear
    first: Norm
    up: Linear
    activation: Activation
    down: Linear
    second: Norm

    def forward(self, x: Tensor, hidden: Tensor) -> tuple[Tensor, Passed]:
        """Return the output, and what is kept."""
        attended = self.attention.forward(x, hidden)
        merged = self.attention.merged(attended.output)
        added = self.out.forward(merged)
        middle, first = self.first.forward(x + added)
        risen = self.up.forward(middle)
        active = self.activation.forward(risen)
        fallen = self.down.forward(active)
        y, second = self.second.forward(middle + fallen)
        passed = Passed(x, attended, merged, added, first, middle, risen, active, fallen, second)
        return y, passed

    def gradient(self, gradient: Tensor, passed: Passed) -> tuple[Tensor, Tensor]:
        """Return the gradients of the attention and of the input."""
        rest, output = self._gradient_of_output(gradient, passed)
        weights, x = self.attention.gradient(output, passed.attended)
        return weights, rest + x

    def gradient_of_weights(self, gradient: Tensor, passed: Passed) -> Tensor:
        """Return the gradient of the attention, of a layer below which none is asked for."""
        _, output = self._gradient_of_output(gradient, passed)
        return self.attention.gradient_of_weights(output, passed.attended)

    def _gradient_of_output(self, gradient: Tensor, passed: Passed) -> tuple[Tensor, Tensor]:
        """Return what goes past the attention, and what goes to the outputs of its heads."""
        found = self.second.gradient(gradient, passed.second)
        risen = self.down.back(found) * self.activation.slope(passed.risen)
        found = self.first.gradient(found + self.up.back(risen), passed.first)
        return found, self.attention.split(self.out.back(found))

    def lrp(self, gradient: Tensor, passed: Passed) -> tuple[Tensor, Tensor, Biased]:
        """Return the gradients of the heads' outputs and of the input, by the rules of CP-LRP."""
        fallen = self.second.lrp(gradient, passed.second)
        risen = self.down.back(fallen) * self.activation.ratio(passed.risen, passed.active)
        middle = fallen + self.up.back(risen)
        added = self.first.lrp(middle, passed.first)
        output = self.attention.split(self.out.back(added))
        value, x = self.attention.lrp(output, passed.attended)
        biased = [
            (self.second.bias, gradient),
            (self.down.bias, fallen),
            (self.up.bias, risen),
            (self.first.bias, middle),
            (self.out.bias, added),
            (self.attention.value.bias, value),
        ]
        return output, added + x, biased

    def share(self, relevance: Tensor, passed: Passed, rules: Rules) -> tuple[Tensor, Tensor]:
        """Return the relevance of the attention and of the input, by deep Taylor decomposition."""
        rest, output = self._shared_to_output(relevance, passed, rules)
        weights, x = self.attention.share(output, passed.attended, rules)
        return weights, rest + x

    def share_to_weights(self, relevance: Tensor, passed: Passed, rules: Rules) -> Tensor:
        """Return the relevance of the attention, of a layer below which none is asked for."""
        _, output = self._shared_to_output(relevance, passed, rules)
        return self.attention.share_to_weights(output, passed.attended, rules)

    def _shared_to_output(
        self, relevance: Tensor, passed: Passed, rules: Rules
    ) -> tuple[Tensor, Tensor]:
        """Return what goes past the attention, and what goes to the outputs of its heads."""
        least = rules.least
        middle, fallen = rules.of_sum(relevance, passed.middle, passed.fallen)
        active = self.down.share(passed.active, passed.fallen, fallen, least)
        middle = middle + self.up.share(passed.middle, passed.risen, active, least)
        rest, added = rules.of_sum(middle, passed.x, passed.added)
        output = self.out.share(passed.merged, passed.added, added, least)
        return rest, self.attention.split(output)
