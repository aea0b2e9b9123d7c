"""``Network``: a transformer and its head, followed forward and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tealeaves.evidence.relevance.network.answer import Answer, Answering
from tealeaves.evidence.relevance.network.following import parts_of
from tealeaves.evidence.relevance.network.head import Head
from tealeaves.evidence.relevance.network.layer import Biased, Passed
from tealeaves.evidence.relevance.network.sharing import RULES, RuleName

Tensor = Any


class Batch(NamedTuple):
    """Texts that go through the network together.

    Parameters
    ----------
    ids
        Word pieces, texts by tokens, padded.
    shown
        1 for word pieces, 0 for padding.
    places, there
        The tokens whose answer is asked for, 0 where there is none; by default the first token.
    targets
        The outputs that relevance is asked for, by default those that are predicted.
    """

    ids: Tensor
    shown: Tensor
    places: Tensor | None = None
    there: Tensor | None = None
    targets: Tensor | None = None


class Trace(NamedTuple):
    """What is kept of the way of a batch through the network."""

    start: Tensor
    layers: list[Passed]
    answer: Answer

    @property
    def attention(self) -> list[Tensor]:
        """The attention of each layer: texts × heads × tokens × tokens."""
        return [passed.attended.weights for passed in self.layers]


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
        self._embed, self._layers, self.heads = parts_of(model)
        self._answering = Answering(head)
        self.layers = len(self._layers)
        self.device = self._layers[0].out.weight.device

    def forward(self, batch: Batch) -> Trace:
        """Let texts through."""
        import torch

        with torch.no_grad():
            start = states = self._embed(batch.ids)
            hidden = batch.shown == 0
            passed = []
            for layer in self._layers:
                states, kept = layer.forward(states, hidden)
                passed.append(kept)
            shown = batch.shown.to(states.dtype)
            places = batch.ids.new_zeros((len(states), 1)) if batch.places is None else batch.places
            there = torch.ones_like(places) if batch.there is None else batch.there
            answer = self._answering.forward(
                states, shown, places, there.to(states.dtype), batch.targets
            )
        return Trace(start, passed, answer)  # without a graph, as all weights are detached

    def predicted(self, trace: Trace) -> Tensor:
        """Return the logits of all outputs, texts × places × outputs."""
        answer = trace.answer
        return self._answering.predicted(answer.states, answer.shown, answer.places)

    def lrp(self, trace: Trace) -> Iterator[tuple[int, Tensor]]:
        """Yield from the last layer to the first its number and the gradients of its heads' outputs
        by the rules of CP-LRP, of the total of each text.
        """
        for number, output, _, _ in self._lrp(trace):
            yield number, output

    def _lrp(self, trace: Trace) -> Iterator[tuple[int, Tensor, Tensor, Biased]]:
        gradient, biased = self._answering.lrp(trace.answer)
        for number in reversed(range(self.layers)):
            output, gradient, more = self._layers[number].lrp(gradient, trace.layers[number])
            biased += more
            yield number, output, gradient, biased

    def conserved(self, trace: Trace) -> Tensor:
        """Return for each text all relevance that LRP finds, of word pieces and biases alike.

        It is the total that was asked for, unless a rule loses some.
        """
        *_, (_, _, gradient, biased) = self._lrp(trace)
        found = (trace.start * gradient).sum(dim=(1, 2))
        answer = trace.answer
        found = found + (answer.biases * answer.there).sum(dim=1)
        for bias, change in biased:
            if bias is not None:
                found = found + (change * bias).flatten(1).sum(dim=1)
        return found

    def gradients(self, trace: Trace) -> Iterator[tuple[int, Tensor]]:
        """Yield from the last layer to the first its number and the gradient of its attention."""
        gradient = self._answering.gradient(trace.answer)
        for number in reversed(range(1, self.layers)):
            weights, gradient = self._layers[number].gradient(gradient, trace.layers[number])
            yield number, weights
        yield 0, self._layers[0].gradient_of_weights(gradient, trace.layers[0])

    def decomposed(self, trace: Trace) -> Iterator[tuple[int, Tensor]]:
        """Yield from the last layer to the first its number and the relevance of its attention by
        deep Taylor decomposition; each text has the relevance 1.
        """
        relevance = self._answering.share(trace.answer, self._rules)
        for number in reversed(range(1, self.layers)):
            weights, relevance = self._shared(number, relevance, trace)
            yield number, weights
        yield 0, self._layers[0].share_to_weights(relevance, trace.layers[0], self._rules)

    def _shared(self, number: int, relevance: Tensor, trace: Trace) -> tuple[Tensor, Tensor]:
        return self._layers[number].share(relevance, trace.layers[number], self._rules)

    def rollout(self, trace: Trace) -> Tensor:
        """Return Improved LRP: texts × tokens × tokens, rows the tokens of the last layer.

        C = Ā_n … Ā_1 with Ā_l = I + mean over heads of relu(∇A_l ⊙ R_l), R by deep Taylor
        decomposition (Chefer et al. 2021).
        """
        found = None
        pairs = zip(self.gradients(trace), self.decomposed(trace), strict=True)
        for (_, gradient), (_, relevance) in pairs:
            step = (gradient * relevance).clamp(min=0).mean(dim=1)
            step.diagonal(dim1=-2, dim2=-1).add_(1)
            found = step if found is None else found @ step
        return found
