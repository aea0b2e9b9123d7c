from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.stats import pearsonr

from tealeaves import Topics, demo, score
from tealeaves.errors import InputError
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.wording import Wording
from tealeaves.judgments import Judgments, correlate
from tealeaves.judgments.correlation.tradeoff import (
    Subsets,
    Tradeoff,
    doubling,
    topic_values,
    tradeoff,
)
from tealeaves.metrics.attention.family import RelevanceMetric
from tealeaves.metrics.attention.topic_sums import TopicRows
from tealeaves.metrics.registry import parse_metrics
from tealeaves.text.pipeline import Pipeline

ALL = "attention_sum@10 lrp_sum@10 improved_lrp_sum@10 relevance_count@10 cooccurrence@10"
REDUCED = "lrp_sum(reduction=text)@10 lrp_sum(reduction=pair)@10 cooccurrence(reduction=text)@5"
QUICK: dict[str, Any] = {"draws": 100, "permutations": 19}


@pytest.fixture(scope="module")
def dealt() -> tuple[list[Topics], Judgments]:
    """The demo's topics as eight models of three, and what people say of them."""
    topics = [topic for model in demo.models() for topic in model.topics]
    models = [
        Topics.of([topic.words for topic in topics[start : start + 3]], model=f"m{start}")
        for start in range(0, 24, 3)
    ]
    rng = np.random.default_rng(2)
    rows = [
        {"model": model.model, "topic": topic.id, "answer": answer}
        for model in models
        for topic in model.topics
        for answer in rng.integers(1, 5, size=3).tolist()
    ]
    return models, Judgments.of(rows)


def at(found: Tradeoff, metric: str) -> list[float]:
    return [row.value for row in found.rows if row.metric == metric]


# ---------------------------------------------------------------------- subsets


def test_sums_of_subsets_are_those_of_masks() -> None:
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 3, size=(9, 4)).astype(float)
    subsets = Subsets.drawn(9, [2, 5, 8], draws=6, seed=1)
    sums = np.concatenate([found for _, found in subsets.sums(csr_array(cells))])
    assert sums.shape == (6, 3, 4)
    for draw in range(6):
        held = [subsets.place[draw] <= step for step in range(3)]
        assert [mask.sum() for mask in held] == [2, 5, 8]
        for mask, found in zip(held, sums[draw], strict=True):
            assert found.tolist() == cells[mask].sum(axis=0).tolist()
    # not the same texts in each draw
    assert len({tuple(row) for row in subsets.place.tolist()}) == 6


def test_each_text_is_as_often_in() -> None:
    subsets = Subsets.drawn(10, [3], draws=3000, seed=0)
    shares = (subsets.place == 0).mean(axis=0)
    assert shares == pytest.approx(np.full(10, 0.3), abs=0.04)


def test_sums_in_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = csr_array(np.eye(7))
    subsets = Subsets.drawn(7, [1, 4], draws=5, seed=3)
    whole = np.concatenate([found for _, found in subsets.sums(cells)])
    monkeypatch.setattr("tealeaves.judgments.correlation.tradeoff._BUDGET", 8 * 2 * 7 * 2)
    parts = [found for _, found in subsets.sums(cells)]
    assert [len(part) for part in parts] == [2, 2, 1]
    assert (np.concatenate(parts) == whole).all()


def _masked(relevance: Relevance, words: list[int], mask: NDArray[np.bool_]) -> tuple[float, ...]:
    """Sum over texts and pairs one by one: values, pairs of positions, texts that hold two."""
    inside = set(words)
    total, together, texts = 0.0, 0, 0
    for text in np.flatnonzero(mask):
        held = 0
        for entry in range(relevance.text_starts[text], relevance.text_starts[text + 1]):
            if inside.issuperset(relevance.rows[relevance.text_rows[entry]].tolist()):
                total += relevance.text_values[entry, 1]
                held += int(relevance.text_together[entry])
        together, texts = together + held, texts + (held > 0)
    return total, together, texts


