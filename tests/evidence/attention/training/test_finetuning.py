"""Fine-tuning on labels, with a tiny random BERT."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier, model_hash
from tealeaves.evidence.attention.classifiers.encoders import Encoder, open_encoder
from tealeaves.evidence.attention.training.examples import Examples, split_rows
from tealeaves.evidence.attention.training.finetuning import Classes, finetune
from tealeaves.evidence.attention.training.loop import EpochMeasures, train
from tealeaves.evidence.attention.training.pieces import random_batches, split_texts
from tealeaves.evidence.attention.training.report import accuracy, macro_f1
from tealeaves.evidence.attention.training.settings import (
    PRESETS,
    FitOptions,
    FitSettings,
    settings_of,
)

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

GROUPS = ("cat dog pet", "car road wheel", "rain sun wind")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
QUICK = FitSettings(longest=16, batch=8, rate=3e-3, epochs=3, patience=3)
PLAN = FitOptions(held_out=0.25, device="cpu")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    pieces = [*SPECIAL, *" ".join(GROUPS).split(), "##s"]
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=37,
        max_position_embeddings=20,
        initializer_range=0.2,
    )
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    return open_encoder(
        (transformers.BertModel(config), transformers.BertTokenizer(vocab=vocabulary))
    )


def _examples(number: int = 48, *, noise: float = 0.0, seed: int = 0) -> Examples:
    """Texts of the words of one group; some have the label of another one."""
    random = np.random.default_rng(seed)
    classes = np.arange(number) % len(GROUPS)
    words = [
        [str(word) for word in random.choice(GROUPS[c].split(), random.integers(2, 9))]
        for c in classes
    ]
    wrong = random.random(number) < noise
    classes = np.where(wrong, random.integers(0, len(GROUPS), number), classes)
    return Examples(words, classes, ("pets", "traffic", "weather"), {"corpus": "toy"})


@pytest.fixture(scope="module")
def fitted(encoder: Encoder) -> Classifier:
    settings = msgspec.structs.replace(QUICK, epochs=12, patience=12)
    return finetune(encoder, _examples(), settings, PLAN)


def _own_answers(classifier: Classifier, texts: list[list[str]]) -> list[int]:
    """Classes by the head alone, one text at a time: nothing is shared with the fit."""
    found = []
    for words in texts:
        given = classifier.tokenizer([words], is_split_into_words=True, return_tensors="pt")
        with torch.no_grad():
            state = classifier.model(**given).last_hidden_state
        state = state[:, 0] if classifier.head.pooling == "cls" else state.mean(dim=1)
        for step in classifier.head.steps:
            state = state @ step.weight.T + step.bias
            state = torch.tanh(state) if step.function == "tanh" else state
        found.append(int(state.argmax()))
    return found


def test_the_loss_falls_and_classes_that_differ_are_told(fitted: Classifier) -> None:
    losses = [epoch["loss"] for epoch in fitted.report["epochs"]]
    assert losses[0] > 0.5
    assert losses[-1] < 0.1 * losses[0]
    assert fitted.report["f1"] == fitted.report["accuracy"] == 1
    assert (fitted.kind, fitted.labels) == ("finetuned", ("pets", "traffic", "weather"))
    assert (fitted.report["fitted"], fitted.report["held_out"]) == (36, 12)
    assert _own_answers(fitted, [["rain", "wind"], ["car"], ["dog", "pet"]]) == [2, 1, 0]


@pytest.mark.parametrize("pooling", ["pooler", "cls", "mean"])
def test_reported_f1_is_that_of_the_head_on_held_out_texts(encoder: Encoder, pooling: Any) -> None:
    examples = _examples(noise=0.4)
    plan = PLAN._replace(pooling=pooling)
    found = finetune(encoder, examples, msgspec.structs.replace(QUICK, epochs=2), plan)
    _, held = split_rows(examples.classes, 0.25, QUICK.seed)
    answers = _own_answers(found, [examples.words[row] for row in held])
    true = examples.classes[held]
    assert 0.2 < found.report["f1"] < 1
    assert found.report["f1"] == pytest.approx(
        sklearn.metrics.f1_score(true, answers, average="macro")
    )
    assert found.report["accuracy"] == pytest.approx(sklearn.metrics.accuracy_score(true, answers))


def test_the_head_goes_through_the_pooler_of_the_encoder(fitted: Classifier) -> None:
    first, last = fitted.head.steps
    assert (first.function, first.weight.shape, last.weight.shape) == ("tanh", (32, 32), (3, 32))
    assert torch.equal(first.weight, fitted.model.pooler.dense.weight)


def test_an_encoder_without_a_trained_pooler_has_one_linear_layer(encoder: Encoder) -> None:
    settings = msgspec.structs.replace(QUICK, epochs=1)
    found = finetune(encoder._replace(pooler=None), _examples(24), settings, PLAN)
    assert [step.weight.shape for step in found.head.steps] == [(3, 32)]
    assert found.head.pooling == "cls"


def test_it_is_the_same_after_saving_beside_its_checkpoints(
    encoder: Encoder, tmp_path: Path
) -> None:
    settings = msgspec.structs.replace(QUICK, epochs=1)
    found = finetune(encoder, _examples(24), settings, PLAN._replace(folder=tmp_path))
    found.save(tmp_path)
    loaded = Classifier.load(tmp_path)
    assert loaded == found
    assert loaded.report == found.report
    texts = [["rain", "wind"], ["car"], ["dog", "pet"]]
    assert _own_answers(loaded, texts) == _own_answers(found, texts)


def test_the_given_encoder_and_the_global_state_stay_as_they_are(encoder: Encoder) -> None:
    before = model_hash(encoder.model), torch.random.get_rng_state()
    found = finetune(encoder, _examples(24), msgspec.structs.replace(QUICK, epochs=1), PLAN)
    assert model_hash(encoder.model) == before[0] != model_hash(found.model)
    assert torch.equal(torch.random.get_rng_state(), before[1])
    assert not encoder.model.training
    assert not found.model.training
    assert all(weight.grad is None for weight in encoder.model.parameters())


def test_the_seed_decides_everything(encoder: Encoder) -> None:
    one, same, other = (
        finetune(encoder, _examples(24), msgspec.structs.replace(QUICK, epochs=1, seed=seed), PLAN)
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_the_best_epoch_is_kept_and_patience_ends_the_fit(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = iter([0.2, 0.6, 0.6, 0.5, 0.9])
    weights = []

    def evaluate(self: Classes) -> EpochMeasures:
        weights.append(self.head().steps[-1].weight)
        return {"f1": next(scores)}

    monkeypatch.setattr(Classes, "evaluate", evaluate)
    settings = msgspec.structs.replace(QUICK, epochs=5, patience=2)
    found = finetune(encoder, _examples(24), settings, PLAN)
    # the third is as good as the second, the fourth is worse: two that are no better
    assert [epoch["f1"] for epoch in found.report["epochs"]] == [0.2, 0.6, 0.6, 0.5]
    assert (found.report["best_epoch"], found.report["f1"]) == (2, 0.6)
    assert torch.equal(found.head.steps[-1].weight, weights[1])
    assert not torch.equal(found.head.steps[-1].weight, weights[3])


def test_without_held_out_texts_the_last_epoch_is_kept(encoder: Encoder) -> None:
    task = Classes(encoder, 3, QUICK)
    examples = _examples(24)
    pieces = split_texts(encoder.tokenizer, examples.words, 16).pieces
    task.learn(pieces, examples.classes)
    course = train(task, QUICK, PLAN, fit="")
    assert course.best == len(course.epochs) == 3


def test_dropout_is_on_while_fitting_and_off_while_measuring(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[tuple[str, bool]] = []
    loss, evaluate = Classes.loss, Classes.evaluate

    def noted(name: str, old: Any) -> Any:
        def new(self: Classes, *given: Any) -> Any:
            modes.append((name, self.model.training))
            return old(self, *given)

        return new

    monkeypatch.setattr(Classes, "loss", noted("loss", loss))
    monkeypatch.setattr(Classes, "evaluate", noted("evaluate", evaluate))
    finetune(encoder, _examples(24), msgspec.structs.replace(QUICK, epochs=2), PLAN)
    assert set(modes) == {("loss", True), ("evaluate", False)}


def test_the_first_step_is_that_of_adamw_as_it_is_written_down(encoder: Encoder) -> None:
    # After one step m/(1-b1) = g and v/(1-b2) = g*g, so every weight moves by rate * g/(|g|+1e-8);
    # weights, not biases, shrink by rate * decay. The gradient g is cut to length 1 before.
    settings = FitSettings(longest=16, batch=6, rate=0.01, epochs=1, warm_up=0.0, decay=0.5)
    task = Classes(encoder, 3, settings)
    examples = _examples(6)
    task.learn(split_texts(encoder.tokenizer, examples.words, 16).pieces, examples.classes)
    task.network.eval()
    task.network.train = lambda mode=True: task.network  # no dropout in this one
    layer = task.network["classifier"]
    task.loss(np.arange(6), np.random.default_rng(0)).backward()
    norm = sum(float((w.grad**2).sum()) for w in task.network.parameters()) ** 0.5
    assert norm > 1
    moves = [layer.weight.grad / norm, layer.bias.grad / norm]
    moves = [0.01 * g / (g.abs() + 1e-8) for g in moves]
    expected = [layer.weight.detach() * (1 - 0.01 * 0.5) - moves[0], -moves[1]]
    task.network.zero_grad(set_to_none=True)
    train(task, settings, PLAN, fit="")
    assert torch.allclose(layer.weight, expected[0], atol=1e-5)
    assert torch.allclose(layer.bias, expected[1], atol=1e-5)


def test_a_single_class_is_refused(encoder: Encoder) -> None:
    examples = Examples([["cat"]] * 4, np.zeros(4, dtype=np.int64), ("pets",), {})
    with pytest.raises(InputError, match="two classes"):
        finetune(encoder, examples, QUICK, PLAN)


def test_a_rate_that_destroys_the_weights_is_named(encoder: Encoder) -> None:
    settings = msgspec.structs.replace(QUICK, rate=1e30, warm_up=0.0)
    with pytest.raises(InputError, match=r"rate 1e\+30: the loss is not a number in epoch 1"):
        finetune(encoder, _examples(24), settings, PLAN)


def test_longer_texts_than_the_encoder_can_take_are_cut(encoder: Encoder) -> None:
    settings = msgspec.structs.replace(QUICK, longest=128, epochs=1)
    examples = _examples(24)
    long = examples._replace(words=[words * 20 for words in examples.words])
    found = finetune(encoder, long, settings, PLAN)
    assert (found.longest, found.report["cut"]) == (20, 24)
    assert found.report["largest_class"] == pytest.approx(2 / 6)  # six held out, two of each class


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
def test_f1_and_accuracy_are_those_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    true, found = (list(side) for side in zip(*pairs, strict=True))
    expected = sklearn.metrics.f1_score(true, found, average="macro", zero_division=0)
    assert macro_f1(true, found) == pytest.approx(expected)
    assert accuracy(true, found) == pytest.approx(sklearn.metrics.accuracy_score(true, found))


@given(st.lists(st.integers(2, 40), max_size=300), st.integers(1, 9), st.integers(0, 3))
def test_batches_hold_each_text_once_beside_its_like(
    lengths: list[int], size: int, seed: int
) -> None:
    found = random_batches(np.array(lengths, dtype=np.int64), size, np.random.default_rng(seed))
    assert sorted(row for batch in found for row in batch) == list(range(len(lengths)))
    assert len(found) == -(-len(lengths) // size)
    assert all(len(batch) <= size for batch in found)
    if len(lengths) <= 50 * size:  # all in one window: no batch reaches into another's lengths
        spans = sorted((min(lengths[r] for r in b), max(lengths[r] for r in b)) for b in found)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))


def test_presets_are_those_of_the_paper() -> None:
    table = {name: (one.longest, one.batch, one.rate, one.epochs) for name, one in PRESETS.items()}
    assert table == {
        "20ng": (128, 8, 5e-5, 5),
        "lenta": (256, 8, 1e-5, 5),
        "amazon": (256, 8, 1e-5, 5),
    }
    changed = settings_of("amazon", rate=2e-5, batch=None)
    assert (changed.rate, changed.batch, changed.longest) == (2e-5, 8, 256)


@pytest.mark.parametrize(
    ("preset", "changed", "told"),
    [
        ("20gn", {}, "20gn: no such preset; did you mean 20ng?"),
        (None, {"rat": 1}, "the fit has no parameter rat; did you mean rate?"),
        (None, {"batch": 0}, "the fit: batch must be a whole number of at least 1, not 0"),
        (None, {"batch": 2.5}, "batch must be a whole number of at least 1, not 2.5"),
        (None, {"rate": -1.0}, "rate must be a number of more than 0, not -1"),
        (None, {"rate": float("nan")}, "rate must be a number of more than 0, not nan"),
        (
            None,
            {"warm_up": 1.0},
            "warm_up must be a number of at least 0 and of less than 1",
        ),
        (None, {"masked": 0.0}, "masked must be a number of more than 0 and of less than 1, not 0"),
        (None, {"decay": -0.1}, "decay must be a number of at least 0, not -0.1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    preset: str | None, changed: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as raised:
        settings_of(preset, **changed)
    assert told in str(raised.value)
