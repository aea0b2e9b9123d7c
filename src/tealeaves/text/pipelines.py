"""Token pipelines of several languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tealeaves.errors import InputError
from tealeaves.text.languages import name_of
from tealeaves.text.pipeline import Pipeline, default_pipeline

#: One pipeline for all languages, or one for each; ``""`` is that of all that are not named.
Tokens = str | Pipeline | Mapping[str, str | Pipeline] | None


def pipelines_of(
    languages: Iterable[str],
    tokens: Tokens = None,
    usual: Callable[[str], str | Pipeline] = default_pipeline,
) -> dict[str, Pipeline]:
    """Return the pipeline of each language: its own, one for all, or what is usual for it.

    >>> pipelines_of(["en", "sv"], {"swe": "words(min_length=3)"})
    {'en': words, 'sv': words(min_length=3)}
    """
    known = list(languages)
    stated = dict(tokens) if isinstance(tokens, Mapping) else {"": tokens}
    others = stated.pop("", None)
    found = {}
    for language in known:
        named = name_of(language, stated)
        given = others if named is None else stated.pop(named)
        found[language] = Pipeline.parse(usual(language) if given is None else given)
    if stated:
        raise InputError(f"tokens for {', '.join(stated)}, but not for one of {', '.join(known)}")
    return found
