"""Fixtures that several packages of tests share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray

from tealeaves import Topic, Topics, demo, kernels
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.topics.assignments import Assignments

from .chromium import HOW_TO_INSTALL, find_chromium, is_required
from .flexible_metric import registered
from .systems import WINDOWS

if TYPE_CHECKING:
    from tealeaves.evidence.attention.classifiers.classifier import Classifier

if WINDOWS and not sys.flags.utf8_mode:
    pytest.exit("the tests write their files as UTF-8: set PYTHONUTF8=1 first", returncode=2)

# Hypothesis draws new examples in each run on a developer's machine, and the same ones in CI.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")

NO_BROWSER = "Chromium is not installed"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a browser if there is none; let it fail if there must be one."""
    if item.get_closest_marker("browser") and find_chromium() is None:
        if is_required():
            pytest.fail(f"{NO_BROWSER}: {HOW_TO_INSTALL}", pytrace=False)
        pytest.skip(NO_BROWSER)


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """Say at the end what was not tested for want of a browser."""
    yield
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_BROWSER in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.write_line(
            f"not tested: pages in a browser ({count} tests). {NO_BROWSER}: {HOW_TO_INSTALL}"
        )


def pytest_report_header() -> str:
    """Say which kernels are tested."""
    return f"kernels: {'compiled' if kernels.are_compiled() else 'in Python, not compiled'}"


@pytest.fixture(scope="session", autouse=True)
def separate_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a new, empty cache of vectors, not that of the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def flexible() -> Iterator[list[Any]]:
    """Register the metric ``flexible``, and return the list of the evidence that it is given."""
    with registered() as seen:
        yield seen


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of reference data; without it, tests that need it are skipped."""
    folder = os.environ.get("TEALEAVES_DATA")
    if not folder:
        pytest.skip("TEALEAVES_DATA is not set: it must name the folder of reference data")
    path = Path(folder)
    if not path.is_dir():
        pytest.skip(f"TEALEAVES_DATA={folder} is not a folder")
    return path


def _topics(phi: NDArray[np.float64], vocabulary: Sequence[str]) -> tuple[Topic, ...]:
    best = np.argsort(-phi, axis=1, kind="stable")[:, :20]
    return tuple(Topic(k, tuple(vocabulary[w] for w in row)) for k, row in enumerate(best))


def _model(name: str, counts: NDArray[np.float64], labels: NDArray[np.int64], rows: list[list[int]],
           vocabulary: tuple[str, ...], ids: tuple[str, ...]) -> Topics:  # fmt: skip
    phi = (counts + 0.01) / (counts + 0.01).sum(axis=1, keepdims=True)
    theta = np.full((len(labels), 8), 0.02)
    theta[np.arange(len(labels)), labels] = 0.86
    tokens = [[int(np.argmax(phi[:, w] * theta[d])) for w in row] for d, row in enumerate(rows)]
    noise = np.random.default_rng(3).gamma(50.0, size=(4, *phi.shape))
    samples = phi * noise / (phi * noise).sum(axis=2, keepdims=True)
    return Topics(
        _topics(phi, vocabulary),
        model=name,
        vocabulary=vocabulary,
        topic_word=phi,
        document_topic=theta,
        document_ids=ids,
        document_lengths=np.array([len(row) for row in rows]),
        term_frequency=np.bincount([w for row in rows for w in row], minlength=len(vocabulary)),
        assignments=Assignments.of(tokens, words=rows),
        samples=samples,
        family="demo",
    )


@pytest.fixture(scope="session")
def rich_models() -> list[Topics]:
    """A model made from the demo's labels, and one whose words are shuffled between topics."""
    from tealeaves.text.pipeline import Pipeline

    tokenize = Pipeline.parse("words").tokenizer()
    documents = list(demo.corpus())
    texts = [tokenize(document.text) for document in documents]
    seen = [set(text) for text in texts]
    vocabulary = tuple(
        word for word in sorted(set().union(*seen)) if 3 <= sum(word in s for s in seen) <= 40
    )
    column = {word: number for number, word in enumerate(vocabulary)}
    rows = [[column[token] for token in text if token in column] for text in texts]
    themes = sorted({document.label for document in documents})
    labels = np.array([themes.index(document.label) for document in documents])
    counts = np.zeros((len(themes), len(vocabulary)))
    for label, row in zip(labels, rows, strict=True):
        np.add.at(counts[label], row, 1)
    ids = tuple(document.id for document in documents)
    shuffled = np.random.default_rng(0).permuted(counts, axis=0)
    mixed = np.random.default_rng(1).permutation(labels)
    return [
        _model("good", counts, labels, rows, vocabulary, ids),
        _model("shuffled", shuffled, mixed, rows, vocabulary, ids),
    ]


