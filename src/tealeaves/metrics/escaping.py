"""Any text in Markdown and in LaTeX: shown as it is, whatever its letters mean there."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# what begins a mark-up wherever it stands; an underscore within a word, as in c_v, does not, nor
# do brackets without what they would link to
_MARKDOWN = re.compile(r"[\\`*|~$]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])")
_HTML = {"<": re.compile(r"<(?=[A-Za-z/!?])"), "&": re.compile(r"&(?=#|[A-Za-z])")}
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "–": "--",
    "…": r"\ldots{}",
    "α": r"$\alpha$",
    "δ": r"$\delta$",
    "κ": r"$\kappa$",
    "τ": r"$\tau$",
    "φ": r"$\phi$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
} | {sign: f"\\{sign}" for sign in "&%$#_{}"}
# and signs that would be drawn as one with the next, such as two hyphens as a dash
_IN_LATEX = re.compile(rf"[{re.escape(''.join(_LATEX))}]|([-`'])(?=\1)|[?!](?=`)")


def in_markdown(text: str) -> str:
    r"""Escape what Markdown would take for mark-up, in a cell of a table or elsewhere.

    >>> in_markdown("c_v *a* _b_ x|y <b> a < b &lt;")
    'c_v \\*a\\* \\_b\\_ x\\|y &lt;b> a < b &amp;lt;'
    """
    found = _HTML["&"].sub("&amp;", one_line(text))
    found = _HTML["<"].sub("&lt;", found)
    return _MARKDOWN.sub(r"\\\g<0>", found)


def in_latex(text: str) -> str:
    r"""Escape what LaTeX would take for commands.

    >>> in_latex("50% of a_b--c")
    '50\\% of a\\_b-{}-c'
    """
    return _IN_LATEX.sub(lambda sign: _LATEX.get(sign[0], sign[0] + "{}"), one_line(text))


def one_line(text: str) -> str:
    """Return a text without line breaks and other signs that cannot be seen.

    >>> one_line("a\\n\\n b\\x00")
    'a b'
    """
    return _CONTROL.sub("", " ".join(text.split()))
