"""Topics side by side: the words of each language, and which of them translate each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tealeaves.evidence.dictionaries import Dictionaries, normalize_word
from tealeaves.evidence.sources import multilingual
from tealeaves.metrics.crosslingual.matching import match_words
from tealeaves.metrics.crosslingual.side_by_side import BesideTopic, BesideWord, SideBySide, Ways
from tealeaves.metrics.crosslingual.verdicts import verdict
from tealeaves.metrics.registry import metric
from tealeaves.metrics.scores import Score, Scores
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

USUAL_WORDS = 10


@dataclass(frozen=True)
class _Looking:
    """What words are looked up in, what counts, and how many words are matched at most."""

    dictionaries: Dictionaries | None
    identical: bool
    top: int | None


def side_by_side(
    models: Topics | Sequence[Topics],
    scores: Scores,
    dictionaries: Dictionaries | None = None,
    *,
    top: int | None = None,
) -> SideBySide:
    """Put the words of each topic side by side, with its scores; matched words are marked.

    Words are matched as ``mta`` does it, each at most once, with those of the first language; of
    several ``mta`` the first is shown. The language that most dictionaries are of stands first.
    Below its topics, a model has a row of its own numbers.

    Parameters
    ----------
    models
        Topics in several languages, of one model or of several.
    scores
        What is known of these topics; ``cnpmi`` among it says if a topic is coherent.
    dictionaries
        What words are matched by; without it none is.
    top
        How many words are shown; by default as many as the metrics judge at most, or ten.
    """
    given = [models] if isinstance(models, Topics) else list(models)
    labels = list(dict.fromkeys(row.metric for row in scores.rows))
    asked = [tops for label in labels if (tops := metric(label).top) is not None]
    shown = top or max(asked, default=USUAL_WORDS)
    known: dict[tuple[str, str | None], dict[str, Score]] = {}
    for row in scores.rows:
        topic = None if row.topic is None else str(row.topic)
        known.setdefault((row.model, topic), {})[row.metric] = row
    looking = _looking(labels, dictionaries)
    found = []
    for model in map(multilingual, given):
        for number, one in enumerate(model.topics):
            mine = known.get((model.model, str(one.id)), {})
            found.append(_topic(model, number, mine, shown, looking))
        if whole := known.get((model.model, None)):
            found.append(BesideTopic(model.model, None, {}, [], whole))
    return SideBySide(
        found, labels, better=scores.better, notes=scores.notes, ways=_ways(labels, shown)
    )


def _looking(labels: Sequence[str], dictionaries: Dictionaries | None) -> _Looking:
    """Match words as the first of the metrics that match any."""
    for label in _named("mta", labels):
        first = metric(label)
        return _Looking(dictionaries, getattr(first.settings, "identical", False), first.top)
    return _Looking(dictionaries, identical=False, top=None)


def _ways(labels: Sequence[str], shown: int) -> Ways:
    """Say which of several metrics marks and verdicts are of, and where a mark says less."""
    marking, judging = _named("mta", labels), _named("cnpmi", labels)
    marked = []
    if marking:
        top = metric(marking[0]).top
        if len(marking) > 1 or (top is not None and top < shown):
            marked.append(f"as {marking[0]} counts them")
        if top is None or top > shown:
            marked.append("among the words shown")
    return Ways(", ".join(marked), f"by {judging[0]}" if len(judging) > 1 else "")


def _named(name: str, labels: Iterable[str]) -> list[str]:
    return [label for label in labels if metric(label).name == name]


def _topic(
    model: MultilingualTopics,
    number: int,
    scores: dict[str, Score],
    top: int,
    looking: _Looking,
) -> BesideTopic:
    languages = _pivot_first(model.languages, looking.dictionaries)
    lists = {name: model.side(name)[number].words[:top] for name in languages}
    columns, matches = _marked(lists, looking)
    judged = _named("cnpmi", scores)
    says = verdict(scores[judged[0]].value) if judged else ""
    return BesideTopic(model.model, model.topics[number].id, columns, matches, scores, says)


def _pivot_first(languages: Sequence[str], dictionaries: Dictionaries | None) -> list[str]:
    """Put the language first that most others have a dictionary with, if it is not the first."""
    if dictionaries is None:
        return list(languages)
    shared = [
        sum(dictionaries.covers(one, other) for other in languages if other != one)
        for one in languages
    ]
    pivot = languages[shared.index(max(shared))]
    return [pivot, *(name for name in languages if name != pivot)]


def _marked(
    lists: dict[str, tuple[str, ...]], looking: _Looking
) -> tuple[dict[str, list[BesideWord]], list[tuple[str, str]]]:
    """Number the words of the first language that are matched, and their translations alike."""
    first, *others = lists
    found = {name: _matches(lists, (first, name), looking) for name in others}
    numbers: dict[int, int] = {}
    for place in sorted({place for matches in found.values() for place in matches}):
        numbers[place] = len(numbers) + 1
    marks = {name: {there: numbers[here] for here, there in found[name].items()} for name in others}
    marks[first] = numbers
    columns = {
        name: [
            BesideWord(word, marks[name].get(place, 0), _has_entry(word, name, lists, looking))
            for place, word in enumerate(words)
        ]
        for name, words in lists.items()
    }
    pairs = [
        (lists[first][here], lists[name][there])
        for name in others
        for here, there in found[name].items()
    ]
    return columns, pairs


def _matches(
    lists: dict[str, tuple[str, ...]], pair: tuple[str, str], looking: _Looking
) -> dict[int, int]:
    """Return the places of words that translate each other in two lists."""
    if looking.dictionaries is None or not looking.dictionaries.covers(*pair):
        return {}
    places = [_first_places(lists[name], looking.top) for name in pair]
    left, right = (list(words) for words in places)
    found = match_words(left, right, pair, looking.dictionaries, identical=looking.identical)
    at = [list(words.values()) for words in places]
    return {at[0][here]: at[1][there] for here, there in found.matches.items()}


def _first_places(words: Sequence[str], top: int | None) -> dict[str, int]:
    """Return the first words as dictionaries compare them, and where each stands first."""
    found: dict[str, int] = {}
    for place, word in enumerate(words):
        found.setdefault(normalize_word(word), place)
    return dict(list(found.items())[:top])


def _has_entry(
    word: str, language: str, lists: dict[str, tuple[str, ...]], looking: _Looking
) -> bool:
    """Tell whether a word is in the dictionary that it is matched by."""
    if looking.dictionaries is None:
        return True
    first, *others = lists
    pairs = [(first, name) for name in others if language in (first, name)]
    asked = [pair for pair in pairs if looking.dictionaries.covers(*pair)]
    return not asked or any(
        looking.dictionaries.knows(pair, language, word, identical=looking.identical)
        for pair in asked
    )
