"""Tagging a text into a file, and going on."""

from __future__ import annotations

import io
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tqdm import tqdm

from tealeaves.errors import InputError
from tealeaves.lexicon import tagging
from tealeaves.lexicon.tagged_files import TaggedPassage, encode_lines, read_stamp, read_tagged
from tealeaves.lexicon.tagging import complete_lines, tag_texts


class Counted:
    """Marks each form with its number in the passage, and stops after so many passages."""

    def __init__(self, stop: int | None = None, signature: str = "counted") -> None:
        self.signature, self.done, self._stop = signature, 0, stop

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        if self.done == self._stop:
            raise KeyboardInterrupt
        self.done += 1
        return [f"{form}{place}" for place, form in enumerate(forms)]


def partial_of(path: Path) -> Path:
    return path.with_name(path.name + ".partial")


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[tqdm[Any]]:
    """The progress bars of a test; they are not shown."""
    made: list[tqdm[Any]] = []

    def progress_bar(total: int | None, *_: object, **__: object) -> tqdm[Any]:
        made.append(tqdm(total=total, file=io.StringIO()))
        return made[-1]

    monkeypatch.setattr(tagging, "progress_bar", progress_bar)
    return made


@pytest.fixture(autouse=True)
def few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagging, "BATCH", 3)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "eng.jsonl"
    lines = (f'{{"id": "v{n}", "text": "the {"hand " * n}"}}\n' for n in range(10))
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_what_is_stopped_goes_on_to_the_same_file(
    tmp_path: Path, text: Path, suffix: str, bars: list[tqdm[Any]]
) -> None:
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"a{suffix}"
    assert tag_texts(text, "eng", whole, analyser=Counted()).passages == 10
    with pytest.raises(KeyboardInterrupt):
        tag_texts(text, "eng", path, analyser=Counted(7))
    partial = partial_of(path)
    kept = partial.read_bytes()
    assert whole.read_bytes().startswith(kept)  # six passages, whole
    assert not path.exists()
    for cut in (0, 1, 9):  # as a kill in the middle of writing leaves it
        partial.write_bytes(kept[: len(kept) - cut])
        bars.clear()
        again = Counted()
        resumed = tag_texts(text, "eng", path, analyser=again, resume=True, progress=True)
        assert (resumed.passages, resumed.was_complete) == (10, False)
        assert [(bar.total, bar.n) for bar in bars] == [(10, 10)]
        assert again.done < 10
        assert path.read_bytes() == whole.read_bytes()
        assert not partial.exists()
        path.unlink()
    partial.write_bytes(kept[:5])  # not even the first line
    assert tag_texts(text, "eng", path, analyser=Counted(), resume=True).passages == 10
    assert path.read_bytes() == whole.read_bytes()


def test_the_file_says_how_it_was_tagged(tmp_path: Path, text: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    tag_texts(text, "eng", path, analyser=Counted(), pipeline="words(min_length=4)")
    stamp = read_stamp(path)
    assert stamp is not None
    assert (stamp.language, stamp.analyser) == ("eng", "counted")
    assert "min_length=4" in stamp.pipeline
    found = read_tagged(path, "eng")
    assert found.words.text(2) == ["hand0", "hand1"]
    assert found.texts[1] == "the hand "


def test_a_run_of_something_else_is_not_gone_on_with(tmp_path: Path, text: Path) -> None:
    path = tmp_path / "a.jsonl.gz"

    def left() -> None:
        with pytest.raises(KeyboardInterrupt):
            tag_texts(text, "eng", path, analyser=Counted(4))

    left()
    kept = partial_of(path).read_bytes()
    other = Counted(signature="other")
    with pytest.raises(InputError, match=r"a\.jsonl\.gz\.partial is of another run: tagged by"):
        tag_texts(text, "eng", path, analyser=other, resume=True)
    with pytest.raises(InputError, match="another run: tagged by counted, words"):
        tag_texts(text, "eng", path, analyser=Counted(), pipeline="tokens", resume=True)
    changed = text.read_text().replace('"v1"', '"w1"')
    text.write_text(changed)
    with pytest.raises(InputError, match="another run: passage 2 is not that of the text"):
        tag_texts(text, "eng", path, analyser=Counted(), resume=True)
    text.write_text(changed.splitlines()[0] + "\n")
    with pytest.raises(InputError, match="another run: passage 2 is not that of the text"):
        tag_texts(text, "eng", path, analyser=Counted(), resume=True)
    assert partial_of(path).read_bytes() == kept
    with pytest.raises(InputError, match=r"a\.jsonl\.gz\.partial is an unfinished run: --resume"):
        tag_texts(text, "eng", path, analyser=Counted())
    assert tag_texts(text, "eng", path, analyser=Counted(), restart=True).passages == 1


def test_a_text_without_passages_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "eng.txt"
    empty.write_text("")
    with pytest.raises(InputError, match=r"eng\.txt: no passages"):
        tag_texts(empty, "eng", tmp_path / "a.jsonl", analyser=Counted())
    assert [one.name for one in tmp_path.iterdir()] == ["eng.txt"]


@given(st.lists(st.lists(st.text("aé\n", max_size=3), max_size=3), max_size=4), st.data())
def test_what_was_written_whole_is_found(texts: list[list[str]], data: st.DataObject) -> None:
    members = [
        encode_lines([TaggedPassage(one, [], []) for one in part], compressed=True)
        for part in texts
    ]
    written = b"".join(members)
    cut = data.draw(st.integers(0, len(written)))
    lines, end = complete_lines(written[:cut], compressed=True)
    ends = [sum(map(len, members[:count])) for count in range(len(members) + 1)]
    assert end == max(one for one in ends if one <= cut)
    assert len(lines) == sum(map(len, texts[: ends.index(end)]))


def test_a_signal_stops_the_work_at_the_next_passage(tmp_path: Path, text: Path) -> None:
    class Signalled(Counted):
        def words(self, forms: Sequence[str], text: str = "") -> list[str]:
            if self.done == 7:
                signal.raise_signal(signal.SIGTERM)
            return super().words(forms, text)

    path, analyser = tmp_path / "a.jsonl", Signalled()
    with pytest.raises(KeyboardInterrupt, match=r"a\.jsonl\.partial holds what is done; --resume"):
        tag_texts(text, "eng", path, analyser=analyser)
    assert analyser.done == 8
    assert len(partial_of(path).read_bytes().splitlines()) == 7  # the stamp and two batches


def test_finished_work_is_only_checked(tmp_path: Path, text: Path) -> None:
    path, again = tmp_path / "a.jsonl", Counted()
    tag_texts(text, "eng", path, analyser=Counted())
    with pytest.raises(InputError, match=r"a\.jsonl holds tagged passages already: --restart"):
        tag_texts(text, "eng", path, analyser=again)
    tagged = tag_texts(text, "eng", path, analyser=again, resume=True)
    assert (tagged.path, tagged.passages, tagged.was_complete) == (path, 10, True)
    assert again.done == 0
