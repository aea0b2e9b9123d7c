"""Items of several topics: numbers of questions that begin anew with each model."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.judgments.judgments import TopicKey

_Part = tuple[str, str]


def told_apart(
    items: Sequence[str], tasks: Sequence[str], keys: Sequence[TopicKey]
) -> tuple[list[str], list[str]]:
    """Name items after model and topic where one is of several topics; say so in notes.

    An item is what was shown at once, on one topic: where the same number stands for several, it
    was counted anew, and two answers to it are not to the same.

    >>> told_apart(["1", "1"], ["rating"] * 2, [TopicKey("", m, "0") for m in ("a", "b")])[0]
    ['a/0/1', 'b/0/1']
    """
    parts = [(key.dataset, task) for key, task in zip(keys, tasks, strict=True)]
    topics: dict[tuple[_Part, str], set[TopicKey]] = {}
    for part, item, key in zip(parts, items, keys, strict=True):
        topics.setdefault((part, item), set()).add(key)
    shared = {name: found for name, found in topics.items() if len(found) > 1}
    mended = {part for part, _ in shared}
    if not mended:
        return list(items), []
    names = _names(parts, items, keys)
    found = [
        names[part, item, key] if part in mended else item
        for part, item, key in zip(parts, items, keys, strict=True)
    ]
    (_, first), of = next(iter(shared.items()))
    note = (
        f"{len(shared)} items are of several topics (the first: {first}, of {len(of)}): items are "
        "told apart as model/topic/item"
    )
    return found, [note]


def _names(
    parts: Sequence[_Part], items: Sequence[str], keys: Sequence[TopicKey]
) -> dict[tuple[_Part, str, TopicKey], str]:
    """Name each item of each topic; no two alike, even where names hold slashes."""
    names: dict[tuple[_Part, str, TopicKey], str] = {}
    taken: dict[tuple[_Part, str], int] = {}
    for part, item, key in dict.fromkeys(zip(parts, items, keys, strict=True)):
        name = "/".join(filter(None, (key.model, key.topic, item)))
        taken[part, name] = taken.get((part, name), 0) + 1
        again = taken[part, name]
        names[part, item, key] = name if again == 1 else f"{name} ({again})"
    return names
