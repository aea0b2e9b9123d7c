"""Layouts of published judgments: small examples, and the published data where they are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, TopicKey, read_judgments
from tealeaves.judgments.layouts import LAYOUTS
from tealeaves.tables.rows import read_rows


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def table(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


VOTES = {"corpus": "c", "model_id": "m", "topic_seq": 2, "words": ["a", "b"], "votes": [4, 1]}
RATED = {"corpus": "wiki", "topic_idx": 0, "words": ["a", "b"]} | {
    f"rating_top{n}": n / 10 for n in (5, 10, 15, 20)
}
MEANS = {
    "corpus": "wikitext",
    "model": "etm",
    "topic_idx": 3,
    "words": ["a", "b"],
    "metrics": {"npmi": 0.1},
    "ratings_mean": 2.5,
    "intrusion_mean": 0.75,
}
SAMPLED = """corpus\tmodel\ttopic_idx\ttask\tslot\tscore\tfamiliar
wikitext\tetm\t3\tratings\t0\t1\t1
wikitext\tetm\t3\tintrusion\t0\t1\t0
wikitext\tetm\t3\tintrusion\t1\t0\t1
"""
ALL = """survey\ttask\tannotator\tcorpus\tmodel\ttopic_idx\traw_score\traw_confidence
wikitext\tratings\tw_0\twikitext\tfake\t10002\t1\t4
wikitext\tratings\tw_1\twikitext\tfake\t10002\t2\t6
wikitext\tratings\tw_0\twikitext\tetm\t3\t1\t5
wikitext\tintrusion\tw_2\twikitext\tetm\t3\t6\t7
wikitext\tintrusion\tw_3\twikitext\tetm\t3\t1\t8
"""
RELEASED = (
    "test_language,doc_link_rate,chain_id,topic_id,user_id,score\n"
    + "".join(f"am, 0.0, 1, 8,{n},2\n" for n in range(5))
    + "".join(f"cmn, 1.0, 0, 5,{n},1\n" for n in range(5))
    + "".join(f"sv, 1.0, 0, 5,{n},1\n" for n in range(5))
    + "".join(f"am, 0.2, 1, 8,{n},0\n" for n in range(5))
)


def test_tidy_comes_after_the_published_layouts() -> None:
    published = ["khodorchenko2022", "hoyle2021", "lau_baldwin2016", "hao2018"]
    assert list(LAYOUTS) == [*published, "tidy"]


def test_votes(tmp_path: Path) -> None:
    people = read_judgments(
        lines(tmp_path / "v.jsonl", VOTES, VOTES | {"topic_seq": 3, "votes": []})
    )
    key = TopicKey("c", "m", "2")
    assert people.parts == [("c", "votes")]
    assert people.human()[key] == 2.5
    assert people.words[key] == ["a", "b"]
    # nobody voted on the other: it is there, and has no answers
    assert people.counts() == {key: 2, TopicKey("c", "m", "3"): 0}


def test_ratings_at_four_cardinalities(tmp_path: Path) -> None:
    people = read_judgments(lines(tmp_path / "r.jsonl", RATED))
    assert [task for _, task in people.parts] == [f"rating_top{n}" for n in (5, 10, 15, 20)]
    assert people.where(task="rating_top15").human() == {TopicKey("wiki", "lda", "0"): 1.5}
    assert people.frame["annotator"].null_count() == 4


def test_means_of_two_tasks(tmp_path: Path) -> None:
    people = read_judgments(lines(tmp_path / "t.jsonl", MEANS))
    key = TopicKey("wikitext", "etm", "3")
    assert people.where(task="ratings").human() == {key: 2.5}
    assert people.where(task="intrusion").human() == {key: 0.75}
    assert people.words == {key: ["a", "b"]}


def test_the_balanced_sample(tmp_path: Path) -> None:
    people = read_judgments(table(tmp_path / "s.tsv", SAMPLED))
    assert people.frame["correct"].to_list() == [None, True, False]
    assert people.frame["familiar"].to_list() == [True, False, True]
    assert people.frame["annotator"].null_count() == 3
    assert "drawn with replacement" in people.notes[0]


def test_all_answers(tmp_path: Path) -> None:
    people = read_judgments(table(tmp_path / "a.tsv", ALL))
    assert people.frame["gold"].to_list() == [True, True, False, False, False]
    assert people.frame["correct"].to_list() == [True, False, None, True, False]
    assert people.frame["familiar"].to_list() == [True, False, False, True, False]
    assert people.frame["options"].to_list() == [None, None, None, 6, 6]
    assert people.where(task="ratings").human() == {TopicKey("wikitext", "etm", "3"): 1.0}
    assert people.where(task="intrusion").human() == {TopicKey("wikitext", "etm", "3"): 0.5}


def test_a_released_label_is_corrected(tmp_path: Path) -> None:
    people = read_judgments(table(tmp_path / "h.csv", RELEASED))
    assert people.frame["dataset"].to_list() == [
        language for language in ("en-am", "en-zh", "en-sv", "en-tl") for _ in range(5)
    ]
    assert people.frame["item"].to_list() == [str(n) for n in range(4) for _ in range(5)]
    assert people.frame["model"].unique().sort().to_list() == ["0.0/1", "0.2/1", "1.0/0"]
    assert people.notes == ["h.csv: 5 answers labelled am are on Tagalog (tl)"]


def test_only_the_block_after_swedish_is_corrected(tmp_path: Path) -> None:
    header, *rows = RELEASED.splitlines(keepends=True)
    am, cmn, sv, second = (rows[at : at + 5] for at in (0, 5, 10, 15))
    others = {
        "after another": [*am, *sv, *cmn, *second],
        "no Amharic before": [*cmn, *sv, *second],
    }
    for blocks in others.values():
        people = read_judgments(table(tmp_path / "h.csv", header + "".join(blocks)))
        assert "en-tl" not in people.frame["dataset"].to_list()
        assert not any("Tagalog" in note for note in people.notes)


@pytest.mark.parametrize(
    ("name", "row"), [("v.jsonl", VOTES), ("r.jsonl", RATED), ("t.jsonl", MEANS)]
)
def test_a_topic_that_stands_twice_is_refused(
    tmp_path: Path, name: str, row: dict[str, Any]
) -> None:
    path = lines(tmp_path / name, row, row)
    places = rf"{name}:2: topic \d of \w+ \(\w+\) stands at .*{name}:1 already: take one of"
    with pytest.raises(InputError, match=places):
        read_judgments(path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("v.jsonl", json.dumps(VOTES | {"votes": 4}), r"v\.jsonl:1: votes is 4, not a list"),
        ("v.jsonl", json.dumps(VOTES | {"votes": ["x"]}), "votes is 'x', not a number"),
        ("v.jsonl", json.dumps(VOTES | {"corpus": None}), "corpus is None, not a name"),
        (
            "v.jsonl",
            json.dumps(VOTES) + "\n" + json.dumps({"corpus": "c"}),
            r"v\.jsonl:2: no field model_id \(there are corpus\)",
        ),
        ("r.jsonl", json.dumps(RATED | {"rating_top5": None}), "rating_top5 is None, not a number"),
        ("t.jsonl", json.dumps(MEANS | {"words": "a b"}), "words is 'a b', not a list"),
        ("s.tsv", SAMPLED.replace("\tratings", "\tguess"), r"s\.tsv:2: the task guess is neither"),
        ("s.tsv", SAMPLED + "w\te\t3\tratings\tx\t1\t1\n", r"s\.tsv:5: slot is 'x', not a number"),
        ("s.tsv", SAMPLED + "w\te\t3\tratings\tinf\t1\t1\n", "slot is 'inf', not a finite number"),
        ("h.csv", RELEASED + "sv,0,1,2,inf,1\n", "user_id is 'inf', not a finite number"),
        ("a.tsv", ALL.replace("w_1", ""), r"a\.tsv:3: annotator is '', not a name"),
        ("h.csv", RELEASED + "sv,x,1,2,3,1\n", r"h\.csv:22: doc_link_rate is 'x', not a number"),
    ],
)
def test_errors_name_file_line_and_field(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_judgments(table(tmp_path / name, text))


# ---------------------------------------------------------------------- the published data


def _means(people: Judgments, task: str) -> dict[TopicKey, float]:
    return people.where(task=task).human()


def test_the_sample_of_hoyle_has_the_published_means(reference_data: Path) -> None:
    folder = reference_data / "hoyle2021"
    means = read_judgments(folder / "topics.jsonl.gz")
    sample = read_judgments(folder / "annotations_sampled.tsv.gz")
    for task, raters in (("ratings", 15), ("intrusion", 26)):
        published, found = _means(means, task), _means(sample, task)
        assert len(published) == 150
        assert found == pytest.approx(published, abs=1e-9)
        assert set(sample.where(task=task).counts().values()) == {raters}
    shares = sample.frame.group_by("model", "topic", "task").agg(pl.col("familiar").mean())
    known = {(m, t, task): share for m, t, task, share in shares.iter_rows()}
    for row in read_rows(folder / "topics.jsonl.gz"):
        for task in ("ratings", "intrusion"):
            key = (row.text("model"), row.text("topic_idx"), task)
            assert known[key] == pytest.approx(row.number(f"{task}_familiar_mean"), abs=1e-9)


def test_all_answers_of_hoyle(reference_data: Path) -> None:
    people = read_judgments(reference_data / "hoyle2021" / "annotations_all.tsv.gz")
    assert len(people) == 9288
    assert people.frame["annotator"].n_unique() == 309
    assert people.frame["annotator"].null_count() == 0
    checks = people.checks.frame
    assert (checks.height, checks["correct"].sum()) == (277, 205)
    assert people.where(task="intrusion").topics_only.frame["correct"].sum() == 4429
    # every answer of the sample is one that was given: what codes mean is read right
    sample = read_judgments(reference_data / "hoyle2021" / "annotations_sampled.tsv.gz")
    keys = ["task", "model", "topic", "value", "familiar"]

    def tally(part: Judgments) -> pl.DataFrame:
        task = part.topics_only
        return task.frame.with_columns(value=task.values).group_by(keys).len()

    for task in ("ratings", "intrusion"):
        drawn, given = tally(sample.where(task=task)), tally(people.where(task=task))
        both = drawn.join(given, on=keys, how="left")
        assert both["len_right"].null_count() == 0
        more = both.filter(pl.col("len") > pl.col("len_right")).height
        # intrusion was drawn without replacement, ratings with
        assert (more > 0) == (task == "ratings")


def test_khodorchenko_has_the_published_means_and_classes(reference_data: Path) -> None:
    folder = reference_data / "khodorchenko2022"
    people = read_judgments(folder / "topics.jsonl.gz")
    means, classes = people.human(), people.scaled("majority").human()
    rows = list(read_rows(folder / "topics.jsonl.gz"))
    assert len(rows) == len(means) == 1100
    counts = people.counts()
    for row in rows:
        key = TopicKey(row.text("corpus"), row.text("model_id"), row.text("topic_seq"))
        assert means[key] == pytest.approx(row.number("human_mean"), abs=1e-6)
        assert classes[key] == row.number("majority_5class")
        assert counts[key] == row.number("n_votes")
    models = people.human("model")
    published = {
        TopicKey(row.text("corpus"), row.text("model_id"), ""): row.number("human_mean")
        for row in read_rows(folder / "models.tsv")
    }
    assert len(published) == 50
    assert models == pytest.approx(published, abs=1e-6)


def test_lau_and_baldwin_rated_300_topics_four_times(reference_data: Path) -> None:
    people = read_judgments(reference_data / "lau_baldwin2016" / "topics.jsonl.gz")
    assert len(people.parts) == 4
    assert all(len(people.part(*part).human()) == 300 for part in people.parts)
    assert people.frame["answer"].min() == 1.0
    assert people.frame["answer"].max() == 3.0
    (model,) = people.where(task="rating_top5").models()
    assert (model.model, len(model), len(model.topics[0].words)) == ("lda", 300, 20)


def test_hao_as_released_is_hao_as_corrected(reference_data: Path) -> None:
    folder = reference_data / "hao2018_lessons_bible"
    released = read_judgments(folder / "human_judgments.csv.gz")
    corrected = read_judgments(folder / "human_judgments_fixed.csv")
    assert released.frame.equals(corrected.frame)
    sizes = corrected.frame.group_by("dataset").agg(
        pl.len(), pl.col("item").n_unique(), pl.struct("model", "topic").n_unique()
    )
    assert {name: counts for name, *counts in sizes.iter_rows()} == {
        "en-am": [300, 60, 60],
        "en-zh": [300, 60, 60],
        "en-ro": [300, 60, 48],  # some topics were shown again
        "en-sv": [300, 60, 49],
        "en-tl": [300, 60, 60],
        "en-tr": [300, 60, 60],
    }
    assert corrected.frame["annotator"].null_count() == 1800
    assert sorted(set(corrected.frame["answer"].to_list())) == [0.0, 1.0, 2.0]
