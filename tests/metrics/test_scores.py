"""Scores: rows, tables, data frames; and models from topics."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tealeaves
from tealeaves import Corpus, Counts, Topics
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence import load_counts
from tealeaves.metrics import Score, Scores
from tealeaves.metrics.base import Result
from tealeaves.metrics.summary import summarise
from tealeaves.text.blocks import TextBlock

TEXTS = ["cat dog", "cat dog bird", "soup bread", "bread soup cat", "bird"]
KEYS = ["model", "topic", "metric", "value", "support", "signature"]


@pytest.fixture
def scores() -> Scores:
    models = {
        "lda_1": [["cat", "dog"], ["soup", "bread"]],
        "nmf|2": [["cat", "soup"], ["zzz", "yyy"]],
    }
    return tealeaves.score(models, TEXTS, "npmi@2 umass@2", tokens="tokens")


def test_rows_of_topics_and_of_models(scores: Scores) -> None:
    assert len(scores) == 2 * 2 * (2 + 1)
    assert len(scores.topics) == 8
    assert [row.model for row in scores.models] == ["lda_1", "lda_1", "nmf|2", "nmf|2"]
    assert [list(record) for record in scores.to_dicts()] == [KEYS] * 12


def test_the_model_is_the_mean_of_its_topics(scores: Scores) -> None:
    topics = [scores.value("lda_1", "npmi@2", topic) for topic in (0, 1)]
    assert scores.value("lda_1", "npmi@2") == pytest.approx(sum(topics) / 2)


def test_topics_without_a_score_are_left_out_and_reported(scores: Scores) -> None:
    assert scores.value("nmf|2", "npmi@2") == scores.value("nmf|2", "npmi@2", 0)
    [row] = [r for r in scores.models if r.model == "nmf|2" and r.metric == "npmi@2"]
    assert row.support == 0.5
    assert any("nmf|2: 1 of 2 topics have no npmi@2" in note for note in scores.notes)


def test_the_signature_holds_all_that_changes_the_number() -> None:
    def signature(texts: list[str], spec: str = "npmi@2", tokens: str = "tokens") -> str:
        return tealeaves.score([["cat", "dog"]], texts, spec, tokens=tokens).rows[0].signature

    base = signature(TEXTS)
    assert base.startswith("npmi(never=-1, oov=skip, aggregate=mean)@2|always=1|tokens=tokens(")
    others = [
        signature([*TEXTS[:-1], "birds"]),
        signature([*TEXTS, ""]),
        signature(TEXTS, "npmi(never=0)@2"),
        signature(TEXTS, "npmi@3"),
        signature(TEXTS, "npmi(window=9)@2"),
        signature(TEXTS, tokens="tokens(lower=true)"),
    ]
    assert len({base, *others}) == 7
    assert signature(TEXTS[::-1]) == base


def test_json_lines(scores: Scores) -> None:
    records = [json.loads(line) for line in scores.to_jsonl().splitlines()]
    assert [list(record) for record in records] == [KEYS] * 12
    assert records[-1]["topic"] is None
    assert {r["value"] for r in records if r["support"] == 0} == {None}


def test_json(scores: Scores) -> None:
    content = json.loads(scores.to_json())
    assert len(content["scores"]) == 12
    assert content["notes"] == scores.notes


def test_data_frames(scores: Scores) -> None:
    frame = scores.to_polars()
    assert frame.columns == KEYS
    assert frame.height == 12
    assert frame.filter(pl.col("topic").is_null()).height == 4
    pytest.importorskip("pandas")
    assert list(scores.to_pandas().columns) == KEYS


def test_tables(scores: Scores) -> None:
    markdown = scores.models.to_markdown().splitlines()
    assert markdown[0] == "| model | npmi@2 ↑ | umass@2 ↑ |"
    assert markdown[2].startswith("| lda_1 | **")
    assert markdown[3].startswith("| nmf\\|2 | ")
    assert "(50%)" in markdown[3]
    latex = scores.models.to_latex()
    assert r"lda\_1 & \textbf{" in latex
    assert r"(50\%)" in latex
    assert r"npmi@2 $\uparrow$" in latex
    assert str(scores.models).splitlines()[0].split() == ["model", "npmi@2", "↑", "umass@2", "↑"]
    assert "cat dog" in str(scores)


def test_html_is_escaped() -> None:
    row = Score("<script>", None, "npmi@<b>", 0.5, 1.0, "")
    html = Scores([row])._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "npmi@&lt;b&gt;" in html


@pytest.mark.parametrize(
    ("support", "shown"), [(0.999, "(99%)"), (0.8667, "(87%)"), (0.001, "(<1%)"), (1.0, "0.5000")]
)
def test_support_is_rounded_but_never_to_what_it_is_not(support: float, shown: str) -> None:
    header, row, *_ = str(Scores([Score("m", None, "npmi", 0.5, support, "")])).splitlines()
    assert header.endswith("npmi")
    assert row.endswith(shown)


def test_a_number_is_found_by_any_spelling(scores: Scores) -> None:
    value = scores.value("lda_1", "npmi@2", 1)
    assert scores.value("lda_1", tealeaves.metric("npmi@2"), "1") == value
    assert scores.value("lda_1", " npmi ( never = -1 ) @2", 1) == value
    with pytest.raises(InputError, match=r"no score of npmi@2 for lda \(models: lda_1, nmf"):
        scores.value("lda", "npmi@2")


def test_counts_may_be_a_file(tmp_path: Path) -> None:
    counts = Counts.of({"a": 2, "b": 1}, {("a", "b"): 1}, units=4)
    counts.save(tmp_path / "c.counts")
    path = str(tmp_path / "c.counts")
    assert tealeaves.score([["a", "b"]], None, "npmi", counts=path).rows[0].support == 1
    assert tealeaves.load_counts(path) == [counts]


def test_paths_are_not_taken_for_texts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("cat dog")
    with pytest.raises(InputError, match="paths of files"):
        tealeaves.score([["cat", "dog"]], [str(tmp_path / "a.txt")], "npmi")


def test_what_the_tokens_remove_is_not_called_absent() -> None:
    scores = tealeaves.score([["cat", "1984", "2001", "dog", "zebra"]], TEXTS, "npmi")
    assert "model: removed by the tokens: 1984, 2001" in scores.notes
    assert "model: not in the corpus: zebra" in scores.notes


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "md", "tex", "parquet"])
def test_saving(scores: Scores, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores.{suffix}"
    scores.save(path)
    if suffix == "parquet":
        frame = pl.read_parquet(path)
        assert frame.drop("words").equals(scores.to_polars(), null_equal=True)
        assert frame["words"][0].to_list() == ["cat", "dog"]
    elif suffix == "csv":
        assert pl.read_csv(path).height == 12
    else:
        assert "lda" in path.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="results are saved as"):
        scores.save(tmp_path / "scores.xls")


# ---------------------------------------------------------------------- models


def made(values: list[float], support: list[float] | None = None) -> Result:
    import numpy as np

    return Result(np.array(values), np.array(support or [0.0 if v != v else 1.0 for v in values]))


def topics(documents: list[int], outliers: int = 0) -> Topics:
    words = [[f"a{n}", f"b{n}"] for n in range(len(documents))]
    return Topics.of(words, documents=documents, outliers=outliers)


def test_document_weighted_mean() -> None:
    summary = summarise(topics([10, 30], outliers=5), made([1.0, 0.0]), "documents")
    assert summary.value == 0.25
    assert (summary.documents, summary.outliers, summary.left_out) == (40, 5, 0)


def test_weights_of_unscored_topics_are_not_in_the_denominator() -> None:
    summary = summarise(topics([10, 30, 60]), made([1.0, 0.0, math.nan]), "documents")
    assert summary.value == 0.25
    assert summary.unscored == (2,)
    assert (summary.documents, summary.left_out) == (40, 60)
    assert summary.support == pytest.approx(0.4)


def test_weights_from_the_document_topic_matrix() -> None:
    theta = [[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.5, 0.5], [0.0, 0.0]]
    model = Topics.of([["a", "b"], ["c", "d"]], document_topic=theta)
    summary = summarise(model, made([1.0, 0.0]), "documents")
    assert summary.value == 0.5
    assert (summary.documents, summary.outliers) == (4, 1)


def test_no_documents_at_all_is_nan_with_support_0() -> None:
    summary = summarise(topics([0, 7]), made([0.4, math.nan]), "documents")
    assert math.isnan(summary.value)
    assert summary.support == 0


def test_weighting_needs_weights() -> None:
    bare = Topics.of([["cat", "dog"]], model="bare")
    with pytest.raises(InputError, match="needs a document-topic matrix or the number"):
        tealeaves.score(bare, TEXTS, "npmi", weight="documents")
    with pytest.raises(InputError, match="unknown weight tokens"):
        tealeaves.score(topics([1]), TEXTS, "npmi", weight="tokens")


def test_beside_others_a_model_without_weights_has_no_score() -> None:
    bare = Topics.of([["cat", "dog"]], model="bare")
    known = Topics.of([["cat", "dog"]], model="known", documents=[3])
    scores = tealeaves.score([bare, known], TEXTS, "npmi", weight="documents")
    assert math.isnan(scores.value("bare", "npmi"))
    assert not math.isnan(scores.value("known", "npmi"))
    assert "bare: no weighted score: nothing is known of its documents" in scores.notes


def test_a_number_that_rests_on_much_less_is_not_called_best() -> None:
    rows = [Score("a", None, "m", 0.9, 0.4, ""), Score("b", None, "m", 0.5, 1.0, "")]
    marked = Scores(rows, better={"m": "higher"}).table().rows
    assert [cells[0].best for _, cells in marked] == [False, True]


def test_the_legend_is_not_shown_for_what_is_undefined() -> None:
    assert not Scores([Score("a", None, "m", math.nan, 0.0, "")]).table().legend
    assert Scores([Score("a", None, "m", 1.0, 0.5, "")]).table().legend


def test_weight_is_in_the_signature_and_left_out_documents_in_the_notes() -> None:
    model = Topics.of([["cat", "dog"], ["x", "y"]], documents=[3, 4], outliers=2)
    scores = tealeaves.score(model, TEXTS, "npmi", weight="documents")
    assert scores.models.rows[0].signature.endswith("|weight=documents")
    expected = "weighted by 3 documents; left out are 2 outliers and 4 documents"
    assert any(expected in note for note in scores.notes)


# ---------------------------------------------------------------------- the evaluator


def test_all_models_and_metrics_take_one_reading() -> None:
    class Watched(Corpus):
        readings = 0

        def blocks(self, *how: Any) -> Iterator[TextBlock]:
            self.readings += 1
            return super().blocks(*how)

    corpus = Watched(in_memory=list(Corpus.of(TEXTS)))
    models = {name: [["cat", "dog"], ["soup", "bread"]] for name in "abcdef"}
    tealeaves.score(models, corpus, "npmi@2 c_v@2 c_npmi@2 umass@2 c_a@2")
    assert corpus.readings == 1


def test_counts_made_once_score_many_times(tmp_path: Path) -> None:
    from tealeaves.evidence import count_corpus, save_counts
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics import parse_metrics
    from tealeaves.metrics.planning import count_requests

    metrics = parse_metrics("npmi@2 c_v@2")
    model = Topics.of([["Cat", "dog"], ["soup", "bread"]])
    pipeline = tealeaves.Pipeline.parse("words")
    requests = count_requests([model], metrics, Wording(pipeline))
    save_counts(count_corpus(Corpus.of(TEXTS), pipeline, requests), tmp_path / "c.counts")
    counts = load_counts(tmp_path / "c.counts")
    again = tealeaves.score(model, None, metrics, counts=counts)
    assert again.to_jsonl() == tealeaves.score(model, TEXTS, metrics).to_jsonl()


def test_words_that_become_the_same_count_once_with_a_warning() -> None:
    with pytest.warns(TealeavesWarning, match="'Cat' and 'cat' are the same word"):
        scores = tealeaves.score([["Cat", "dog", "cat"]], TEXTS, "npmi")
    assert scores.rows[0].value == tealeaves.score([["cat", "dog"]], TEXTS, "npmi").rows[0].value


def test_of_many_words_that_become_the_same_some_are_named() -> None:
    spellings = ["".join(letters) for letters in product(*zip("bread", "BREAD", strict=True))]
    with pytest.warns(TealeavesWarning) as caught:
        scores = tealeaves.score([[*spellings, "soup"]], TEXTS, "npmi")
    messages = [str(one.message) for one in caught]
    assert len(messages) == 11
    assert "'bread' and 'breaD' are the same word" in messages[0]
    assert "topic 0: 21 more words are the same as others in this text" in messages[-1]
    assert scores.rows[0].support == 1.0


def test_words_of_several_tokens_are_found_as_sequences() -> None:
    texts = ["New York is big", "york new", "the new york times", "times are new"]
    scores = tealeaves.score([["new york", "big"], ["new_york", "times"]], texts, "npmi")
    assert [row.support for row in scores.topics] == [1.0, 1.0]


def test_a_corpus_or_counts_but_not_both() -> None:
    counts = Counts.of({"a": 1, "b": 1}, {("a", "b"): 1}, units=2)
    with pytest.raises(InputError, match="either a corpus or counts"):
        tealeaves.score([["a", "b"]], TEXTS, "npmi", counts=counts)


def test_a_corpus_is_asked_for_where_it_is_needed() -> None:
    with pytest.raises(InputError, match=r"npmi needs texts: give a corpus \(--corpus\) or counts"):
        tealeaves.score([["a", "b"]], None, "npmi c_v")


@pytest.mark.parametrize("texts", [[], ["", " "], ["12 34"]])
def test_an_empty_corpus_is_an_error(texts: list[str]) -> None:
    with pytest.raises(InputError, match="the corpus is empty"):
        tealeaves.score([["a", "b"]], texts, "npmi")


def test_two_models_of_one_name_are_refused() -> None:
    model = Topics.of([["a", "b"]], model="same")
    from tealeaves.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.evaluation import evaluate_metrics

    wording = Wording(tealeaves.Pipeline.parse("words"))
    with pytest.raises(InputError, match="two models are called same"):
        evaluate_metrics([model, model], [], Evidence(wording=wording))


def test_counts_of_a_changed_pipeline_are_refused(tmp_path: Path) -> None:
    from tealeaves.evidence import CountRequest, Term, Unit, count_corpus

    stop = tmp_path / "stop.txt"
    stop.write_text("the\n", encoding="utf-8")
    pipeline = tealeaves.Pipeline.parse(f"words(stopwords='{stop}')")
    request = CountRequest.of(Unit(), [[Term(("a",)), Term(("b",))]])
    [counts] = count_corpus(Corpus.of(["a b the", "a"]), pipeline, [request])
    assert isinstance(counts, Counts)
    stop.write_text("the\na\n", encoding="utf-8")
    with pytest.raises(InputError, match="which today is"):
        tealeaves.score([["a", "b"]], None, "npmi", counts=counts)


def test_no_rows_are_a_header() -> None:
    assert Scores([]).to_csv() == "model,topic,metric,value,support,signature\n"


def test_topics_without_a_value_are_one_note_for_metrics_and_models() -> None:
    models = {"one": [["cat", "dog"], ["qqq", "www"]], "two": [["cat", "dog"], ["eee", "rrr"]]}
    scores = tealeaves.score(models, ["cat dog", "cat dog", "soup"], "npmi umass")
    [note] = [note for note in scores.notes if "for lack of words" in note]
    assert note == (
        "no npmi, umass, for lack of words to compare: one: 1 of 2 topics (1); two: 1 of 2 topics "
        "(1)"
    )
