"""Summaries of tomotopy: of real models, and sections by hand."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.topics import Topics, read_topics


def tokens() -> list[list[str]]:
    return [re.findall(r"[a-z']+", document.text.lower()) for document in demo.corpus("en")]


@pytest.mark.parametrize("kind", ["LDAModel", "HDPModel", "PLDAModel", "HLDAModel"])
def test_a_summary_of_tomotopy_is_read_back(tmp_path: Path, kind: str) -> None:
    tomotopy = pytest.importorskip("tomotopy")
    named = {"LDAModel": {"k": 4}, "HDPModel": {"initial_k": 3}, "PLDAModel": {"latent_topics": 1}}
    model = getattr(tomotopy, kind)(seed=1, **named.get(kind, {}))
    for number, text in enumerate(tokens()[:60]):
        labels = {"labels": [f"label {number % 2}"]} if kind == "PLDAModel" else {}
        model.add_doc(text, **labels)
    model.train(20, workers=1)
    stream = io.StringIO()
    model.summary(topic_word_top_n=7, file=stream)
    (tmp_path / "tp.txt").write_text(stream.getvalue(), encoding="utf-8")
    result = read_topics(tmp_path / "tp.txt")
    alive = getattr(model, "is_live_topic", lambda k: True)
    wanted = {
        k: tuple(word for word, _ in model.get_topic_words(k, top_n=7))
        for k in range(model.k)
        if alive(k)
    }
    assert {topic.id: topic.words for topic in result.topics} == wanted


def test_the_section_of_topics_alone_is_enough(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("<Topics>\n| #0 (12) : cat dog\n| #1 (9) : soup\n|\n")
    assert read_topics(tmp_path / "a.txt") == Topics.of([["cat", "dog"], ["soup"]], model="a")


def test_a_summary_without_topics_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("<Basic Info>\n| LDAModel\n|\n<Topics>\n| t=0 (5) : cat\n")
    with pytest.raises(InputError, match=r"lists no topics after <Topics>.*topic_word_top_n"):
        read_topics(tmp_path / "a.txt")
