"""Tagging a text into a file, and going on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon import tagging_files
from tealeaves.lexicon.tagged import Passage, member, read_tagged, stamp_of
from tealeaves.lexicon.tagging_files import partial_of, tag_texts, whole_lines


class Counted:
    """Marks each form with its number in the passage, and stops after so many passages."""

    def __init__(self, stop: int | None = None, signature: str = "counted") -> None:
        self.signature, self.done, self._stop = signature, 0, stop

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        if self.done == self._stop:
            raise KeyboardInterrupt
        self.done += 1
        return [f"{form}{place}" for place, form in enumerate(forms)]


@pytest.fixture(autouse=True)
def few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagging_files, "AT_A_TIME", 3)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "eng.jsonl"
    lines = (f'{{"id": "v{n}", "text": "the {"hand " * n}"}}\n' for n in range(10))
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_what_is_stopped_goes_on_to_the_same_file(tmp_path: Path, text: Path, suffix: str) -> None:
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"a{suffix}"
    assert tag_texts(text, "eng", whole, analyser=Counted()) == 10
    with pytest.raises(KeyboardInterrupt):
        tag_texts(text, "eng", path, analyser=Counted(7))
    partial = partial_of(path)
    kept = partial.read_bytes()
    assert whole.read_bytes().startswith(kept)  # six passages, whole
    assert not path.exists()
    for cut in (0, 1, 9):  # as a kill in the middle of writing leaves it
        partial.write_bytes(kept[: len(kept) - cut])
        told: list[int] = []
        again = Counted()
        assert tag_texts(text, "eng", path, analyser=again, resume=True, advance=told.append) == 10
        assert sum(told) == 10
        assert again.done < 10
        assert path.read_bytes() == whole.read_bytes()
        assert not partial.exists()
        path.unlink()
    partial.write_bytes(kept[:5])  # not even the first line
    assert tag_texts(text, "eng", path, analyser=Counted(), resume=True) == 10
    assert path.read_bytes() == whole.read_bytes()


def test_the_file_says_how_it_was_tagged(tmp_path: Path, text: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    tag_texts(text, "eng", path, analyser=Counted(), pipeline="words(min_length=4)")
    stamp = stamp_of(path)
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
    assert tag_texts(text, "eng", path, analyser=Counted()) == 1  # begins anew


def test_a_text_without_passages_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "eng.txt"
    empty.write_text("")
    with pytest.raises(InputError, match=r"eng\.txt: no passages"):
        tag_texts(empty, "eng", tmp_path / "a.jsonl", analyser=Counted())
    assert [one.name for one in tmp_path.iterdir()] == ["eng.txt"]


@given(st.lists(st.lists(st.text("aé\n", max_size=3), max_size=3), max_size=4), st.data())
def test_what_was_written_whole_is_found(texts: list[list[str]], data: st.DataObject) -> None:
    members = [member([Passage(one, [], []) for one in part], True) for part in texts]
    written = b"".join(members)
    cut = data.draw(st.integers(0, len(written)))
    lines, end = whole_lines(written[:cut], compressed=True)
    ends = [sum(map(len, members[:count])) for count in range(len(members) + 1)]
    assert end == max(one for one in ends if one <= cut)
    assert len(lines) == sum(map(len, texts[: ends.index(end)]))