def test_values_of_topics_are_those_of_the_texts_of_a_subset(demo_relevance: Relevance) -> None:
    models = demo.models()[:1]
    wording = Wording(Pipeline.parse("words"))
    topics = TopicRows.of(wording.lists(models), demo_relevance, 6)
    subsets = Subsets.drawn(demo_relevance.texts, [9, 40], draws=2, seed=0)
    found = {}
    for reduction in ("sum", "text", "pair"):
        [metric] = parse_metrics(f"lrp_sum(reduction={reduction})@6")
        assert isinstance(metric, RelevanceMetric)
        found[reduction] = topic_values(metric, demo_relevance, topics, subsets)
    for draw, step, topic in ((0, 0, 2), (1, 0, 5), (1, 1, 7)):
        terms = wording.lists(models)[topic][:6]
        mask = subsets.place[draw] <= step
        total, together, texts = _masked(
            demo_relevance, [demo_relevance.positions[term] for term in terms], mask
        )
        expected = [total, total / texts, total / together] if texts else [math.nan] * 3
        values = [found[name][draw, step, topic] for name in ("sum", "text", "pair")]
        assert values == pytest.approx(expected, nan_ok=True)
    assert np.isfinite(found["sum"][1, 1]).any()


def test_sizes_double() -> None:
    assert doubling(300) == [25, 50, 100, 200, 300]
    assert doubling(100) == [25, 50, 100]
    assert doubling(25) == [25]


# ---------------------------------------------------------------------- the curve


