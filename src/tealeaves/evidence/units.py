"""Units: what counts as one occasion for words to be together."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.expressions import Expression


class Unit(msgspec.Struct, frozen=True, order=True):
    """Documents, sliding windows, context windows, or linked documents of two languages.

    - ``document``: a text with at least one token is one unit, and holds each of its words once.
    - ``window(w)``: each run of w consecutive tokens is a unit; a text with fewer tokens is one.
    - ``context(s)``: each token is a unit. A word is counted once for each occurrence, a pair
      once for each two occurrences at most s tokens apart, as Palmetto counts for Röder et al.
      (2015); its number of units is another, for it takes size - 1 tokens off each text.
    - ``link(languages=en+sv)``: two linked documents, one of each language and each with at least
      one token, are one unit, and hold each word of either once.

    Empty texts hold no unit. ``rule="gensim"`` counts as gensim 4.4.0 does: a word leaves the
    window with its first occurrence even if another is still inside, and an empty text is a
    unit.

    >>> Unit.parse("window(size=10)"), Unit()
    (window(size=10), document)
    """

    kind: Literal["document", "window", "context", "link"] = "document"
    size: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    rule: Literal["exact", "gensim"] = "exact"
    languages: str | None = None

    @classmethod
    def of_link(cls, one: str, other: str) -> Unit:
        """Return the unit of documents linked across two languages, in whichever order.

        >>> Unit.of_link("sv", "en")
        link(languages=en+sv)
        """
        if one == other or "+" in one + other or not (one and other):
            raise InputError(f"a link is of two languages, not of {one!r} and {other!r}")
        return cls("link", languages="+".join(sorted((one, other))))

    @property
    def sides(self) -> tuple[str, ...]:
        """The two languages of a link; none of other units."""
        return tuple((self.languages or "").split("+")) if self.kind == "link" else ()

    @classmethod
    def parse(cls, text: str) -> Unit:
        """Read ``document``, ``window(size=10)`` or ``context(size=5)``."""
        expression = Expression.parse(text)
        try:
            unit = msgspec.convert({"kind": expression.name, **expression.parameters}, cls)
        except msgspec.ValidationError as error:
            raise InputError(f"{text!r} is not a unit: {error}") from error
        if (unit.size is None) != (unit.kind in ("document", "link")):
            raise InputError(f"{text!r} is not a unit: windows have a size, documents have none")
        if (unit.languages is None) != (unit.kind != "link"):
            raise InputError(f"{text!r} is not a unit: links are of two languages, others of none")
        return cls.of_link(*_two(unit.languages, text)) if unit.languages is not None else unit

    @property
    def plural(self) -> str:
        """What is counted, in words: ``documents``, ``windows of 10``."""
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


def _two(languages: str, text: str) -> tuple[str, str]:
    parts = languages.split("+")
    if len(parts) != 2:
        raise InputError(f"{text!r} is not a unit: a link is of two languages")
    return parts[0], parts[1]
