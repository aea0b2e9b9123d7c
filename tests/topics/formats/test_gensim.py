"""Topics that gensim prints: of a real model, and lines by hand."""

from __future__ import annotations

import logging
import pprint
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.topics import Topic, Topics, read_topics


def tokens() -> list[list[str]]:
    return [re.findall(r"[a-z']+", document.text.lower()) for document in demo.corpus("en")]


@pytest.fixture(scope="module")
def lda() -> Any:
    pytest.importorskip("gensim")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.corpora import Dictionary
        from gensim.models import LdaModel

        texts = tokens()
        dictionary = Dictionary(texts)
        corpus = [dictionary.doc2bow(text) for text in texts]
        return LdaModel(corpus, num_topics=4, id2word=dictionary, random_state=0)


def expected(lda: Any) -> list[tuple[int, list[tuple[str, Any]]]]:
    return [
        (k, [(word, pytest.approx(weight, abs=5.1e-4)) for word, weight in lda.show_topic(k, 10)])
        for k in range(4)
    ]


def pairs(topics: Topics) -> list[tuple[Any, list[tuple[str, float]]]]:
    return [
        (topic.id, list(zip(topic.words, topic.weights or (), strict=True)))
        for topic in topics.topics
    ]


def printed_text(lda: Any, form: str, caplog: pytest.LogCaptureFixture) -> str:
    if form == "log":
        with caplog.at_level(logging.INFO, logger="gensim"):
            lda.print_topics(4)
        lines = [record.getMessage() for record in caplog.records]
        assert any(line.startswith("topic #0 (") for line in lines)
        return "\n".join(f"2026-01-01 10:00:00,123 : INFO : {line}" for line in lines)
    result = lda.print_topics(4)
    return {
        "repr": repr(result),
        "pprint": pprint.pformat(result),
        "tuples": "\n".join(map(str, result)),
        "colons": "\n".join(f"{k}: {text}" for k, text in result),
        "tutorial": "\n".join(f"Topic: {k} \nWords: {text}" for k, text in result),
        "bare": "\n".join(text for _, text in result),
    }[form]


@pytest.mark.parametrize("form", ["repr", "pprint", "tuples", "colons", "tutorial", "bare", "log"])
def test_what_gensim_prints_is_read_back(
    tmp_path: Path, lda: Any, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "lda.txt"
    path.write_text(printed_text(lda, form, caplog), encoding="utf-8")
    assert pairs(read_topics(path)) == expected(lda)


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("""(0, '0.030*"word" + 0.020*"other"')""", Topic(0, ("word", "other"), (0.03, 0.02))),
        ("""(3, '0.5*"don\\'t" + 0.1*"c:\\\\d"')""", Topic(3, ("don't", "c:\\d"), (0.5, 0.1))),
        ('7: 0.030*"new york" + 0.020*"a"', Topic(7, ("new york", "a"), (0.03, 0.02))),
        ('topic #4 (0.050): 0.3*"5" tv" + 0.2*"b"', Topic(4, ('5" tv', "b"), (0.3, 0.2))),
        ('topic #1(2.5): -0.340*"a" + 0.298*"b"', Topic(1, ("a", "b"), (-0.34, 0.298))),
        ('0.3*"topic 9" + 1e-05*"b"', Topic(0, ("topic 9", "b"), (0.3, 1e-05))),
        ('0.3 * "a" + 0.2 * "b"', Topic(0, ("a", "b"), (0.3, 0.2))),
    ],
)
def test_lines_by_hand(tmp_path: Path, line: str, topic: Topic) -> None:
    (tmp_path / "a.txt").write_text(f"{line}\n", encoding="utf-8")
    assert read_topics(tmp_path / "a.txt").topics == (topic,)


def test_a_log_that_prints_topics_twice_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text('topic #0 (0.5): 0.3*"a"\ntopic #0 (0.5): 0.4*"a"\n')
    with pytest.raises(InputError, match=r"a\.log: the topic id 0 is given twice"):
        read_topics(tmp_path / "a.log")


@pytest.mark.parametrize("data", ['[["3*", "x"]]', '[["a", "3*"], ["b"]]', '{"topics": [["1*"]]}'])
def test_json_with_stars_is_json(tmp_path: Path, data: str) -> None:
    (tmp_path / "a.json").write_text(data)
    assert {topic.weights for topic in read_topics(tmp_path / "a.json").topics} == {None}
