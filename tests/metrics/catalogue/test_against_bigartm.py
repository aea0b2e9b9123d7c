"""The numbers that BigARTM 0.9.2 itself printed for a small model of its own."""

from __future__ import annotations

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics

WORDS = ("bank", "loan", "money", "river", "the", "of", "rain", "boat")
PHI = [
    [0.0, 0.005445311, 0.0, 0.004187192, 0.4189403, 0.5681262, 0.003301003, 0.0],
    [0.0, 0.0166941, 0.0, 0.0, 0.1055657, 0.0, 0.5987771, 0.2789631],
    [0.2181878, 0.116424, 0.2331322, 0.2391629, 0.1849527, 0.008140272, 0.0, 0.0],
]
TOKENS = [48.91792, 46.76726, 69.31482]  # n_t, expected and so not whole


def scored(spec: str) -> tuple[list[float], float]:
    """Return the values of the topics and of the model."""
    shares = np.array([TOKENS]) / sum(TOKENS)
    model = Topics.of(
        [["bank"]] * 3, model="m", vocabulary=WORDS, topic_word=PHI, document_topic=shares
    )
    scores = tealeaves.score(model, metrics=spec)
    return [row.value for row in scores.topics], scores.models.rows[0].value


@pytest.mark.parametrize(
    ("threshold", "size", "purity", "contrast"),
    [
        (
            0.1,
            [2, 3, 5],
            [0.9870665, 0.9833059, 0.9918596],
            [0.7579373, 0.7077789, 0.8416198],
        ),
        (
            0.25,
            [2, 2, 5],
            [0.9870665, 0.8777402, 0.9918596],
            [0.7579373, 0.9971333, 0.8416198],
        ),
        (
            0.6,
            [1, 2, 4],
            [0.5681262, 0.8777402, 0.8069069],
            [0.9801013, 0.9971333, 0.9682357],
        ),
    ],
)
def test_kernels(
    threshold: float, size: list[float], purity: list[float], contrast: list[float]
) -> None:
    assert scored(f"kernel_size(threshold={threshold})")[0] == size
    assert scored(f"purity(threshold={threshold})")[0] == pytest.approx(purity, abs=1e-6)
    assert scored(f"contrast(threshold={threshold})")[0] == pytest.approx(contrast, abs=1e-6)


@pytest.mark.parametrize(
    ("delta", "direct", "reverse"), [(0.05, 0.625, 1.0), (0.2, 0.5, 0.875), (0.5, 0.5, 0.75)]
)
def test_background_tokens_ratio(delta: float, direct: float, reverse: float) -> None:
    for kl, expected in (("direct", direct), ("reverse", reverse)):
        assert scored(f"background_ratio(rule=bigartm, delta={delta}, kl={kl})")[1] == expected


def test_sparsity() -> None:
    assert scored("sparsity")[1] == 0.375
