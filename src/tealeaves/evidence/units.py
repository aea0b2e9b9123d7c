"""Units: what counts as one occasion for words to occur together."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.expressions import Expression


class Unit(msgspec.Struct, frozen=True, order=True):
    """Documents, sliding windows, context windows, or linked documents of two languages.

    - ``document``: each text with at least one token is one unit.
    - ``window(w)``: each run of w consecutive tokens is a unit; a text with fewer tokens is one
      unit.
    - ``context(s)``: each token is a unit. A word counts once for each occurrence, a pair once for
      each two occurrences that are at most s tokens apart. Palmetto counts words and pairs in the
      same way for Röder et al. (2015), but another number of units: it takes size - 1 tokens off
      each text.
    - ``link(languages=en+sv)``: two linked documents, one of each language and each with at least
      one token, are one unit.

    A document, window or link counts once for each word that it contains, however often the word
    occurs in it. Empty texts contain no unit.

    Parameters
    ----------
    kind
        ``document``, ``window``, ``context`` or ``link``.
    size
        The number of tokens of a window, or the distance of a context.
    rule
        ``gensim`` counts as gensim 4.4.0 does: a word is no longer in the window once its first
        occurrence has left it, even if another one is still inside; and an empty text is a unit.
    languages
        The languages of linked documents, as in ``en+sv``.

    >>> Unit.parse("window(size=10)"), Unit()
    (window(size=10), document)
    """

    kind: Literal["document", "window", "context", "link"] = "document"
    size: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    rule: Literal["exact", "gensim"] = "exact"
    languages: str | None = None

    @classmethod
    def of_link(cls, one: str, other: str) -> Unit:
        """Return the unit of documents that are linked across two languages, in either order.

        >>> Unit.of_link("sv", "en")
        link(languages=en+sv)
        """
        if one == other or "+" in one + other or not (one and other):
            raise InputError(f"a link needs two different languages, not {one!r} and {other!r}")
        return cls("link", languages="+".join(sorted((one, other))))

    @classmethod
    def parse(cls, text: str) -> Unit:
        """Read ``document``, ``window(size=10)``, ``context(size=5)`` or a link."""
        expression = Expression.parse(text)
        try:
            unit = msgspec.convert({"kind": expression.name, **expression.parameters}, cls)
        except msgspec.ValidationError as error:
            raise InputError(f"{text!r} is not a unit: {error}") from error
        if (unit.size is None) != (unit.kind in ("document", "link")):
            raise InputError(
                f"{text!r} is not a unit: windows and contexts need a size, other units have none"
            )
        if (unit.languages is None) != (unit.kind != "link"):
            raise InputError(
                f"{text!r} is not a unit: a link needs two languages, other units have none"
            )
        if unit.languages is None:
            return unit
        languages = unit.languages.split("+")
        if len(languages) != 2:
            raise InputError(
                f"{text!r} is not a unit: a link needs two languages, not {len(languages)}"
            )
        return cls.of_link(*languages)

    @property
    def sides(self) -> tuple[str, ...]:
        """The two languages of a link; empty for other units."""
        return tuple((self.languages or "").split("+")) if self.kind == "link" else ()

    @property
    def plural(self) -> str:
        """The unit in words, such as ``documents`` or ``windows of 10``."""
        if self.kind == "link":
            return f"linked documents of {' and '.join(self.sides)}"
        return f"{self.kind}s" + ("" if self.size is None else f" of {self.size}")

    def __repr__(self) -> str:
        parameters: dict[str, str | int | float | bool | None] = {}
        if self.size is not None:
            parameters["size"] = self.size
        if self.rule != "exact":
            parameters["rule"] = self.rule
        if self.languages is not None:
            parameters["languages"] = self.languages
        return str(Expression(self.kind, parameters))
