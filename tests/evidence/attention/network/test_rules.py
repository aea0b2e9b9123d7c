"""Each rule by itself: linear layers, normalisation, functions, sums and attention."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.evidence.attention.network.attention import Attention
from tealeaves.evidence.attention.network.layers import Activation, Linear, Norm
from tealeaves.evidence.attention.network.rules import CHEFER, SIZES, ratio

from . import plain_rules as plain

torch = pytest.importorskip("torch")
few = settings(max_examples=25)
SEEDS = st.integers(0, 10**6)
FUNCTIONS = ["gelu", "gelu_new", "relu", "silu", "tanh"]


def close(found: Any, expected: Any, within: float = 1e-9) -> None:
    torch.testing.assert_close(found, expected, rtol=within, atol=within)


def draws(seed: int, *shapes: tuple[int, ...]) -> list[Any]:
    source = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=source, dtype=torch.float64) for shape in shapes]


# ---------------------------------------------------------------------- linear layers


@few
@given(SEEDS)
def test_a_net_of_linear_layers(seed: int) -> None:
    """Relevance is gradient times input; that of inputs and biases is the output."""
    x, w, b, v, c = draws(seed, (2, 3, 6), (5, 6), (5,), (1, 5), (1,))
    first, last = Linear(w, b), Linear(v, c)
    y = last.forward(first.forward(x))
    middle = last.back(torch.ones_like(y))
    gradient = first.back(middle)
    given_x = x.clone().requires_grad_()
    out = (given_x @ w.T + b) @ v.T + c
    [expected] = torch.autograd.grad(out.sum(), given_x)
    close(gradient, expected)
    found = (x * gradient).sum(-1) + (middle * b).sum(-1) + c
    close(found, y[..., 0])


@few
@given(SEEDS)
def test_the_z_rule_is_gradient_times_input(seed: int) -> None:
    """Shares x_i w_ki / z_k, with the bias in z_k, of the relevance y_k g_k: its limit is x g."""
    x, w, b, gradient = draws(seed, (6,), (4, 6), (4,), (4,))
    y = w @ x + b
    expected = [
        sum(float(x[i] * w[k, i] / y[k] * (y[k] * gradient[k])) for k in range(4)) for i in range(6)
    ]
    found = x * Linear(w, b).back(gradient)
    close(found, torch.tensor(expected, dtype=torch.float64))


@few
@given(SEEDS, st.integers(1, 9), st.integers(1, 9), st.booleans())
def test_shares_of_linear_layers(seed: int, inputs: int, outputs: int, biased: bool) -> None:
    x, w, b, relevance = draws(seed, (2, 3, inputs), (outputs, inputs), (outputs,), (2, 3, outputs))
    linear = Linear(w, b if biased else None)
    found = linear.share(x, linear.forward(x), relevance)
    close(found, plain.share_linear(x, w, relevance))


def test_shares_by_hand() -> None:
    """Of x = (2, -1) and w = (3, 4; -1, -2), x⁺w⁺ + x⁻w⁻ has (6, 0) and (0, 2)."""
    x, w = torch.tensor([[2.0, -1.0]]), torch.tensor([[3.0, 4.0], [-1.0, -2.0]])
    linear = Linear(w, torch.tensor([5.0, -7.0]))
    found = linear.share(x, linear.forward(x), torch.tensor([[0.25, 0.75]]))
    assert found.tolist() == [[0.25, 0.75]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@few
@given(seed=SEEDS)
def test_an_output_to_which_nothing_adds_shares_nothing(dtype: Any, seed: int) -> None:
    """All products of the first output are below 0: what rounding leaves of them is no share."""
    x, w, b, relevance = draws(seed, (1, 7), (3, 7), (3,), (1, 3))
    w[0] = -w[0].abs() * x[0].sign()
    w[1:] = w[1:].abs() * x[0].sign()  # all products of the others add
    x, w, b, relevance = (tensor.to(dtype) for tensor in (x, w, 9 * b, relevance))
    linear = Linear(w, b)
    found = linear.share(x, linear.forward(x), relevance)
    close(found, plain.share_linear(x, w, relevance), 1e-5 if dtype == torch.float32 else 1e-9)


@few
@given(SEEDS)
def test_shares_are_all_of_it_and_the_doubled_rule_is_not(seed: int) -> None:
    x, w, relevance = draws(seed, (1, 1, 40), (8, 40), (1, 1, 8))
    relevance = relevance.abs() / relevance.abs().sum()
    linear = Linear(w)
    found = linear.share(x, linear.forward(x), relevance)
    close(found.sum(), torch.tensor(1.0, dtype=torch.float64))
    assert (found >= 0).all()
    # this is what a known mistake would give
    close(plain.share_linear_doubled(x, w, relevance).sum(), torch.tensor(2.0, dtype=x.dtype))


# ---------------------------------------------------------------------- normalisation


@few
@given(SEEDS)
def test_normalisation(seed: int) -> None:
    x, weight, bias, gradient = draws(seed, (2, 3, 8), (8,), (8,), (2, 3, 8))
    norm = Norm(weight, bias, 1e-5)
    given_x = x.clone().requires_grad_()
    expected = torch.nn.functional.layer_norm(given_x, (8,), weight, bias, 1e-5)
    y, normal = norm.forward(x)
    close(y, expected.detach())
    [slope] = torch.autograd.grad(expected, given_x, gradient)
    close(norm.gradient(gradient, normal), slope)
    # relevance of input and bias is that of the output
    found = norm.lrp(gradient, normal)
    close((x * found).sum() + (bias * gradient).sum(), (y * gradient).sum())
    # that of the plain gradient is lost, but for eps
    assert abs(float((x * slope).sum() / (x * found).sum())) < 0.05


def test_normalisation_subtracts_the_mean_in_relevance_too() -> None:
    """X = (1, 3): mean 2, deviation 1; with gradients (1, 0) the change is (1 - 1/2, -1/2)."""
    norm = Norm(torch.ones(2), torch.zeros(2), 0.0)
    y, normal = norm.forward(torch.tensor([1.0, 3.0]))
    assert y.tolist() == [-1, 1]
    assert norm.lrp(torch.tensor([1.0, 0.0]), normal).tolist() == [0.5, -0.5]


# ---------------------------------------------------------------------- functions


@pytest.mark.parametrize("name", FUNCTIONS)
@few
@given(seed=SEEDS)
def test_functions_keep_relevance(name: str, seed: int) -> None:
    x, gradient = draws(seed, (3, 8), (3, 8))
    function = Activation(name)
    y = function.forward(x)
    found = gradient * function.ratio(x, y)
    close(x * found, y * gradient)
    step = 1e-6
    slope = (function.forward(x + step) - function.forward(x - step)) / (2 * step)
    smooth = x.abs() > step  # relu has a corner
    close(function.slope(x)[smooth], slope[smooth], 1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_nothing(name: str) -> None:
    zero = torch.zeros(2)
    function = Activation(name)
    assert function.ratio(zero, function.forward(zero)).tolist() == [0, 0]


# ---------------------------------------------------------------------- sums


@few
@given(SEEDS)
def test_shares_of_sums_are_of_each_text(seed: int) -> None:
    a, b, relevance = draws(seed, (3, 4, 5), (3, 4, 5), (3, 4, 5))
    relevance = relevance.abs()
    first, second = CHEFER.of_sum(relevance, a, b)
    close((first + second).sum(dim=(1, 2)), relevance.sum(dim=(1, 2)))
    for text in range(3):
        expected = plain.share_sum(a[text], b[text], relevance[text])
        close(first[text], expected[0])
        close(second[text], expected[1])


def test_shares_of_sums_by_hand() -> None:
    """Neuron 1: 3 and 1 share 4 as 3 and 1; neuron 2: -2 and 1 share 1 as 2 and -1.

    In all 5 and 0: the first has all of it, and the second nothing.
    Of a relevance of 4 and 2 it is 3 + 4 = 7 and 1 - 2 = -1: scaled to 7/8 and 1/8 of 6.
    """
    a, b = torch.tensor([[[3.0, -2.0]]]), torch.tensor([[[1.0, 1.0]]])
    first, second = CHEFER.of_sum(torch.tensor([[[4.0, 1.0]]]), a, b)
    assert first.tolist() == [[[3.0, 2.0]]]
    assert second.tolist() == [[[0.0, 0.0]]]
    first, second = CHEFER.of_sum(torch.tensor([[[4.0, 2.0]]]), a, b)
    close(first, torch.tensor([[[3.0, 4.0]]]) * 6 * 7 / 8 / 7, 1e-6)
    close(second, torch.tensor([[[1.0, -2.0]]]) * 6 * 1 / 8 / -1, 1e-6)


def test_a_ratio_to_nothing_is_nothing() -> None:
    found = ratio(torch.tensor([1.0, 1.0, 0.0]), torch.tensor([0.0, 2.0, 0.0]))
    assert found.tolist() == [0, 0.5, 0]


# ---------------------------------------------------------------------- attention


def attention_of(seed: int) -> tuple[Attention, Any, list[Any]]:
    parts = draws(seed, *[(6, 6), (6,)] * 3, (2, 5, 6))
    x = parts.pop()
    query, key, value = (Linear(*parts[place : place + 2]) for place in (0, 2, 4))
    return Attention(query, key, value, heads=2), x, parts


@few
@given(SEEDS)
def test_gradients_of_attention(seed: int) -> None:
    attention, x, parts = attention_of(seed)
    hidden = torch.zeros((2, 5), dtype=torch.bool)
    hidden[1, 3:] = True
    kept = attention.forward(x, hidden)
    [change] = draws(seed + 1, (2, 2, 5, 3))
    weights, found = attention.gradient(change, kept)
    given_x = x.clone().requires_grad_()
    query, key, value = (
        (given_x @ parts[p].T + parts[p + 1]).view(2, 5, 2, 3).transpose(1, 2) for p in (0, 2, 4)
    )
    scores = query @ key.transpose(-1, -2) / 3**0.5
    scores = scores.masked_fill(hidden[:, None, None, :], -1e30)
    of_weights = scores.softmax(-1)
    output = of_weights @ value
    close(kept.output, output.detach())
    expected, slope = torch.autograd.grad(output, [of_weights, given_x], change)
    close(weights, expected)
    close(found, slope)


@few
@given(SEEDS)
def test_relevance_of_attention(seed: int) -> None:
    """What the heads have is what values and their bias have, the attention being constant."""
    attention, x, parts = attention_of(seed)
    kept = attention.forward(x, torch.zeros((2, 5), dtype=torch.bool))
    [change] = draws(seed + 1, (2, 2, 5, 3))
    value, found = attention.lrp(change, kept)
    close((x * found).sum() + (value * parts[5]).sum(), (kept.output * change).sum())


@few
@given(SEEDS)
def test_shares_of_attention(seed: int) -> None:
    attention, x, parts = attention_of(seed)
    kept = attention.forward(x, torch.zeros((2, 5), dtype=torch.bool))
    [relevance] = draws(seed + 1, (2, 2, 5, 3))
    weights, found = attention.share(relevance, kept, CHEFER)
    close(attention.share_to_weights(relevance, kept, CHEFER), weights, 1e-12)
    of_weights, value = plain.share_product(kept.weights, kept.value, relevance)
    query, key = plain.share_product(kept.query, kept.key.transpose(-1, -2), of_weights)
    close(weights, of_weights, 1e-8)
    expected = torch.zeros_like(x)
    for part, place in ((query, 0), (key.transpose(-1, -2), 2), (value, 4)):
        merged = part.transpose(1, 2).flatten(2)
        expected = expected + plain.share_linear(x, parts[place], merged)
    size = float(expected.abs().max())
    close(found / size, expected / size, 1e-7)


def test_shares_of_sums_by_size() -> None:
    """Neuron 1: 3 and -1 share 4 as 3 and 1; neuron 2: -2 and 2, whose sum is 0, share 1 alike."""
    a, b = torch.tensor([[[3.0, -2.0]]]), torch.tensor([[[-1.0, 2.0]]])
    first, second = SIZES.of_sum(torch.tensor([[[4.0, 1.0]]]), a, b)
    assert first.tolist() == [[[3.0, 0.5]]]
    assert second.tolist() == [[[1.0, 0.5]]]


def test_where_no_input_adds_anything_all_contributions_share() -> None:
    """Inputs 1 and 3 contribute -1 and -3 to the only output: quarters of its relevance."""
    linear = Linear(torch.tensor([[-1.0, -1.0]], dtype=torch.float64))
    x = torch.tensor([[1.0, 3.0]], dtype=torch.float64)
    relevance = torch.tensor([[1.0]], dtype=torch.float64)
    found = linear.share(x, linear.forward(x), relevance, SIZES.least)
    close(found, torch.tensor([[0.25, 0.75]], dtype=torch.float64))
    assert not linear.share(x, linear.forward(x), relevance).any()
