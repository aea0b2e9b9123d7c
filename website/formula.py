"""Formulas, from LaTeX to MathML, which browsers draw without scripts or downloaded fonts."""

from __future__ import annotations

import re

_STEP = re.compile(
    r"\\begin\{|\\end\{|\\left(?![a-z])|\\right(?![a-z])|\\[{}]|[{}]|,\s*\\q?quad(?![a-z])"
)
# \begin{ opens an environment and a brace; \end{ closes the environment and opens a brace
_DEEPER = {r"\begin{": 2, r"\left": 1, "{": 1, r"\right": -1, "}": -1}


def drawn(latex: str) -> str:
    r"""Return the MathML of a formula; ``,\quad`` starts a new line."""
    from latex2mathml.converter import convert

    return "".join(convert(line, display="block") for line in lines(latex))


def lines(latex: str) -> list[str]:
    r"""Split a formula into lines at ``,\quad``, except inside braces and environments.

    >>> lines(r"\frac{a}{b},\quad a = \begin{cases} 1, \quad x \\ 2 \end{cases}")
    ['\\frac{a}{b},', 'a = \\begin{cases} 1, \\quad x \\\\ 2 \\end{cases}']
    """
    found: list[str] = []
    start = depth = 0
    for step in _STEP.finditer(latex):
        if depth == 0 and step[0].startswith(","):
            found.append(latex[start : step.start() + 1].strip())
            start = step.end()
        depth += _DEEPER.get(step[0], 0)
    return [*found, latex[start:].strip()]
