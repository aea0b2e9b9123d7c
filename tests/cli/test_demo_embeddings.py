"""``tealeaves demo`` with metrics of word vectors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """A file in which all words of the demo point the same way."""
    topics = [topic for model in demo.models("en") for topic in model.topics]
    words = sorted({word for topic in topics for word in topic.words})
    file = tmp_path / "same.txt"
    file.write_text("".join(f"{word} 3 4\n" for word in words))
    return file


def test_vectors_from_a_file(run: Callable[..., Any], vectors: Path) -> None:
    done = run("demo", "-m", "embedding_coherence@10", "-e", vectors, "--format", "jsonl")
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [row["model"] for row in rows] == ["good", "middling", "shuffled"]
    assert [row["value"] for row in rows] == pytest.approx([1, 1, 1])  # every cosine is 1


def test_several_embeddings(run: Callable[..., Any], vectors: Path) -> None:
    other = vectors.with_name("other.txt")
    other.write_text(vectors.read_text())
    done = run(
        *["demo", "-m", "embedding_coherence@10", "-e", vectors, "-e", other, "--format", "jsonl"]
    )
    assert done.code == 0, done.err
    assert len({json.loads(line)["metric"] for line in done.out.splitlines()}) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-e", "wordllama"], "embeddings (-e) are for metrics of word vectors"),
        (["-m", "isim@10", "-e", "wordlama"], "unknown embedding wordlama"),
    ],
)
def test_invalid_options_are_refused(
    run: Callable[..., Any], arguments: list[str], message: str
) -> None:
    done = run("demo", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""
