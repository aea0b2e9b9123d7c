"""Judgments from files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, Thresholds, read_judgments

CSV = "model,topic,annotator,rating,comment\nlda,0,ann,3,fine\nlda,0,bob,,\nlda,1,ann,1,\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_tidy_csv(tmp_path: Path) -> None:
    people = read_judgments(written(tmp_path / "people.csv", CSV))
    assert people.frame["answer"].to_list() == [3.0, None, 1.0]
    assert people.frame["comment"].to_list() == ["fine", None, None]
    assert people.notes == [
        "`rating` is taken for the answer",
        "columns of no meaning here, kept: comment (--column says what they are)",
    ]


def test_all_rows_of_jsonl_say_which_columns_there_are(tmp_path: Path) -> None:
    rows = [{"topic": 1, "answer": 2}, {"topic": 1, "answer": 3, "annotator": "ann"}]
    path = written(tmp_path / "p.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert read_judgments(path).frame["annotator"].to_list() == [None, "ann"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,answer\n", r"p\.csv: no judgments in it"),
        ("", r"p\.csv: no judgments in it"),
        ("topic,answer,time\n1,2,3\n1,2,soon\n", r"p\.csv:3: the time 'soon' is no number"),
        ("topic,answer,gold\n1,2,maybe\n", r"p\.csv:2: gold: 'maybe' is neither true nor false"),
        ("topic,answer\n1,2\n,2\n", r"p\.csv:3: no topic"),
        ("topic,answer\n1,2\n2,inf\n", r"p\.csv:3: the answer 'inf' is not a finite number"),
        ("topic,answer\n1,2\n2,-1e999\n", r"p\.csv:3: the answer '-1e999' is not a finite"),
        ("topic,answer\n1,2\n2,-1e308\n", r"p\.csv:3: the answer '-1e308' .* number up to 1e50"),
        ("topic,answer,time\n1,2,inf\n", r"p\.csv:2: the time 'inf' is not a finite number of s"),
        ("topic,score,rating\n1,2,3\n", r"p\.csv: score and rating may all be the answer"),
        (
            "topic,stars\n1,2\n",
            r"p\.csv: no column for the answer \(there are topic, stars\): say which it is: "
            r'--column answer=NAME, in Python answer="NAME"; .* --column answer=a1,a2,a3',
        ),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_judgments(written(tmp_path / "p.csv", text))


def test_columns_are_named_by_the_caller(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "topic,stars\n1,2\n")
    assert read_judgments(path, columns={"answer": "stars"}).frame["answer"].to_list() == [2.0]
    with pytest.raises(InputError, match=r"no column star; did you mean stars"):
        read_judgments(path, columns={"answer": "star"})


def test_a_layout_can_be_named_and_must_be_known(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", CSV)
    assert len(read_judgments(path, layout="tidy")) == 3
    with pytest.raises(
        InputError, match=r"unknown layout hoyle; did you mean hoyle2021\? .*, tidy\)"
    ):
        read_judgments(path, layout="hoyle")
    with pytest.raises(InputError, match=r"p\.csv:2: no field corpus"):
        read_judgments(path, layout="khodorchenko2022")


def test_the_rows_of_the_demo_are_those_of_its_file(tmp_path: Path) -> None:
    demo.copy_to(tmp_path)
    read = read_judgments(tmp_path / "invented_judgments.csv")
    assert read.frame.equals(Judgments.of(demo.judgments()).frame)


def test_a_number_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jsonl", '{"topic": 1, "answer": 1' + "0" * 400 + "}")
    with pytest.raises(InputError, match=r"p\.jsonl:1: the answer '10+' is not a finite number"):
        read_judgments(path)


def test_an_answer_that_counts_nothing_is_named_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "topic,answer\n1,2\n1,abc\n2,3\n2,1\n2,abc\n")
    with pytest.raises(InputError, match=r"p\.csv:3: the answer 'abc' is no number: mend it"):
        read_judgments(path).human()
    with pytest.raises(InputError, match=r"p\.csv:2: the answer '2' is not on the scale"):
        read_judgments(path).scaled("abc=1, 3=3").human()
    # on a scale it may well be an answer
    assert list(read_judgments(path).scaled("abc=5, 1=1, 2=2, 3=3").human().values()) == [3.5, 3.0]


def test_an_answer_is_looked_for_in_its_own_task(tmp_path: Path) -> None:
    text = "topic,task,answer,key\n1,intrusion,cat,cat\n1,rating,1,\n1,rating,cat,\n1,rating,2,\n"
    people = read_judgments(written(tmp_path / "p.csv", text))
    with pytest.raises(InputError, match=r"p\.csv:4: the answer 'cat' is no number"):
        people.where(task="rating").human()


def test_a_column_of_each_annotator(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "topic,a1,a2,a3\n0,1,2,\n1,3,3,x\n")
    people = read_judgments(path, columns={"answer": "a1, a2"})
    assert people.frame.select("topic", "annotator", "answer", "a3").rows() == [
        ("0", "a1", 1.0, None),
        ("0", "a2", 2.0, None),
        ("1", "a1", 3.0, "x"),
        ("1", "a2", 3.0, "x"),
    ]
    assert people.notes == [
        f"{path}: each of 2 columns is an annotator: a1, a2",
        "columns of no meaning here, kept: a3 (--column says what they are)",
    ]
    again = Judgments.of(rows_of(path), answer=["a1", "a2"])
    assert again.frame.equals(people.frame)
    with pytest.raises(InputError, match=r"p\.csv:3, a3: the answer 'x' is no number"):
        read_judgments(path, columns={"answer": ["a1", "a2", "a3"]}).human()
    with pytest.raises(InputError, match=r"no column a4 \(there are topic, a1"):
        read_judgments(path, columns={"answer": "a1,a4"})
    with pytest.raises(InputError, match="topic is one column, not a1, a2"):
        read_judgments(path, columns={"topic": "a1,a2"})
    # errors tell of the file's columns, not of those that are made of them
    with pytest.raises(InputError, match=r"no column topics; .* \(there are topic, a1, a2, a3\)"):
        read_judgments(path, columns={"answer": "a1,a2", "topic": "topics"})
    with pytest.raises(InputError, match="a1 is a column of answers, it cannot be the topic too"):
        read_judgments(path, columns={"answer": "a1,a2", "topic": "a1"})
    message = f"{path}: annotator cannot be named if each annotator has a column: leave it out"
    with pytest.raises(InputError, match=re.escape(message)):
        read_judgments(path, columns={"answer": "a1,a2", "annotator": "a3"})


def rows_of(path: Path) -> list[dict[str, str]]:
    from tealeaves.tables.rows import read_rows

    return [row.values for row in read_rows(path)]


def test_a_comma_in_the_name_of_a_column_is_part_of_it(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", 'topic,"clear, on the whole"\n0,2\n')
    people = read_judgments(path, columns={"answer": "clear, on the whole"})
    assert people.frame["answer"].to_list() == [2.0]


def test_a_column_called_answer_beside_columns_of_annotators_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "topic,Answer,a1,a2\n0,final,1,2\n")
    people = read_judgments(path, columns={"answer": "a1,a2"})
    assert people.frame["answer"].to_list() == [1.0, 2.0]
    assert people.frame["Answer_"].to_list() == ["final", "final"]
    named = read_judgments(path, columns={"answer": "a1,a2", "topic": "Answer"})
    assert named.frame["topic"].to_list() == ["final", "final"]


def test_a_column_of_each_annotator_and_none_of_the_topic(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "number,a1,a2\n0,1,2\n")
    with pytest.raises(InputError, match=r"for the topic \(there are number, a1, a2\)"):
        read_judgments(path, columns={"answer": "a1,a2"})


def test_files_of_topics_and_of_scores_are_no_judgments(tmp_path: Path) -> None:
    topics = written(tmp_path / "t.json", json.dumps({"topics": [["cat", "dog"]]}))
    with pytest.raises(InputError, match=r"t\.json: it looks like a file of topics, not a table"):
        read_judgments(topics)
    text = "model,topic,metric,value,signature\nlda,0,npmi,0.1,npmi\n"
    with pytest.raises(InputError, match=r"s\.csv: scores of metrics, not judgments"):
        read_judgments(written(tmp_path / "s.csv", text))
    with pytest.raises(InputError, match="the table: scores of metrics, not judgments"):
        Judgments.of(rows_of(tmp_path / "s.csv"))


def test_numbers_are_chosen_as_the_file_writes_them(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "topic;answer;Duration\n1;2;9,3\n2;2;8\n")
    people = read_judgments(path)
    assert len(people.where(time="9,3")) == len(people.where(time="9.3")) == 1


def test_judgments_are_selected_and_the_notes_say_so(tmp_path: Path) -> None:
    path = tmp_path / "demo.csv"
    Judgments.of(demo.judgments()).save(path)
    whole = read_judgments(path)
    some = read_judgments(path, where={"model": "good"}, tasks=["rating"], leave_out=Thresholds())
    chosen = whole.where(model="good").of_tasks(["rating"])
    assert set(some.frame["model"]) == {"good"}
    assert some.frame["annotator"].n_unique() == chosen.frame["annotator"].n_unique() - 1
    assert some.notes[len(whole.notes) :] == [
        f"only judgments with model=good: {len(whole.where(model='good'))} of {len(whole)}",
        f"only judgments of rating: {len(chosen)} of {len(whole.where(model='good'))}",
        f"1 annotator looks careless and is left out, with {len(chosen) - len(some)} judgments: a6",
    ]
    with pytest.raises(InputError, match="leaves none of 416 judgments"):
        read_judgments(path, where={"model": "nothing"})
    with pytest.raises(InputError, match="--without-flagged leaves none of"):
        read_judgments(path, leave_out=Thresholds(seconds=1000))