@pytest.mark.parametrize("by", ["topic", "model"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_all_texts_are_what_correlate_finds(
    demo_relevance: Relevance, dealt: tuple[list[Topics], Judgments], by: str, coefficient: str
) -> None:
    models, people = dealt
    metrics = f"{ALL} {REDUCED}"
    found = tradeoff(
        demo_relevance, models, people, metrics, by=by, coefficient=coefficient, draws=5
    )
    scores = score(models, None, metrics, relevance=demo_relevance)
    whole = correlate(scores, people, by=by, coefficients=coefficient, **QUICK)
    for row in whole.rows:
        assert found.value(row.metric) == pytest.approx(row.value), row.metric
        last = next(r for r in reversed(found.rows) if r.metric == row.metric)
        assert (last.texts, last.n, last.draws) == (demo_relevance.texts, row.n, 1)
        assert last.low == last.high == last.value


def test_a_point_is_the_mean_over_subsets(
    demo_relevance: Relevance, dealt: tuple[list[Topics], Judgments]
) -> None:
    models, people = dealt
    found = tradeoff(demo_relevance, models, people, "cooccurrence@10", sizes=[60], draws=7, seed=4)
    wording = Wording(Pipeline.parse("words"))
    topics = TopicRows.of(wording.lists(models), demo_relevance, 10)
    cells = topics.together_by_text.toarray()
    subsets = Subsets.drawn(demo_relevance.texts, [60], draws=7, seed=4)
    human = np.array(list(people.human("model").values()))
    expected = []
    for place in subsets.place:
        sums = cells[place == 0].sum(axis=0)
        values = np.where(sums > 0, sums, np.nan).reshape(8, 3)  # models of three topics
        expected.append(pearsonr(np.nanmean(values, axis=1), human)[0])
    [row] = found.rows
    assert row.value == pytest.approx(np.mean(expected))
    assert (row.low, row.high) == pytest.approx(tuple(np.quantile(expected, [0.025, 0.975])))
    assert (row.n, row.draws, row.texts) == (8, 7, 60)


def test_more_texts_leave_fewer_topics_without_a_value(demo_relevance: Relevance) -> None:
    people = Judgments.of(demo.judgments()).of_tasks(["rating"])
    found = tradeoff(
        demo_relevance, demo.models(), people, "lrp_sum@10", by="topic", sizes=[5, 20, 60, 128],
        draws=10,
    )  # fmt: skip
    counts = [row.n for row in found.rows]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] == 24
    assert "n: the fewest topics of a subset" in str(found)


def test_the_same_seed_gives_the_same_and_sizes_do_not_depend_on_each_other(
    demo_relevance: Relevance, dealt: tuple[list[Topics], Judgments]
) -> None:
    models, people = dealt
    one = tradeoff(demo_relevance, models, people, "lrp_sum@10", sizes=[30, 60], draws=5, seed=1)
    two = tradeoff(
        demo_relevance, models, people, "lrp_sum@10", sizes=[60, 30, 30], draws=5, seed=1
    )
    three = tradeoff(demo_relevance, models, people, "lrp_sum@10", sizes=[60], draws=5, seed=1)
    other = tradeoff(demo_relevance, models, people, "lrp_sum@10", sizes=[60], draws=5, seed=2)
    assert one.to_dicts() == two.to_dicts()
    assert one.value("lrp_sum@10", 60) == pytest.approx(three.value("lrp_sum@10", 60), rel=1e-12)
    assert three.value("lrp_sum@10", 60) != other.value("lrp_sum@10", 60)


def test_judged_topics_need_no_models(demo_relevance: Relevance) -> None:
    people = Judgments.of(demo.judgments())
    found = tradeoff(demo_relevance, None, people, ALL, by="topic", draws=3)
    given = tradeoff(demo_relevance, demo.models(), people, ALL, by="topic", draws=3)
    assert [row.task for row in found.rows] == ["rating"] * 20 + ["intrusion"] * 20
    assert at(found, "lrp_sum@10") == pytest.approx(at(given, "lrp_sum@10"))
    with pytest.raises(InputError, match="2 values of lrp_sum@10 from 128 texts: name a task"):
        found.value("lrp_sum@10")
    assert math.isfinite(found.value("lrp_sum@10", task="rating"))


def test_phi_k_has_a_curve_too(
    demo_relevance: Relevance, dealt: tuple[list[Topics], Judgments]
) -> None:
    pytest.importorskip("phik")
    models, people = dealt
    found = tradeoff(
        demo_relevance, models, people, "lrp_sum@10", coefficient="phik", by="topic", draws=2
    )
    assert all(0 <= row.value <= 1 for row in found.rows)


def test_errors_are_one_line(
    demo_relevance: Relevance, dealt: tuple[list[Topics], Judgments]
) -> None:
    models, people = dealt

    def refused(said: str, metrics: str = "lrp_sum@10", **given: object) -> None:
        with pytest.raises(InputError, match=said) as raised:
            tradeoff(demo_relevance, models, people, metrics, **given)  # type: ignore[arg-type]
        assert "\n" not in str(raised.value)

    refused("npmi@10 is not computed from relevance", metrics="npmi@10")
    refused("text by text only the sums of the heads that were fixed", metrics="lrp_sum(heads=all)")
    refused("text by text only", metrics="relevance_count(by=heads)")
    refused("999 texts: the relevance is of 128: give sizes from 1 to 128", sizes=[10, 999])
    refused("0 texts: ", sizes=[0])
    refused("no number of texts was given", sizes=[])
    refused("draws must be from 1 to 10000 subsets of each size, not 0", draws=0)
    refused("by must be topic or model, not topics", by="topics")
    refused("no coefficient person; did you mean pearson", coefficient="person")
    with pytest.raises(InputError, match="the relevance was not gathered for 'aardvark'"):
        tradeoff(demo_relevance, [["aardvark", "doctor"]] * 4, people, "lrp_sum", by="topic")
    with pytest.raises(InputError, match="give relevance, or a file of"):
        tradeoff(None, models, people, "lrp_sum")


def test_too_few_for_a_correlation_is_said_before_any_work(
    demo_relevance: Relevance,
    dealt: tuple[list[Topics], Judgments],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    models, people = dealt
    # three of eight models are judged
    some = Judgments.of(
        [row for row in people.frame.to_dicts() if row["model"] in ("m0", "m3", "m6")]
    )
    with pytest.raises(InputError, match=r"^3 judged models: correlations need at least 4; try by"):
        tradeoff(demo_relevance, models, some, "lrp_sum@10", draws=2)

    def never(*_: Any) -> None:
        raise AssertionError("topics were scored")

    monkeypatch.setattr("tealeaves.judgments.correlation.tradeoff.evaluate_metrics", never)
    for given, by, said in (
        (models[:3], "model", r"^3 models: .* 4; try by topic \(--by topic\)$"),
        (models[:1], "model", "^1 model: correlations need at least 4; try"),
        (models[:1], "topic", "^3 topics: correlations need at least 4$"),
    ):
        with pytest.raises(InputError, match=said):
            tradeoff(demo_relevance, given, people, "lrp_sum@10", by=by, draws=2)
