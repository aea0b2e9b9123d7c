"""Models as expressions and values."""

from __future__ import annotations

import pytest

from tealeaves.errors import InputError
from tealeaves.models import MODELS, model, train
from tealeaves.models.model import Model

TEXTS = ["cat dog cat mouse", "dog cat mouse", "", "soup bread salt", "bread soup bread salt", "?"]


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_written_as_it_is_read(name: str) -> None:
    one = model(name)(seed=7, min_df=3)
    assert model(repr(one)) == one
    assert one.family == model(repr(one)).family
    assert "seed" not in one.family
    assert one.summary
    assert one.cite


@pytest.mark.parametrize(
    ("spec", "changes", "message"),
    [
        ("lad", {}, "unknown model lad; did you mean lda?"),
        ("lda(k=0)", {}, "k must be a whole number of at least 1 and of at most 32767, not 0"),
        ("lda(iteration=5)", {}, "no parameter iteration; did you mean iterations?"),
        ("lda@10", {}, "a model takes no @10"),
        ("hdp", {"k": 5}, "hdp has no parameter k"),
        ("lda(alpha=0)", {}, "alpha must be a number of more than 0, not 0"),
        ("lda(k=5)", {}, "more topics than texts with words: memory has 4"),
        ("lda(k=2, min_df=9)", {}, "set min_df and max_df"),
        ("lda(k=2, iterations=10, samples=6)", {}, "samples must be at most 5, half"),
    ],
)
def test_wrong_models_are_one_clear_line(spec: str, changes: dict[str, int], message: str) -> None:
    with pytest.raises(InputError) as caught:
        train(model(spec)(**changes), TEXTS)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_model_is_a_value() -> None:
    assert isinstance(model("lda"), Model)
    assert model("lda(k=8)") == model("lda")(k=8)
    assert hash(model("lda(k=8)")) == hash(model("lda")(k=8))
    assert model("lda(k=8, eta=0.2)").family == "lda(k=8)"
    assert model("lda(k=8, seed=3)").label == "lda-8-3"
    assert model("hdp(seed=3)").label == "hdp-3"
