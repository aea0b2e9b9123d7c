"""No file is ever unpickled: a pickle that would write a file does not."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import pickletools
import string
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import read_topics


class Malicious:
    """Unpickled, it makes a file."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.mark}",)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "mark"


def test_the_pickle_of_this_test_does_work(mark: Path) -> None:
    pickle.loads(pickle.dumps(Malicious(mark)))
    assert mark.exists()


def malicious_pickle(mark: Path, protocol: int = 5) -> bytes:
    return pickle.dumps(Malicious(mark), protocol=protocol)


def torch_file(mark: Path) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("archive/data.pkl", malicious_pickle(mark))
    return stream.getvalue()


def npz(mark: Path) -> bytes:
    stream = io.BytesIO()
    topics = np.array([Malicious(mark)], dtype=object)
    np.savez(stream, topics=topics, allow_pickle=True)
    return stream.getvalue()


FILES: dict[str, Callable[[Path], bytes]] = {
    "model.pkl": malicious_pickle,
    "model": malicious_pickle,
    "bertopic_model": lambda mark: malicious_pickle(mark, 4),
    "model.json": malicious_pickle,
    "model.txt": lambda mark: malicious_pickle(mark, 2),
    "old.pkl": lambda mark: malicious_pickle(mark, 0),
    "old.pkl.gz": lambda mark: gzip.compress(malicious_pickle(mark, 0)),
    "textual": lambda mark: malicious_pickle(mark, 0),
    "textual.txt": lambda mark: malicious_pickle(mark, 0),
    "textual.csv": lambda mark: malicious_pickle(mark, 0) + b"\n",
    "textual.txt.gz": lambda mark: gzip.compress(malicious_pickle(mark, 0)),
    "lists.txt": lambda _: pickle.dumps([["cat", "dog"], ["bread", "soup"]], protocol=0),
    "mapping.txt": lambda _: pickle.dumps({0: ["cat", "dog"]}, protocol=0),
    "by_hand.txt": lambda mark: f"cos\nsystem\n(S'touch {mark}'\ntR.".encode(),
    "older.pickle": lambda mark: malicious_pickle(mark, 1),
    "model.joblib": lambda mark: zlib.compress(malicious_pickle(mark)),
    "model.joblib.gz": lambda mark: gzip.compress(malicious_pickle(mark)),
    "topic_embeddings.bin": torch_file,
    "model.pt": torch_file,
    "lda.model": malicious_pickle,
    "octis.npz": npz,
    "octis": npz,
    "a.topics": npz,
    "b.topics": malicious_pickle,
}


@pytest.mark.parametrize("name", FILES)
def test_a_malicious_file_is_refused_and_not_run(tmp_path: Path, mark: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name](mark))
    for separator in (None, "space"):
        with pytest.raises(InputError) as caught:
            read_topics(path, separator=separator)
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)
    assert not mark.exists()


@pytest.mark.parametrize(
    "name", ["model.pkl", "model", "topic_embeddings.bin", "lda.model", "textual", "old.pkl.gz"]
)
def test_the_refusal_says_what_to_do_instead(tmp_path: Path, mark: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name](mark))
    with pytest.raises(InputError, match=r'never opened.*serialization="safetensors".*adapt'):
        read_topics(tmp_path / name)


