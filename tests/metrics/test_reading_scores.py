"""Scores from files: what was saved comes back, and other programs' tables are understood."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.scores import Score, Scores

ROWS = [
    Score("good", 0, "npmi@10", 0.25, 1.0, "npmi@10|c:x|v:1"),
    Score("good", "space, or so", "npmi@10", math.nan, 0.0, "npmi@10|c:x|v:1"),
    Score("good", None, "npmi@10", -math.inf, 0.5, "npmi@10|c:x|v:1"),
    Score("bad", None, "perplexity", math.inf, 1.0, "s"),
    Score("bad", None, "of_others", 1 / 3, 1.0, "s"),
]


def comparable(scores: Scores) -> list[tuple[Any, ...]]:
    """NaN is not equal to itself, and CSV has no integers."""
    return [
        (r.model, str(r.topic), r.metric, repr(r.value), r.support, r.signature) for r in scores
    ]


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_what_was_saved_comes_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores{suffix}"
    Scores(ROWS).save(path)
    found = read_scores(path)
    assert comparable(found) == comparable(Scores(ROWS))
    assert [row.topic is None for row in found] == [False, False, True, True, True]
    assert found.datasets == [None] * 5
    assert found.better == {"npmi@10": "higher", "perplexity": "lower"}
    assert str(found)  # it prints


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_words_are_saved_with_the_scores(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores{suffix}"
    Scores(ROWS, words={("good", 0): ("cat", "dog")}).save(path)
    found = read_scores(path)
    assert comparable(found) == comparable(Scores(ROWS))
    assert found.topic_words == {(None, "good", "0"): ["cat", "dog"]}


def test_topics_keep_their_kind_in_json(tmp_path: Path) -> None:
    Scores(ROWS).save(tmp_path / "s.jsonl")
    assert [row.topic for row in read_scores(tmp_path / "s.jsonl")][:3] == [
        0,
        "space, or so",
        None,
    ]


@pytest.mark.parametrize("suffix", [".md", ".tex", ".html"])
def test_tables_to_be_looked_at_are_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match="cannot be read from this format: save them as"):
        read_scores(tmp_path / f"scores{suffix}")


def table(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_every_column_of_numbers_of_a_wide_table_is_a_metric(tmp_path: Path) -> None:
    text = (
        "Corpus,Model Name,topic_idx,label,c_v@10,theirs,none,top words,support\n"
        "wiki,lda,0.0,food,.5,1,,cat dog,7\n"
        "news,lda,0,food,NaN,2,,cow,7\n"
    )
    found = read_scores(table(tmp_path / "w.csv", text))
    assert [(r.model, r.topic, r.metric, repr(r.value)) for r in found] == [
        ("lda", "0", "c_v@10", "0.5"),
        ("lda", "0", "theirs", "1.0"),
        ("lda", "0", "support", "7.0"),
        ("lda", "0", "c_v@10", "nan"),
        ("lda", "0", "theirs", "2.0"),
        ("lda", "0", "support", "7.0"),
    ]
    assert {row.support for row in found} == {1.0}
    assert found.datasets == ["wiki"] * 3 + ["news"] * 3
    words = {("wiki", "lda", "0"): ["cat", "dog"], ("news", "lda", "0"): ["cow"]}
    assert found.topic_words == words
    assert [row["dataset"] for row in found.to_dicts()] == found.datasets
    assert found.better == {"c_v@10": "higher"}
    label, none, taken = found.notes
    assert taken == "columns of numbers, taken for metrics: theirs, support"
    assert label.startswith("the column label is not taken for a metric (")
    assert label.endswith("w.csv:2: 'food' is no number)")
    assert none == "the column none is not taken for a metric (it is empty)"


def test_models_alone(tmp_path: Path) -> None:
    found = read_scores(table(tmp_path / "m.tsv", "model\tpurity\nlda\t.5\nnmf\t.75\n"))
    assert [(r.model, r.topic, r.value) for r in found] == [
        ("lda", None, 0.5),
        ("nmf", None, 0.75),
    ]
    assert len(found.models) == 2


def test_topics_alone(tmp_path: Path) -> None:
    found = read_scores(table(tmp_path / "m.csv", "topic,purity\n0,.5\n"))
    assert [(r.model, r.topic) for r in found] == [("", "0")]


def test_metrics_in_an_object_are_the_only_ones(tmp_path: Path) -> None:
    rows = [
        {"model": "m", "topic_idx": 0, "rating": 3, "metrics": {"a": 1, "b": None}},
        {"model": "m", "topic_idx": 1, "metrics": {"b": 2}, "words": ["x", "y"]},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    found = read_scores(table(tmp_path / "n.jsonl", text))
    assert [(r.topic, r.metric, repr(r.value)) for r in found] == [
        (0, "a", "1.0"),
        (0, "b", "nan"),
        (1, "a", "nan"),
        (1, "b", "2.0"),
    ]
    assert found.words == {("m", 1): ["x", "y"]}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("s.csv", "model,npmi\n", r"s\.csv: no scores in it"),
        ("s.csv", "model,note\nlda,x\n", r"s\.csv: no scores in it"),
        ("s.csv", "name,npmi\nlda,1\n", r"no column for the model or the topic \(there are name"),
        ("s.csv", "model,topic_id,topic_idx,a\nlda,1,2,3\n", "topic_id and topic_idx may all be"),
        ("s.csv", "model,topic,metric,value\nm,0,a,high\n", r":2: the value of a is 'high', not a"),
        ("s.csv", "model,topic,metric,value\nm,0,,1\n", r":2: the metric has no name"),
        (
            "s.csv",
            "model,topic,a\nm,0,1\nm,0.0,2\n",
            r"the metric a has two scores for topic 0 of m \(.*s\.csv:2 and .*s\.csv:3\): "
            r"take one of them out",
        ),
        (
            "s.csv",
            "model,topic,metric,value\nm,,a,1\nm,,a,1\n",
            r"the metric a has two scores for the model m \(.*s\.csv:2 and .*s\.csv:3\): "
            r"take one of them out",
        ),
        (
            "s.csv",
            "topic,a\n0,1\n0,2\n",
            r"the metric a has two scores for topic 0 \(.*:2 and .*:3\): which column "
            r"names the model\?",
        ),
        (
            "s.csv",
            "model,a\nm,1\nm,2\n",
            r"the metric a has two scores for the model m \(.*\): which column names the topic\?",
        ),
        (
            "s.csv",
            "topic,Annotator,a\n0,1,1\n0,2,2\n",
            r"with a column Annotator these look like answers of people: .* with --human",
        ),
        ("s.csv", "topic,a\n0,1e999\n", r"no scores in it \(the column a is not .*:2: '1e999' is"),
        ("s.jsonl", '{"model": "m", "metrics": {"a": "x"}}', r":1: a is 'x', not a number"),
        (
            "s.jsonl",
            '{"model": "m", "metrics": {"a": 1}}\n{"model": "n", "metrics": 3}',
            r":2: metrics is 3, not an object",
        ),
        ("s.csv", "model,topic,a,words\nm,0,1,\n", ""),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = table(tmp_path / name, text)
    if not message:
        assert read_scores(path).words == {}
        return
    with pytest.raises(InputError, match=message):
        read_scores(path)


def test_columns_are_named_by_the_caller(tmp_path: Path) -> None:
    path = table(tmp_path / "s.csv", "name,topic_id,topic_idx,a\nlda,1,2,3\n")
    found = read_scores(path, columns={"model": "name", "topic": "topic_idx"})
    assert [(r.model, r.topic, r.metric) for r in found] == [
        ("lda", "2", "topic_id"),
        ("lda", "2", "a"),
    ]


WIDE = {"model": ["m", "m"], "topic": [0, 1], "npmi": [0.5, None], "words": ["a b", "c d"]}


def test_data_frames_and_dictionaries_are_read_as_files_are(tmp_path: Path) -> None:
    polars = pl.DataFrame(WIDE)
    polars.write_csv(tmp_path / "s.csv")
    expected = read_scores(tmp_path / "s.csv")
    for table_ in (polars, polars.lazy(), pd.DataFrame(WIDE), polars.to_dicts()):
        found = read_scores(table_)
        assert comparable(found) == comparable(expected)
        assert found.topic_words == expected.topic_words
    renamed = read_scores(polars.rename({"topic": "number"}), columns={"topic": "number"})
    assert comparable(renamed) == comparable(expected)


def test_rows_of_a_frame_are_named_in_errors() -> None:
    with pytest.raises(InputError, match=r"for topic 0 \(the table, row 1 and the table, row 2\)"):
        read_scores([{"topic": 0, "a": 1}, {"topic": 0, "a": 2}])
    with pytest.raises(
        InputError, match="scores must be a data frame or dictionaries, one per row"
    ):
        read_scores(3)
    with pytest.raises(InputError, match="the table: no scores in it"):
        read_scores([])


def test_a_column_with_a_bad_cell_is_named_with_cell_and_place(tmp_path: Path) -> None:
    path = table(tmp_path / "s.csv", "topic,a,b\n0,1,2\n1,n.a.,3\n")
    note, taken = read_scores(path).notes
    assert taken == "columns of numbers, taken for metrics: b"
    assert note == f"the column a is not taken for a metric ({path}:3: 'n.a.' is no number)"


def test_what_to_do_is_what_can_be_done() -> None:
    with pytest.raises(InputError, match=r'read_scores\(table, columns=\{"topic": "topic_id"\}'):
        read_scores([{"topic_id": 1, "topic_idx": 1, "a": 1}])


def test_the_metrics_of_hoyle(reference_data: Path) -> None:
    found = read_scores(reference_data / "hoyle2021" / "topics.jsonl.gz")
    assert len({row.metric for row in found}) == 14
    assert len({(row.model, row.topic) for row in found}) == 150
    assert len(found) == 14 * 150
    assert set(found.datasets) == {"wikitext"}
    assert found.value("mallet", "c_npmi_10_full", 0) == 0.0988707208
    assert {len(words) for words in found.words.values()} == {50}
