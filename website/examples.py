"""Examples of a metric on the command line and in Python, with the sources that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.metrics.base import Metric

_WORDS = Topics.of([["cat", "dog"], ["bread", "soup"]], model="words")


class Given(NamedTuple):
    """The sources of an example: for a command, for Python, and a sentence about the files."""

    command: str
    models: str
    texts: str = "None"
    option: str = ""
    said: str = "The files are those of `tealeaves demo --copy`."


_FILE = '"topics/en/good.json"'
_TEXTS = Given("topics/en/good.json -c en.jsonl", _FILE, '"en.jsonl"')
_MADE = (
    "`lda.topics` is a model that [`tealeaves train`](../models.md) saved; those of "
    "[other libraries](../topics.md) work too."
)
_LDA = Given("lda.topics", '"lda.topics"', said=_MADE)
_LDA_AND_TEXTS = Given("lda.topics -c en.jsonl", '"lda.topics"', '"en.jsonl"', said=_MADE)
_SAMPLES = "`--samples 10` of [`tealeaves train`](../models.md) keeps samples of the chain."
_TWO = "`both.topics` is [a model in two languages](../crosslingual.md)."
_BOTH = Given(
    "both.topics -c en=en.jsonl -c es=es.jsonl",
    '"both.topics"',
    '{"en": "en.jsonl", "es": "es.jsonl"}',
    said=_TWO,
)

#: the sources by a part of the metric's ``source``; the first match counts
_BY_SOURCE = {
    "relevance in a classifier": Given(
        "topics/en/good.json --relevance en.relevance",
        _FILE,
        option=', relevance="en.relevance"',
        said="`en.relevance` is made by [`tealeaves relevance gather`](../relevance.md).",
    ),
    "matrix of each language": _BOTH,
    "linked documents": _BOTH,
    "a dictionary": Given(
        "both.topics --dictionary en-es.txt",
        '"both.topics"',
        option=', dictionary="en-es.txt"',
        said=f"{_TWO} A dictionary has two words per line.",
    ),
    "vectors of words, phi": _LDA._replace(
        command="lda.topics -e wordllama", option=', embeddings="wordllama"'
    ),
    "vectors of words": Given(
        "topics/en/good.json -e wordllama", _FILE, option=', embeddings="wordllama"'
    ),
    "several runs": Given(
        "run1.topics run2.topics",
        '["run1.topics", "run2.topics"]',
        said="Runs are models that [`tealeaves train`](../models.md) saved, with different seeds.",
    ),
    "labels": _LDA_AND_TEXTS,
    "model's own pass": _LDA_AND_TEXTS,
    "matrix; counts": _LDA_AND_TEXTS,
    "matrix": _LDA,
    "samples of one chain": _LDA._replace(said=_SAMPLES),
    "counts": _TEXTS,
    "texts": _TEXTS,
    "topics' words": Given("topics/en/good.json", _FILE),
}


def given(metric: Metric) -> Given:
    """Return the sources for a metric; by default, texts."""
    found = (one for words, one in _BY_SOURCE.items() if words in metric.source)
    return next(found, _TEXTS)


def expression(metric: Metric) -> str:
    """Write the usual expression of a metric: with ten words, if it judges words."""
    ten = metric @ 10
    refused = ten.lack_of_words
    whole = ten.top is None or (refused and ten.lacks(_WORDS) == refused)
    return str(metric if whole or "matrix" in metric.source else ten)


def command(metric: Metric) -> str:
    """Write a command that computes it."""
    return f'tealeaves score {given(metric).command} -m "{expression(metric)}"'


def python(metric: Metric) -> str:
    """Write Python code that computes it."""
    one = given(metric)
    asked = expression(metric)
    return (
        "import tealeaves\n\n"
        f'scores = tealeaves.score({one.models}, {one.texts}, "{asked}"{one.option})'
    )