def test_a_folder_of_bertopic_with_malicious_files_runs_none(tmp_path: Path, mark: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    content = {"topic_representations": {"0": [["cat", 0.5]]}, "topics": [0, -1]}
    (folder / "topics.json").write_text(json.dumps(content))
    (folder / "config.json").write_text("{}")
    (folder / "topic_embeddings.bin").write_bytes(torch_file(mark))
    (folder / "ctfidf.bin").write_bytes(torch_file(mark))
    (folder / "ctfidf_config.json").write_text("{}")
    with pytest.warns(TealeavesWarning, match="a pickle, which is never opened"):
        result = read_topics(folder)
    assert [topic.words for topic in result.topics] == [("cat",)]
    assert not mark.exists()


@pytest.mark.parametrize("name", ["ctfidf.safetensors", "topics.json"])
def test_a_pickle_under_another_name_is_not_run_either(
    tmp_path: Path, mark: Path, name: str
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    content = {"topic_representations": {"0": [["cat", 0.5]]}, "topics": [0]}
    (folder / "topics.json").write_text(json.dumps(content))
    (folder / "config.json").write_text("{}")
    (folder / "ctfidf_config.json").write_text("{}")
    (folder / name).write_bytes(malicious_pickle(mark))
    with pytest.raises(InputError, match=name):
        read_topics(folder)
    assert not mark.exists()


def test_a_real_joblib_file_is_refused(tmp_path: Path, mark: Path) -> None:
    joblib = pytest.importorskip("joblib")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        joblib.dump(Malicious(mark), tmp_path / "model")
        joblib.dump(Malicious(mark), tmp_path / "model.z", compress=("zlib", 3))
    for name in ("model", "model.z"):
        with pytest.raises(InputError, match=name):
            read_topics(tmp_path / name)
    assert not mark.exists()


def test_a_binary_model_of_tomotopy_is_refused_with_what_to_do(tmp_path: Path) -> None:
    tomotopy = pytest.importorskip("tomotopy")
    model = tomotopy.LDAModel(k=2, seed=1)
    model.add_doc(["cat", "dog"])
    model.train(1, workers=1)
    model.save(str(tmp_path / "lda.bin"))
    with pytest.raises(InputError, match=r"a binary model, which is never opened.*adapt\(model\)"):
        read_topics(tmp_path / "lda.bin")


def test_text_that_is_called_a_model_is_read(tmp_path: Path) -> None:
    (tmp_path / "lda.model").write_text("cat dog\nbread soup\n")
    assert [topic.words for topic in read_topics(tmp_path / "lda.model").topics] == [
        ("cat", "dog"),
        ("bread", "soup"),
    ]


OPCODES = [code.code for code in pickletools.opcodes if code.code.isprintable()]


@pytest.mark.parametrize(
    "text",
    ["tables.", "a.", "cat dog\nbread soup\n.", "N.", "I love\nit", "cat\nhat\n", "(", "S'\\'\n"],
)
def test_words_that_are_opcodes_are_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    assert read_topics(tmp_path / "a.txt")[0].words == tuple(text.split("\n")[0].split())


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.lists(
            st.text(st.sampled_from([*string.ascii_letters, *OPCODES]), min_size=1, max_size=6),
            min_size=2,
            max_size=5,
        ),
        min_size=1,
        max_size=5,
    )
)
def test_no_text_is_taken_for_a_pickle(
    tmp_path_factory: pytest.TempPathFactory, topics: list[list[str]]
) -> None:
    """Words of opcodes; those that Python itself would unpickle are pickles."""
    data = "\n".join(map(" ".join, topics)).encode()
    path = tmp_path_factory.getbasetemp() / "words.txt"
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read_topics(path)
        except InputError as error:
            assert "pickle" not in str(error) or pickletools.optimize(data)  # noqa: PT017


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.integers() | st.floats() | st.text(max_size=5) | st.booleans(),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3)
            | st.dictionaries(st.text(max_size=3), inner, min_size=1, max_size=3)
        ),
        max_leaves=8,
    ).filter(lambda value: isinstance(value, list | dict))
)
def test_every_textual_pickle_of_lists_is_refused(
    tmp_path_factory: pytest.TempPathFactory, value: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "pickled.txt"
    path.write_bytes(pickle.dumps(value, protocol=0))
    with pytest.raises(InputError, match="never opened"):
        read_topics(path)


def test_filters_of_warnings_stay_as_they_are_because_threads_share_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "escapes.txt"
    path.write_text("S'cat\\q dog'\nsoup bread.\n")  # an opcode with an invalid escape
    with monkeypatch.context() as patch:
        patch.setattr(warnings, "catch_warnings", None)
        assert len(read_topics(path)) == 2
