"""``tealeaves score``: files that are given in the place of others are named for what they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tealeaves import demo
from tealeaves.models import train

from .conftest import Done

GOOD = "topics/en/good.json"


@pytest.fixture(autouse=True)
def folder(playground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(playground)


def error_of(done: Done) -> str:
    assert done.code == 2
    return done.err.removeprefix("tealeaves: error: ").rstrip("\n")


def test_artifacts_are_no_texts(run: Callable[..., Done]) -> None:
    assert run("count", GOOD, "-c", "en.jsonl", "-q", "-o", "en.counts").code == 0
    train("nmf(k=2)", demo.corpus("en"), output="nmf.topics")
    for name, what in [
        ("en.counts", "a file of counts, which --counts reads"),
        ("nmf.topics", "a file of topics: name it without --corpus"),
        (GOOD, "a file of topics: name it without --corpus"),
    ]:
        assert error_of(run("score", GOOD, "-c", name)) == f"{name}: no texts, but {what}"


@pytest.mark.parametrize("more", [(), ("--separator", "comma")])
def test_judgments_and_scores_are_no_topics(run: Callable[..., Done], more: tuple[str]) -> None:
    judgments = "invented_judgments.csv"
    said = error_of(run("score", judgments, "-c", "en.jsonl", *more))
    assert said == f"{judgments}: no topics, but a table of judgments, which --human reads"
    for name in ("scores.csv", "scores.jsonl"):
        assert run("score", GOOD, "-c", "en.jsonl", "-q", "-o", name).code == 0
        said = error_of(run("score", name, "-c", "en.jsonl", *more))
        what = "a table of scores, which `tealeaves correlate` reads"
        assert said == f"{name}: no topics, but {what}"
