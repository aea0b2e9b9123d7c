"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], body: Iterable[Sequence[str]], *, spaced: bool = False) -> str:
    """Return a table; ``spaced`` puts spaces into the line below the head, too."""
    rule = f"| {' | '.join(['---'] * len(head))} |" if spaced else "|" + "---|" * len(head)
    rows = [f"| {' | '.join(cells)} |" for cells in (head, *body)]
    return "\n".join([rows[0], rule, *rows[1:]])
