"""``Network``: a transformer and its head, followed forward and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tealeaves.evidence.attention.network.attention import Biased, LayerTrace
from tealeaves.evidence.attention.network.families import encoder_parts
from tealeaves.evidence.attention.network.head import FollowedHead, Head, HeadTrace
from tealeaves.evidence.attention.network.rules import RULES, RuleName

Tensor = Any
#: Below this size, a logit is too close to 0 for its parts to be shares of it.
SMALLEST_LOGIT = 1e-6


class Batch(NamedTuple):
    """Texts that go through the network together.

    Parameters
    ----------
    ids
        Word pieces, texts by tokens, padded.
    shown
        1 for word pieces, 0 for padding.
    positions, present
        The tokens whose answer is explained, by default the first; ``present`` is 0 for padding.
    targets
        The outputs that are explained, by default those that are predicted.
    """

    ids: Tensor
    shown: Tensor
    positions: Tensor | None = None
    present: Tensor | None = None
    targets: Tensor | None = None


class Trace(NamedTuple):
    """What is kept of a forward pass of a batch through the network."""

    start: Tensor
    layers: list[LayerTrace]
    answer: HeadTrace

    @property
    def attention(self) -> list[Tensor]:
        """The attention of each layer: texts × heads × tokens × tokens."""
        return [layer.attended.weights for layer in self.layers]


class Network:
    """A transformer and its head, followed forward and back.

    The model is read, never changed. Everything is computed by products of whole batches; texts do
    not see each other, and padding sees and gets nothing.

    Parameters
    ----------
    model
        An encoder of the package transformers.
    head
        What makes the answer of its last layer.
    rules
        How deep Taylor decomposition shares out relevance.
    """

    def __init__(self, model: Any, head: Head, rules: RuleName = "sizes") -> None:
        self.rules: RuleName = rules
        self._rules = RULES[rules]
        self._embed, self._layers, self.heads = encoder_parts(model)
        self._head = FollowedHead(head)
        self.layers = len(self._layers)
        self.device = self._layers[0].out.weight.device

    def forward(self, batch: Batch) -> Trace:
        """Compute the answers of texts; no graph of torch is kept."""
        import torch

        with torch.no_grad():
            start = states = self._embed(batch.ids)
            hidden = batch.shown == 0
            layers = []
            for layer in self._layers:
                states, kept = layer.forward(states, hidden)
                layers.append(kept)
            shown = batch.shown.to(states.dtype)
            positions = batch.positions
            if positions is None:
                positions = batch.ids.new_zeros((len(states), 1))
            present = torch.ones_like(positions) if batch.present is None else batch.present
            answer = self._head.forward(
                states, shown, positions, present.to(states.dtype), batch.targets
            )
        return Trace(start, layers, answer)

    def predicted(self, trace: Trace) -> Tensor:
        """Return the logits of all outputs, texts × positions × outputs."""
        answer = trace.answer
        return self._head.predicted(answer.states, answer.shown, answer.positions)

    def lrp(self, trace: Trace) -> Iterator[tuple[int, Tensor]]:
        """Yield from the last layer to the first its number and the gradients of its heads' outputs
        by the rules of CP-LRP, of the total of each text.
        """
        for number, output, _, _ in self._lrp(trace):
            yield number, output

    def _lrp(self, trace: Trace) -> Iterator[tuple[int, Tensor, Tensor, Biased]]:
        gradient, biased = self._head.lrp(trace.answer)
        for number in reversed(range(self.layers)):
            output, gradient, more = self._layers[number].lrp(gradient, trace.layers[number])
            biased += more
            yield number, output, gradient, biased

    def conserved(self, trace: Trace) -> Tensor:
        """Return for each text all relevance that LRP finds, of word pieces and biases alike.

        It equals the total that is explained, unless a rule loses some.
        """
        *_, (_, _, gradient, biased) = self._lrp(trace)
        total = (trace.start * gradient).sum(dim=(1, 2))
        answer = trace.answer
        total = total + (answer.biases * answer.present).sum(dim=1)
        for bias, change in biased:
            if bias is not None:
                total = total + (change * bias).flatten(1).sum(dim=1)
        return total

    def gradients(self, trace: Trace) -> Iterator[tuple[int, Tensor]]:
        """Yield from the last layer to the first its number and the gradient of its attention."""
        gradient = self._head.gradient(trace.answer)
        for number in reversed(range(1, self.layers)):
            weights, gradient = self._layers[number].gradient(gradient, trace.layers[number])
            yield number, weights
        yield 0, self._layers[0].gradient_of_weights(gradient, trace.layers[0])

    def decomposed(self, trace: Trace) -> Iterator[tuple[int, Tensor]]:
        """Yield from the last layer to the first its number and the relevance of its attention by
        deep Taylor decomposition; each text has the relevance 1.
        """
        relevance = self._head.share(trace.answer, self._rules)
        for number in reversed(range(1, self.layers)):
            kept = trace.layers[number]
            weights, relevance = self._layers[number].share(relevance, kept, self._rules)
            yield number, weights
        yield 0, self._layers[0].share_to_weights(relevance, trace.layers[0], self._rules)

    def rollout(self, trace: Trace) -> Tensor:
        """Return Improved LRP: texts × tokens × tokens, rows the tokens of the last layer.

        C = Ā_n … Ā_1 with Ā_l = I + mean over heads of relu(∇A_l ⊙ R_l), R by deep Taylor
        decomposition (Chefer et al. 2021).
        """
        product = None
        pairs = zip(self.gradients(trace), self.decomposed(trace), strict=True)
        for (_, gradient), (_, relevance) in pairs:
            step = (gradient * relevance).clamp(min=0).mean(dim=1)
            step.diagonal(dim1=-2, dim2=-1).add_(1)
            product = step if product is None else product @ step
        return product
