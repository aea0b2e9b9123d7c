"""Probes against plain calls of transformers and scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.metrics
import sklearn.preprocessing
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.encoders import Encoder, open_encoder
from tealeaves.evidence.attention.devices import device_of
from tealeaves.evidence.attention.training.examples import Examples, split_rows
from tealeaves.evidence.attention.training.pieces import split_texts
from tealeaves.evidence.attention.training.probe import (
    STRENGTHS,
    best_strength,
    features_of,
    fit_probe,
    halving,
    regress,
)
from tealeaves.evidence.attention.training.report import held_out_report
from tealeaves.evidence.attention.training.settings import Features, FitOptions, FitSettings

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

CPU = torch.device("cpu")
GROUPS = ("cat dog pet", "car road wheel", "rain sun wind")
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *" ".join(GROUPS).split(), "##s", "x"]
SETTINGS = FitSettings(longest=12, batch=4)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=32, num_hidden_layers=3, num_attention_heads=4,
        intermediate_size=37, max_position_embeddings=20, initializer_range=0.2,
    )  # fmt: skip
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    model = transformers.BertModel(config).double()
    return open_encoder((model, transformers.BertTokenizer(vocab=vocabulary)))


def _examples(number: int = 90, classes: int = 3) -> Examples:
    """Texts of 3 to 9 words, most of them of the class."""
    random = np.random.default_rng(0)
    numbers = np.arange(number) % classes
    words = [
        [
            *random.choice(GROUPS[group].split(), random.integers(2, 6)).tolist(),
            *random.choice(["cats", "x", "sun"], random.integers(1, 4)).tolist(),
        ]
        for group in numbers
    ]
    return Examples(words, numbers, tuple("abc"[:classes]), {"texts": number})


def _plain(encoder: Encoder, words: list[list[str]], pooling: Features, longest: int) -> Any:
    """Features text by text, as anyone would compute them."""
    rows = []
    for text in words:
        given = encoder.tokenizer(
            text, is_split_into_words=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        with torch.no_grad():
            found = encoder.model(**given)
        row = {
            "cls": found.last_hidden_state[0, 0],
            "mean": found.last_hidden_state[0].mean(dim=0),
            "pooler": found.pooler_output[0],
        }
        rows.append(row[pooling].numpy())
    return np.array(rows)


@pytest.mark.parametrize("pooling", ["cls", "mean", "pooler"])
def test_features_are_those_of_single_texts(encoder: Encoder, pooling: Features) -> None:
    words = _examples(20).words
    texts = split_texts(encoder.tokenizer, words, 12)
    assert len({len(text) for text in texts.pieces}) > 3  # some are padded
    found = features_of(encoder, texts, FitOptions(pooling), batch=4)
    expected = _plain(encoder, words, pooling, 12)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("pooling", ["cls", "mean", "pooler"])
def test_a_probe_is_a_logistic_regression_on_features(encoder: Encoder, pooling: Features) -> None:
    examples = _examples()
    found = fit_probe(encoder, examples, SETTINGS, FitOptions(pooling, held_out=0.2))
    fitted, held = split_rows(examples.classes, 0.2, 0)
    features = _plain(encoder, examples.words, pooling, 12)
    scaler = _scaler(features[fitted])
    oracle = sklearn.linear_model.LogisticRegression(
        C=found.report["strength"], max_iter=1000, tol=1e-4
    ).fit(scaler.transform(features[fitted]), examples.classes[fitted])
    expected = oracle.decision_function(scaler.transform(features))
    logits = _logits(found.head.steps[-1], features)
    np.testing.assert_allclose(logits, expected, rtol=1e-6, atol=1e-6)
    answers = oracle.predict(scaler.transform(features[held]))
    true = examples.classes[held]
    assert found.report["accuracy"] == pytest.approx(sklearn.metrics.accuracy_score(true, answers))
    f1 = sklearn.metrics.f1_score(true, answers, average="macro")
    assert found.report["f1"] == pytest.approx(f1)
    assert (found.report["fitted"], found.report["held_out"]) == (72, 18)
    assert found.report["accuracy"] > 0.8  # the words tell the class
    assert (found.kind, found.labels, found.longest) == ("probe", ("a", "b", "c"), 12)
    assert found.head.pooling == ("mean" if pooling == "mean" else "cls")
    assert found.head.steps[0].function == ("tanh" if pooling == "pooler" else "")
    assert len(found.head.steps) == (2 if pooling == "pooler" else 1)


def _scaler(features: Any) -> Any:
    """Bring features to mean 0, and all of them together to a mean variance of 1."""
    scaler = sklearn.preprocessing.StandardScaler().fit(features)
    scaler.scale_[:] = np.sqrt(scaler.var_.mean())
    return scaler


def _logits(step: Any, features: Any) -> Any:
    return features @ step.weight.numpy().T + step.bias.numpy()


def test_two_classes_have_two_logits() -> None:
    """Their difference is the one logit of a logistic regression, and their sum is 0."""
    random = np.random.default_rng(1)
    features = random.normal(3, 2, (40, 5))
    classes = (features[:, 0] + random.normal(size=40) > 3).astype(np.int64)
    found = regress(features, classes, 0.1)
    scaler = _scaler(features)
    oracle = sklearn.linear_model.LogisticRegression(C=0.1).fit(scaler.transform(features), classes)
    logits = found.logits(features)
    expected = oracle.decision_function(scaler.transform(features))
    np.testing.assert_allclose(logits[:, 1] - logits[:, 0], expected, atol=1e-6)
    np.testing.assert_allclose(logits.sum(axis=1), 0, atol=1e-9)
    assert found.converged


def test_a_feature_that_never_changes_says_nothing() -> None:
    features = np.array([[1.0, 7.0], [2.0, 7.0], [5.0, 7.0], [6.0, 7.0]])
    found = regress(features, np.array([0, 0, 1, 1]), 1.0)
    assert found.weight[:, 1].tolist() == [0, 0]
    assert found.logits(features).argmax(axis=1).tolist() == [0, 0, 1, 1]


def test_the_penalty_follows_the_noise() -> None:
    """A clear signal allows large weights; noise in many features calls for small ones."""
    random = np.random.default_rng(2)
    classes = np.arange(60) % 2
    clear = np.column_stack([classes * 4.0 + random.normal(size=60)])
    noise = random.normal(size=(60, 100))
    assert best_strength(clear, classes, 0) == STRENGTHS[-1]
    assert best_strength(noise, classes, 0) == STRENGTHS[0]
    assert best_strength(noise[:2], classes[:2], 0) in STRENGTHS  # nothing can be tried


def test_a_probe_is_the_same_again_and_leaves_the_encoder(encoder: Encoder) -> None:
    before = {name: part.clone() for name, part in encoder.model.state_dict().items()}
    examples = _examples(30, classes=2)
    one, two = (fit_probe(encoder, examples, SETTINGS, FitOptions()) for _ in range(2))
    assert one == two
    after = encoder.model.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert one != fit_probe(encoder, examples, FitSettings(longest=8, batch=4), FitOptions())


def test_the_report_counts_texts_that_were_cut(encoder: Encoder) -> None:
    words = [["cat", "dog", "pet"], ["cat"] * 9, ["dog"] * 3, ["dogs"] * 2, ["car"], ["road"]]
    examples = Examples(words, np.array([0, 0, 1, 1, 0, 1]), ("a", "b"), {})
    found = fit_probe(encoder, examples, FitSettings(longest=5), FitOptions(held_out=0.4))
    assert found.report["cut"] == 2  # nine words, and two words of two pieces, for three places


def test_a_pooler_that_is_not_there(encoder: Encoder) -> None:
    with pytest.raises(InputError, match="a model without a pooler: pool by cls or mean"):
        fit_probe(encoder._replace(pooler=None), _examples(12), SETTINGS, FitOptions("pooler"))


def _rows(number: int) -> NDArray[np.int64]:
    return np.arange(number, dtype=np.int64)


LACKS = [
    torch.cuda.OutOfMemoryError("CUDA out of memory"),
    MemoryError(),
    RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"),
]


@pytest.mark.parametrize("error", LACKS)
def test_batches_are_halved_where_memory_is_too_small(error: Exception) -> None:
    sizes = []

    def compute(rows: NDArray[np.int64]) -> NDArray[np.float64]:
        sizes.append(len(rows))
        if len(rows) > 3:
            raise error
        return np.array(rows[:, None] * 2.0, dtype=np.float64)

    found = np.concatenate(list(halving(_rows(10), 8, compute, CPU)))
    assert found.ravel().tolist() == [2.0 * row for row in range(10)]
    assert sizes == [8, 4, 2, 2, 2, 2, 2]


@pytest.mark.parametrize("error", LACKS)
@pytest.mark.parametrize(("device", "other"), [("cpu", ""), ("mps", ", or use --device cpu")])
def test_a_single_text_that_does_not_fit_is_told_in_one_line(
    error: Exception, device: str, other: str
) -> None:
    def compute(_: NDArray[np.int64]) -> NDArray[np.float64]:
        raise error

    with pytest.raises(InputError) as told:
        list(halving(_rows(5), 4, compute, torch.device(device)))
    assert str(told.value) == (
        f"too little memory on {device} for a single text: read less of each (--longest){other}"
    )


def test_other_errors_are_no_lack_of_memory() -> None:
    def compute(_: NDArray[np.int64]) -> NDArray[np.float64]:
        raise RuntimeError("shapes do not fit")

    with pytest.raises(RuntimeError, match="shapes do not fit"):
        list(halving(_rows(5), 4, compute, CPU))


def test_an_encoder_that_no_memory_holds(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = split_texts(encoder.tokenizer, [["cat"]], 12)
    asked: list[Any] = []

    def full(device: Any) -> None:
        asked.append(device)
        if len(asked) == 1:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(encoder.model, "to", full)
    with pytest.raises(InputError, match="too little memory on cpu for the encoder: use a smaller"):
        features_of(encoder, texts, FitOptions(device="cpu"), batch=1)
    assert asked == [CPU, CPU]  # and it is brought back


@pytest.mark.parametrize("device", ["tpu9", "meta", "cpu:x", "hpu", "mps", "cuda:99"])
def test_devices_that_cannot_be_used(device: str) -> None:
    with pytest.raises(InputError, match=f"^device {device}: torch cannot use it here; cpu is"):
        device_of(device)
    assert device_of("cpu") == CPU


def test_the_model_comes_back_after_a_failure(encoder: Encoder) -> None:
    texts = split_texts(encoder.tokenizer, [["cat"]], 12)
    threads = torch.get_num_threads()
    with pytest.raises(InputError, match="device tpu9: torch cannot use it here"):
        features_of(encoder, texts, FitOptions(device="tpu9"), batch=1)
    assert (encoder.model.device.type, torch.get_num_threads()) == ("cpu", threads)


def test_the_report_by_hand() -> None:
    """Right: 3 of 5. F1: class 0 2*2/(3+3), class 1 2*1/(1+2), class 2 0/(1+0); mean 4/9."""
    found = held_out_report(np.array([0, 0, 0, 1, 2]), np.array([0, 0, 1, 1, 0]))
    assert found == pytest.approx(
        {"held_out": 5, "accuracy": 0.6, "f1": (2 / 3 + 2 / 3 + 0) / 3, "largest_class": 0.6}
    )


def test_neurons_that_are_all_but_dead_have_no_say() -> None:
    """By its own deviation the second would weigh as much as the first, as it tells the classes."""
    random = np.random.default_rng(1)
    classes = np.arange(60) % 2
    features = np.stack([classes + random.normal(size=60), 1e-20 * classes], axis=1)
    found = regress(features, classes.astype(np.int64), 0.1)
    said = np.abs(found.weight * features.std(axis=0)).max(axis=0)
    assert said[1] < 1e-6 * said[0]