@pytest.fixture(scope="session")
def tiny_classifier() -> Callable[..., Classifier]:
    """A function that makes a random classifier with three classes and the words w0 to w39.

    A word may have the ending s. The same seed makes the same classifier; ``exact`` means double
    precision.
    """
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tealeaves.evidence.attention.classifiers.classifier import Classifier
    from tealeaves.evidence.attention.network.head import Dense, Head

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = {piece: n for n, piece in enumerate([*special, *(f"w{n}" for n in range(40)), "##s"])}

    def make(
        seed: int = 0, *, longest: int = 30, masked: bool = False, exact: bool = False
    ) -> Classifier:
        torch.manual_seed(seed)
        config = transformers.BertConfig(
            vocab_size=len(pieces), hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
            intermediate_size=20, max_position_embeddings=48, initializer_range=0.3,
        )  # fmt: skip
        kind = torch.float64 if exact else torch.float32
        model = transformers.BertModel(config, add_pooling_layer=False).to(kind)
        classes = len(pieces) if masked else 3
        last = Dense(torch.randn(classes, 16).to(kind), torch.randn(classes).to(kind))
        return Classifier(
            name="tiny", model=model, tokenizer=transformers.BertTokenizer(vocab=pieces),
            head=Head("masked" if masked else "mean", (last,)),
            labels=() if masked else ("arts", "news", "sport"), longest=longest,
            kind="masked" if masked else "given", report={"tokens": "tokens"},
        )  # fmt: skip

    return make


def _pairs_of_text(counts: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
    """Return the ordered pairs of words of a text, and random numbers for them."""
    words = np.flatnonzero(counts)
    left, right = (side.ravel() for side in np.meshgrid(words, words, indexing="ij"))
    apart = left != right
    left, right = left[apart], right[apart]
    together = counts[left] * counts[right]
    drawn = rng.normal([0.1, 0.2, 0.1], 0.3, size=(len(left), 3))
    values = together[:, None] * drawn
    values[:, [0, 2]] = np.abs(values[:, [0, 2]])  # as attention and Improved LRP are
    return left * len(counts) + right, together, values, rng.binomial(together, 0.8)


@pytest.fixture(scope="session")
def demo_relevance() -> Relevance:
    """Relevance of made-up numbers for the words of the demo's topics: one layer of two heads.

    The second head has nothing, so that the sums of the first are those of all.
    """
    from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals
    from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
    from tealeaves.evidence.attention.relevance import PairSums, TextSums, of_chunk
    from tealeaves.evidence.counts import PipelineStamp
    from tealeaves.evidence.requests import Term
    from tealeaves.text.fingerprint import Fingerprint
    from tealeaves.text.pipeline import Pipeline

    pipeline = Pipeline.parse("words")
    tokenize = pipeline.tokenizer()
    words = {word for model in demo.models() for topic in model.topics for word in topic.words}
    terms = tuple(sorted(Term(tuple(tokenize(word))) for word in words))
    place = {str(term): number for number, term in enumerate(terms)}
    rng = np.random.default_rng(0)
    texts = []
    for document in demo.corpus():
        found = [place[token] for token in tokenize(document.text) if token in place]
        texts.append(_pairs_of_text(np.bincount(found, minlength=len(terms)), rng))
    keys, together, values, counted = (np.concatenate(side) for side in zip(*texts, strict=True))
    seen, rows = np.unique(keys, return_inverse=True)
    summed = [np.bincount(rows, side) for side in (*values.T[:2], counted)]
    heads = [np.stack([side, 0 * side], axis=1)[:, None, :] for side in summed]
    sample = HeadStatistics(1, np.array([[0.9, 0.1]]), np.array([[0.8, 0.2]]))
    stamp = PipelineStamp(repr(pipeline), pipeline.signature)
    return of_chunk(
        Frame(
            RelevanceStamp("toy", "0" * 16, "probe", 128, 1, 2, "predicted", "toy", stamp),
            terms, None, sample, FixedHeads.of(sample),
        ),
        Fingerprint.of("toy", 0, [str(number) for number in range(len(texts))]),
        RelevanceTotals(documents=len(texts), used=len(texts)),
        HeadStatistics(len(texts), sample.confidence, sample.relevance),
        PairSums(
            keys=seen,
            together=np.bincount(rows, together).astype(np.int64),
            attention=heads[0],
            lrp=heads[1],
            positive=heads[2].astype(np.int64),
        ),
        TextSums(
            starts=np.cumsum([0, *(len(text[0]) for text in texts)]),
            keys=keys,
            values=values,
            together=together,
            counted=counted,
        ),
    )  # fmt: skip
