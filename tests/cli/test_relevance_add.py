"""``tealeaves add`` of files of relevance."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from tealeaves.evidence.attention.relevance_file import load_relevance

from .relevance_commands import GatherCommand, Run, check_error

# ------------------------------------------------------------------ adding


def test_parts_are_added(gather: GatherCommand, run: Run) -> None:
    into = gather.into
    gather("april.relevance")
    gather("may.relevance", "--heads-of", into / "april.relevance", texts="may")
    gather("both.relevance", "--heads-of", into / "april.relevance", texts="*")
    parts = [into / "april.relevance", into / "may.relevance"]
    done = run("add", *parts, "-o", into / "sum.relevance")
    assert done.code == 0
    found, whole = (load_relevance(into / f"{name}.relevance") for name in ("sum", "both"))
    assert f"tiny read {whole.totals.used} of 160 texts" in done.err
    assert found.totals == whole.totals
    for name in ("rows", "together", "counted"):
        assert np.array_equal(getattr(found, name), getattr(whole, name))
    np.testing.assert_allclose(found.sums, whole.sums, rtol=1e-5, atol=1e-6)
    # a sum may be made again
    assert run("add", *parts, "-o", into / "sum.relevance").code == 0
    check_error(
        run("add", parts[0], parts[0], "-o", into / "x"), "cannot be added: double counting"
    )
    check_error(run("add", *parts, "-o", parts[1]), "would be overwritten")
    gather("own.relevance", texts="may")
    done = run("add", parts[0], into / "own.relevance", "-o", into / "x")
    check_error(done, "own.relevance cannot be added: the heads were fixed from different texts")


def test_counts_and_relevance_cannot_be_added(
    gather: GatherCommand, run: Run, relevance_folder: Path
) -> None:
    into = gather.into
    gather("april.relevance", "--budget", 5)
    counting = ["-c", relevance_folder / "texts" / "may.txt", "--tokens", "tokens", "-m", "npmi@5"]
    run("count", relevance_folder / "topics.txt", *counting, "-o", into / "may.counts")
    both = [into / "april.relevance", into / "may.counts"]
    done = run("add", *both, "-o", into / "x")
    check_error(done, f"{both[1]} holds counts, but {both[0]} relevance: add each kind by itself")
    check_error(run("add", *both[::-1], "-o", into / "x"), "april.relevance holds relevance, but")
    done = run("add", both[0], "-o", both[1])
    check_error(done, "may.counts exists and holds no relevance: name another")
    done = run("add", both[1], "-o", both[0])
    check_error(done, "april.relevance exists and holds no counts: name another")
    (into / "text").write_text("no archive")
    check_error(
        run("add", both[0], into / "text", "-o", into / "x"), "not a complete file of counts or"
    )
    check_error(run("add", into / "none", "-o", into / "x"), "none: no such file")
    check_error(run("add", relevance_folder, "-o", into / "x"), "Is a directory")
    check_error(
        run("add", relevance_folder / "tiny" / "head.safetensors", "-o", into / "x"),
        "not a complete file",
    )


def test_other_archives_are_not_added(run: Run, tmp_path: Path) -> None:
    for name, member, content in (
        ("foreign", "header.json", b'{"format": "zoo"}'),
        ("broken", "header.json", b"{"),
        ("headless", "x.npy", b""),
    ):
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            file.writestr(member, content)
    done = run("add", tmp_path / "foreign", "-o", tmp_path / "x")
    check_error(done, "foreign: not a file of counts or relevance")
    for name in ("broken", "headless"):
        done = run("add", tmp_path / name, "-o", tmp_path / "x")
        check_error(done, f"{name}: not a complete file of counts or relevance")
