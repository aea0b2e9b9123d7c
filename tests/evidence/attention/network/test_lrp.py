"""CP-LRP: relevance is conserved, and is gradient times input of torch's own differentiation."""

from __future__ import annotations

from typing import Any

import pytest

from tealeaves.evidence.attention.network.head import Pooling
from tealeaves.evidence.attention.network.network import Batch, Network, Trace

from . import plain_rules as plain
from .tiny_models import FAMILIES, HEADS_OF_MODELS, a_batch, a_head, single, some_texts, tiny

torch = pytest.importorskip("torch")
CASES = pytest.mark.parametrize(("pooling", "steps"), HEADS_OF_MODELS)


def close(found: Any, expected: Any, within: float = 1e-9) -> None:
    torch.testing.assert_close(found, expected, rtol=within, atol=within)


def flows(network: Network, trace: Trace) -> list[tuple[Any, Any]]:
    """Return for each layer the matrices of all heads, and the relevance of their outputs."""
    found: list[tuple[Any, Any]] = [()] * network.layers  # type: ignore[list-item]
    for number, gradient in network.lrp(trace):
        kept = trace.layers[number].attended
        matrices = kept.weights * (gradient @ kept.value.transpose(-1, -2))
        found[number] = (matrices, (kept.output * gradient).sum(dim=(2, 3)))
    return found


def setting(pooling: Pooling, steps: bool, family: str = "bert") -> tuple[Network, Batch, Trace]:
    network = Network(tiny(family), a_head(pooling, steps=steps))
    batch = a_batch(some_texts(), pooling)
    return network, batch, network.forward(batch)


@CASES
def test_relevance_is_conserved(pooling: Pooling, steps: bool) -> None:
    network, _, trace = setting(pooling, steps)
    assert trace.answer.total.abs().min() > 0.01
    close(network.conserved(trace), trace.answer.total)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_relevance_is_conserved_in_all_families(family: str, pooling: Pooling) -> None:
    network, _, trace = setting(pooling, True, family)
    close(network.conserved(trace), trace.answer.total)


def test_without_biases_word_pieces_have_all_of_it() -> None:
    model = tiny()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                weight.zero_()
    head = a_head(steps=True)
    head = head._replace(steps=tuple(step._replace(bias=None) for step in head.steps))
    network = Network(model, head)
    trace = network.forward(a_batch(some_texts()))
    *_, (_, _, gradient, _) = network._lrp(trace)
    close((trace.start * gradient).sum(dim=(1, 2)), trace.answer.total)


@CASES
@pytest.mark.parametrize("family", ["bert", "electra-small"])
def test_against_plain_differentiation(pooling: Pooling, steps: bool, family: str) -> None:
    model, head = tiny(family), a_head(pooling, steps=steps)
    batch = a_batch(some_texts(), pooling)
    network = Network(model, head)
    found = flows(network, network.forward(batch))
    for row in range(3):
        one = single(batch, row)
        size = one.ids.shape[1]
        expected = plain.lrp(model, head, one)
        for number, (matrices, heads) in enumerate(found):
            close(matrices[row, :, :size, :size], expected.matrices[number])
            close(heads[row], expected.heads[number])
            assert matrices[row].abs().max() > 1e-6  # something is compared


@CASES
def test_a_matrix_has_the_relevance_of_its_head(pooling: Pooling, steps: bool) -> None:
    network, _, trace = setting(pooling, steps)
    for matrices, heads in flows(network, trace):
        close(matrices.sum(dim=(2, 3)), heads)


@CASES
def test_padding_gets_nothing(pooling: Pooling, steps: bool) -> None:
    network, batch, trace = setting(pooling, steps)
    hidden = batch.shown == 0
    assert hidden.any()
    *_, (_, _, gradient, _) = network._lrp(trace)
    assert not gradient[hidden].any()
    for matrices, _ in flows(network, trace):
        assert not matrices.transpose(1, 2)[hidden].any()  # rows
        assert not matrices.permute(0, 3, 1, 2)[hidden].any()  # columns


def test_only_the_first_token_attends_in_the_last_layer() -> None:
    """With the first token alone taken of it, no two words have relevance there."""
    for steps in (False, True):
        network, _, trace = setting("cls", steps)
        *lower, (last, _) = flows(network, trace)
        assert not last[:, :, 1:].any()
        assert last[:, :, 0].any()
        assert all(matrices[:, :, 1:, 1:].any() for matrices, _ in lower)


@CASES
def test_a_batch_is_its_texts(pooling: Pooling, steps: bool) -> None:
    network, batch, trace = setting(pooling, steps)
    found = flows(network, trace)
    for row in range(3):
        one = single(batch, row)
        size = one.ids.shape[1]
        alone = network.forward(one)
        close(alone.answer.total[0], trace.answer.total[row], 1e-12)
        for (matrices, heads), (expected, of_heads) in zip(
            found, flows(network, alone), strict=True
        ):
            close(matrices[row, :, :size, :size], expected[0], 1e-12)
            close(heads[row], of_heads[0], 1e-12)


def test_relevance_scales_with_the_answer() -> None:
    """Twice the last layer is twice the relevance; the shares stay as they are."""
    head = a_head(steps=True)
    last = head.steps[-1]
    twice = head._replace(
        steps=(*head.steps[:-1], last._replace(weight=2 * last.weight, bias=2 * last.bias))
    )
    batch = a_batch(some_texts())
    one, two = Network(tiny(), head), Network(tiny(), twice)
    first, second = one.forward(batch), two.forward(batch)
    for (a, _), (b, _) in zip(flows(one, first), flows(two, second), strict=True):
        close(b, 2 * a, 1e-12)
    for (_, a), (_, b) in zip(one.gradients(first), two.gradients(second), strict=True):
        close(b, 2 * a, 1e-12)
    # this one starts with 1 in any case
    for (_, a), (_, b) in zip(one.decomposed(first), two.decomposed(second), strict=True):
        close(a, b, 1e-12)


def test_single_precision_is_near_double() -> None:
    batch = a_batch(some_texts())
    single_precision = Network(tiny(dtype=torch.float32), a_head(dtype=torch.float32))
    trace = single_precision.forward(batch)
    assert trace.answer.total.dtype == torch.float32
    lost = (single_precision.conserved(trace) - trace.answer.total).abs() / trace.answer.total.abs()
    assert lost.max() < 1e-4
