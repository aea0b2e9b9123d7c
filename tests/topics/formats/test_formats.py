"""The list of formats: any file is recognised, or refused in one line."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tealeaves import demo
from tealeaves.cli.main import cli
from tealeaves.errors import InputError
from tealeaves.topics import Topics, read_topics
from tealeaves.topics.formats import format_names

SUFFIXES = ["", ".txt", ".json", ".csv", ".tsv", ".npz", ".topics", ".parquet", ".safetensors"]
STARTS = [
    b"",
    b"PK\x03\x04",
    b"PAR1",
    b"\x80\x04",
    b"\x93NUMPY",
    b"#doc source pos typeindex type topic\n#alpha : 1 1 \n#beta : 1\n",
    b"#doc source pos typeindex type topic\n0 a 0 0 cat 0\n",
    b"#doc name topic proportion ...\n0\ta\t",
    b"0\t0.5\tcat dog \n",
    b"0\tname\t0.5\t0.5\n",
    b"<Basic Info>\n<Topics>\n| #0 (5) : ",
    b"<Topics>\n| ",
    b'topic #0 (0.5): 0.3*"a" + ',
    b"[(0, '0.3*\"a\"'), (",
    b"topic,word,rank\n0,",
    b"topic\tterm\tscore\n0\ta\t1\n",
    b'{"topic-word-matrix": [[1]], "topics": ',
    b'{"topic_representations": {',
    b'{"topics": [["a"]], "samples": ',
    b'{"topics": [["a"]], "assignments": {"starts": [0], "words": [',
    b"[[",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
]
PIECES = st.lists(
    st.binary(max_size=8)
    | st.sampled_from([b"\t", b"\n", b" ", b"0", b"1", b"0.5", b'"', b",", b"[", b"]", b"}", b"a"]),
    max_size=30,
).map(b"".join)


def is_read_or_refused(path: Path) -> bool:
    """Tell whether a file gives topics, or an error in one line that names it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            said = repr(read_topics(path))
        except InputError as error:
            said = str(error)
    return said.startswith("Topics(") or (path.name in said and "\n" not in said)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(STARTS), PIECES, st.sampled_from(SUFFIXES))
@example(b"", b"\x85", "")
@example(b"", b"0*'\"\n", ".txt")
def test_any_bytes_give_topics_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, start: bytes, rest: bytes, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"fuzz{suffix}"
    path.write_bytes(start + rest)
    assert is_read_or_refused(path)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(STARTS), PIECES, st.sampled_from(["topics.json", "config.json", "x.txt"]))
def test_any_folder_gives_topics_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, start: bytes, rest: bytes, name: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / "folder"
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text("{}")
    (folder / name).write_bytes(start + rest)
    assert is_read_or_refused(folder)


def test_an_unknown_format_is_an_error_that_lists_the_formats(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_bytes(b"\x89HDF\r\n\x1a\n\0\0\0")
    with pytest.raises(InputError, match="not topics in a known format; known are ") as caught:
        read_topics(tmp_path / "a.dat")
    for name in ("MALLET", "BERTopic", "OCTIS", "gensim", "tomotopy", "table", "JSON", "per line"):
        assert name in str(caught.value)
    assert len(set(format_names())) == len(format_names())


def test_a_folder_of_something_else_lists_the_known_folders(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Once upon a time.\n")
    with pytest.raises(InputError, match="a folder, not a file of topics") as caught:
        read_topics(tmp_path)
    for name in ("MALLET", "BERTopic", "OCTIS"):
        assert name in str(caught.value)


def test_options_without_meaning_for_the_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("cat dog\n")
    with pytest.raises(InputError, match=r"a\.txt: vocabulary has no meaning for such a file"):
        read_topics(tmp_path / "a.txt", vocabulary=["cat"])
    with pytest.raises(InputError, match=r"a\.txt: languages has no meaning.*takes no options"):
        read_topics(tmp_path / "a.txt", languages="en,es")
    with pytest.raises(InputError, match=r"a\.txt: top must be a whole number"):
        read_topics(tmp_path / "a.txt", top=0)
    assert read_topics(tmp_path / "a.txt", language="en").language == "en"


@pytest.mark.parametrize(
    ("name", "model"),
    [("lda.topics", "lda"), ("lda.v2.json", "lda.v2"), ("x.npz", "x.npz"), ("l.d.a", "l.d.a")],
)
def test_the_file_names_the_model(tmp_path: Path, name: str, model: str) -> None:
    if name.endswith(".topics"):
        Topics.of([["a"]], model="").save(tmp_path / name)
    elif name.endswith(".npz"):
        name = model
        (tmp_path / name).mkdir()
        (tmp_path / name / "keys.txt").write_text("0\t0.5\ta b \n")
    else:
        (tmp_path / name).write_text('[["a"]]')
    assert read_topics(tmp_path / name).model == model


def test_a_folder_is_named_even_when_it_is_the_present_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run7").mkdir()
    (tmp_path / "run7" / "keys.txt").write_text("0\t0.5\tcat dog \n")
    monkeypatch.chdir(tmp_path / "run7")
    assert read_topics(".").model == "run7"


def test_the_command_line_scores_folders(tmp_path: Path) -> None:
    demo.copy_to(tmp_path / "demo")
    bertopic, mallet = tmp_path / "bertopic", tmp_path / "mallet"
    good = demo.models("en")[0]
    representations = {
        str(number): [[word, 0.1] for word in topic.words]
        for number, topic in enumerate(good.topics)
    }
    bertopic.mkdir()
    content = {"topic_representations": representations, "topics": [0, 1, -1]}
    (bertopic / "topics.json").write_text(json.dumps(content))
    (bertopic / "config.json").write_text("{}")
    mallet.mkdir()
    (mallet / "keys.txt").write_text(
        "".join(f"{n}\t0.1\t{' '.join(topic.words)} \n" for n, topic in enumerate(good.topics))
    )
    arguments = ["score", str(bertopic), f"{mallet}/", str(tmp_path / "demo/topics/en/good.json")]
    done = CliRunner().invoke(
        cli, [*arguments, "-c", str(tmp_path / "demo/en.jsonl"), "-m", "npmi@10", "--format", "csv"]
    )
    assert done.exit_code == 0, done.output
    assert {"bertopic", "mallet"} <= {
        field for line in done.output.splitlines() for field in line.split(",")
    }


@pytest.mark.parametrize("name", ["a.json", "a.JSON", "a.json.gz"])
@pytest.mark.parametrize("separator", [None, "space"])
def test_a_file_called_json_is_json_or_an_error(
    tmp_path: Path, name: str, separator: str | None
) -> None:
    data = b"cat dog\nbread soup\n"
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(InputError, match=r"a\.\S+:1: not valid JSON at column 1"):
        read_topics(tmp_path / name, separator=separator)


def test_an_archive_in_another_is_to_be_unpacked(tmp_path: Path) -> None:
    Topics.of([["cat", "dog"]]).save(tmp_path / "a.topics")
    (tmp_path / "a.topics.gz").write_bytes(gzip.compress((tmp_path / "a.topics").read_bytes()))
    with pytest.raises(InputError, match=r"a\.topics\.gz: an archive, .* \.gz file: unpack that"):
        read_topics(tmp_path / "a.topics.gz")
