"""``tealeaves lexicon tag``: a text is tagged once, and a killed run can be resumed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tealeaves.lexicon import tagging
from tealeaves.lexicon.tagged_files import encode_lines, read_tagged
from tealeaves.lexicon.tagging import complete_lines
from tests.systems import kill_group, started

from .relevance_commands import Run, check_error

pytest.importorskip("HanTa")

VERSES = ["In the beginning God took his hands.", "The king's men don't go.", "Good hands!"]


@pytest.fixture
def bible(tmp_path: Path) -> Path:
    path = tmp_path / "eng_web.tsv"
    path.write_text("".join(f"GEN 1:{n}\t{text}\n" for n, text in enumerate(VERSES, 1)))
    return path


def test_a_bible_is_tagged(run: Run, bible: Path, tmp_path: Path) -> None:
    output = tmp_path / "eng.tagged.jsonl.gz"
    done = run("lexicon", "tag", bible, "-o", output)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"{output}: 3 passages\n"
    found = read_tagged(output, "eng")
    assert found.keys == ("GEN 1:1", "GEN 1:2", "GEN 1:3")
    assert found.words.text(0)[-3:] == ["take/V", "his", "hand/N"]
    assert found.texts == tuple(VERSES)
    again = run("lexicon", "tag", bible, "-o", output)
    check_error(again, f"{output} holds tagged passages already: --restart replaces it")
    kept = output.read_bytes()
    assert run("lexicon", "tag", bible, "-o", output, "--resume").err == (
        f"{output} is complete already\n"
    )
    other = run("lexicon", "tag", bible, "-o", output, "--resume", "--words", "forms")
    check_error(other, f"{output} was tagged with other settings: --restart replaces it")
    assert output.read_bytes() == kept
    assert run("lexicon", "tag", bible, "-o", output, "--restart", "--words", "forms").code == 0
    assert read_tagged(output, "eng").words.text(2) == ["good", "hands"]


def test_a_complete_file_of_another_text_is_refused(run: Run, tmp_path: Path) -> None:
    text, output = tmp_path / "eng.tsv", tmp_path / "t.jsonl.gz"
    text.write_text("GEN 1:1\tHis hand.\nGEN 1:2\tA foot.\n")
    plain = ("--words", "forms", "-o", output)
    assert run("lexicon", "tag", text, *plain).code == 0
    kept = output.read_bytes()
    for number, other in [
        (2, "GEN 1:1\tHis hand.\nGEN 1:2\tAn eye.\n"),  # other words
        (2, "GEN 1:1\tHis hand.\nGEN 1:2\tA foot!\n"),  # the same words, another text
        (1, "GEN 1:3\tHis hand.\nGEN 1:2\tA foot.\n"),  # another key
        (2, "GEN 1:1\tHis hand.\n"),  # it ends before the file
        (3, text.read_text() + "GEN 1:3\tAn eye.\n"),  # it goes on after it
    ]:
        (tmp_path / "other.tsv").write_text(other)
        done = run("lexicon", "tag", f"eng={tmp_path / 'other.tsv'}", *plain, "--resume")
        check_error(done, f"{output} is of another text: passage {number} is not that of the text")
    assert output.read_bytes() == kept
    (tmp_path / "other.tsv").write_text(text.read_text())
    done = run("lexicon", "tag", f"eng={tmp_path / 'other.tsv'}", *plain, "--resume")
    assert (done.code, done.err) == (0, f"{output} is complete already\n")


def test_other_languages_and_words(run: Run, tmp_path: Path) -> None:
    text, output = tmp_path / "a.txt", tmp_path / "a.jsonl"
    text.write_text("Las manos\n")
    done = run("lexicon", "tag", f"spa={text}", "-o", output)
    check_error(done, "hanta knows en, de, nl, not 'spa': try simplemma, or forms")
    assert (
        run("lexicon", "tag", f"spa={text}", "--words", "simplemma", "-o", output, "-q").err == ""
    )
    assert read_tagged(output, "spa").words.text(0) == ["el", "mano"]


def test_bad_input_is_refused_before_work_begins(run: Run, bible: Path, tmp_path: Path) -> None:
    output = tmp_path / "a.jsonl"
    check_error(run("lexicon", "tag", tmp_path / "no.tsv", "-o", output), "no such file")
    check_error(run("lexicon", "tag", bible, "-o", bible), "would be overwritten")
    check_error(run("lexicon", "tag", bible, "-o", tmp_path / "a.tsv"), "written to .jsonl")
    both = run("lexicon", "tag", bible, "-o", output, "--resume", "--restart")
    check_error(both, "give either resume (--resume) or restart")
    for option, value in (("tokens", "tokens"), ("reader", "tsv")):
        done = run("lexicon", "tag", bible, "-o", output, f"--{option}", f"fin={value}")
        check_error(done, f"{option} for fin, but the texts are in eng_web")
    assert not output.exists()
    output.write_text('{"text": "mine"}\n')
    for more in ([], ["--restart"], ["--resume"]):
        done = run("lexicon", "tag", bible, "-o", output, *more)
        check_error(done, f"{output} exists and holds no tagged passages: name another")
    assert output.read_text() == '{"text": "mine"}\n'


def test_ctrl_c_keeps_finished_work(
    run: Run, bible: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "a.jsonl.gz"
    partial = tmp_path / "a.jsonl.gz.partial"

    def interrupted(lines: list[Any], *, compressed: bool) -> bytes:
        if partial.exists() and partial.stat().st_size:
            raise KeyboardInterrupt
        return encode_lines(lines, compressed=compressed)

    with monkeypatch.context() as patch:
        patch.setattr(tagging, "BATCH", 1)
        patch.setattr(tagging, "encode_lines", interrupted)
        done = run("lexicon", "tag", bible, "-o", output)
    assert done.code == 130
    assert done.err == (
        f"tealeaves: error: interrupted: {partial} holds what is done; --resume continues it\n"
    )
    check_error(
        run("lexicon", "tag", bible, "-o", output), f"{partial} is an unfinished run: --resume"
    )
    assert run("lexicon", "tag", bible, "-o", output, "--resume").code == 0
    assert len(read_tagged(output, "eng")) == 3
    assert not partial.exists()


def test_resuming_a_killed_run_gives_the_same_file(tmp_path: Path) -> None:
    draw = random.Random(1)
    words = ["the", "hand", "hands", "took", "kings", "good", "great", "went", "people", "he"]
    source = tmp_path / "eng.txt"
    lines = (" ".join(draw.choices(words, k=12)) for _ in range(4000))
    source.write_text("".join(f"{line}.\n" for line in lines))

    def command(name: str) -> list[str]:
        given = ["lexicon", "tag", str(source), "-o", str(tmp_path / name), "--resume"]
        return [sys.executable, "-m", "tealeaves", *given]

    subprocess.run(command("whole.jsonl.gz"), check=True, capture_output=True)
    partial = tmp_path / "a.jsonl.gz.partial"
    process = started(command("a.jsonl.gz"), stderr=subprocess.DEVNULL)
    while process.poll() is None and not (partial.exists() and partial.stat().st_size > 10_000):
        time.sleep(0.001)
    assert process.poll() is None, "the run ended before it was killed"
    kill_group(process)
    process.wait()
    lines_there, _ = complete_lines(partial.read_bytes(), compressed=True)
    assert 0 < len(lines_there) < 4000
    with partial.open("ab") as stream:  # a member of which the kill left but the beginning
        stream.write(b"\x1f\x8b\x08\x00")
    subprocess.run(command("a.jsonl.gz"), check=True, capture_output=True)
    whole, found = ((tmp_path / f"{name}.jsonl.gz").read_bytes() for name in ("whole", "a"))
    assert found == whole
    assert not partial.exists()
