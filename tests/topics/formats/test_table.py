from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import Topic, read_topics

ROWS = {
    "topic": [1, 0, 1, 0],
    "rank": [2, 1, 1, 2],
    "word": ["dog", "soup", "cat", "new york"],
    "weight": [0.2, 0.7, 0.5, 0.1],
}
EXPECTED = (Topic(1, ("cat", "dog"), (0.5, 0.2)), Topic(0, ("soup", "new york"), (0.7, 0.1)))


def write(path: Path, frame: pl.DataFrame) -> Path:
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".txt"])
def test_a_table_is_read_by_its_columns(tmp_path: Path, suffix: str) -> None:
    result = read_topics(write(tmp_path / f"lda{suffix}", pl.DataFrame(ROWS)))
    assert result.model == "lda"
    assert result.topics == EXPECTED


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_columns_have_several_names_and_any_order(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame(ROWS).rename({"topic": "Topic_ID", "word": "term", "weight": "Prob"})
    frame = frame.select("Prob", pl.lit("x").alias("model"), "term", "rank", "Topic_ID")
    assert read_topics(write(tmp_path / f"a{suffix}", frame)).topics == EXPECTED


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_without_ranks_the_weights_order_the_words(tmp_path: Path, suffix: str) -> None:
    result = read_topics(write(tmp_path / f"a{suffix}", pl.DataFrame(ROWS).drop("rank")))
    assert result.topics == EXPECTED


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_ranks_come_before_weights(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame(ROWS | {"weight": [5.0, 1.0, 2.0, 3.0]})
    result = read_topics(write(tmp_path / f"a{suffix}", frame))
    assert [topic.words for topic in result.topics] == [("cat", "dog"), ("soup", "new york")]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_without_ranks_and_weights_the_file_orders_the_words(tmp_path: Path, suffix: str) -> None:
    result = read_topics(write(tmp_path / f"a{suffix}", pl.DataFrame(ROWS).select("topic", "word")))
    assert result.topics == (Topic(1, ("dog", "cat")), Topic(0, ("soup", "new york")))


def test_ids_may_be_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("topic,word,weight\npets,cat,2\nfood,soup,1\n7,x,1\n")
    assert [topic.id for topic in read_topics(tmp_path / "a.csv").topics] == ["pets", "food", "7"]


def test_quotes_semicolons_and_line_breaks(tmp_path: Path) -> None:
    data = '\ufeff"topic";"word";"rank"\r\n0;"a ""b"" c";1\r\n0;"d;e";2\r\n\r\n'
    (tmp_path / "a.csv").write_bytes(data.encode())
    assert read_topics(tmp_path / "a.csv").topics == (Topic(0, ('a "b" c', "d;e")),)


def test_words_that_look_like_a_header_are_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("topic\tword\tmodel\nscore\tgoal\tmatch\n")
    assert read_topics(tmp_path / "a.txt")[0].words == ("topic", "word", "model")
    (tmp_path / "a.txt").write_text("topic\tword\tscore\ncat\tdog\thorse\n")
    assert read_topics(tmp_path / "a.txt")[0].words == ("topic", "word", "score")
    (tmp_path / "a.txt").write_text("topic word score\n0 dog 1\n")
    assert read_topics(tmp_path / "a.txt")[0].words == ("topic", "word", "score")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("topic,word,rank\n0,cat,1\n0,dog,x\n", r"a\.csv:3: 'x' in rank is not a number"),
        ("topic,term,Score\n0,cat,\n", r"a\.csv:2: '' in Score is not a number"),
        ("topic,term,score\n0,cat,nan\n", r"a\.csv:2: 'nan' in score is not a number"),
        ("topic,word,rank\n0, ,1\n", r"a\.csv:2: ' ' in word is no word"),
        ("topic_id,word,rank\n,cat,1\n", r"a\.csv:2: '' in topic_id is no topic's id"),
        ("topic,word,rank\n0,cat\n", r"a\.csv:2: 2 fields, but the header has 3"),
        ('topic,word,rank\n0,"cat,1\n', r"a\.csv:2: unexpected end of data"),
        ("topic,word,rank\n", r"a\.csv: no topics"),
    ],
)
def test_a_wrong_cell_is_an_error_that_names_line_and_column(
    tmp_path: Path, data: str, message: str
) -> None:
    (tmp_path / "a.csv").write_text(data)
    with pytest.raises(InputError, match=message) as caught:
        read_topics(tmp_path / "a.csv")
    assert str(caught.value).startswith(str(tmp_path))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"word": ["cat"], "rank": [1]}, r"has the columns topic and word, not word, rank"),
        ({"topic": [0, None], "word": ["a", "b"]}, r"row 2: None in topic is no topic's id"),
        ({"topic": [0, 0], "word": ["a", None]}, r"row 2: None in word is no word"),
        ({"topic": [0], "word": ["a"], "rank": [None]}, r"row 1: None in rank is not a number"),
        ({"topic": [0.5], "word": ["a"]}, r"row 1: 0\.5 in topic is no topic's id"),
    ],
)
def test_a_wrong_row_of_parquet_is_an_error_that_names_it(
    tmp_path: Path, rows: dict[str, list[Any]], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_topics(write(tmp_path / "a.parquet", pl.DataFrame(rows)))
    assert str(caught.value).startswith(str(tmp_path / "a.parquet"))


def test_damaged_parquet_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", pl.DataFrame(ROWS))
    data = path.read_bytes()
    for size in (4, 20, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"a\.parquet: not a readable Parquet file"):
            read_topics(path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_outliers_are_no_topic(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame(ROWS)
    noise = frame.head(1).with_columns(topic=pl.lit(-1, dtype=pl.Int64))
    with pytest.warns(TealeavesWarning, match="topic -1, the outliers, is no topic and is left"):
        result = read_topics(write(tmp_path / f"a{suffix}", pl.concat([frame, noise])))
    assert result.topics == EXPECTED
    alone = write(tmp_path / f"a{suffix}", pl.DataFrame({"topic": [-1], "word": ["cat"]}))
    with pytest.raises(InputError, match="no topics: all rows are of topic -1"):
        read_topics(alone)


@pytest.mark.parametrize("name", ["a.parquet", "a.PARQUET"])
def test_a_file_called_parquet_is_parquet_or_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("cat dog\nbread soup\n")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read_topics(tmp_path / name)
    with pytest.raises(InputError, match="not topics in a known format"):
        read_topics(tmp_path / name, separator="space")
