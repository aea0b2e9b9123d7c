"""Expressions, by which metrics, pipelines, readers and models are written and printed.

``npmi(window=10)@10`` is a name, parameters with their values, and a number of top words. The
last two are optional. Nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tealeaves.errors import InputError
from tealeaves.limits import check

Value = str | int | float | bool | None

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_BARE = re.compile(r"[^\s,()'\"=]+")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_INTEGER = re.compile(r"[+-]?\d{1,4000}")
_FLOAT = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?inf", re.IGNORECASE)
_CONSTANTS: Mapping[str, Value] = MappingProxyType({"true": True, "false": False, "none": None})


@dataclass(frozen=True)
class Expression:
    """A parsed expression.

    >>> Expression.parse("npmi(window=10, eps=1e-12)@10")
    Expression(name='npmi', parameters={'window': 10, 'eps': 1e-12}, top=10)
    >>> str(Expression.parse("c_v( compat = 'gensim' ) @ 10"))
    'c_v(compat=gensim)@10'
    """

    name: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    top: int | None = None

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Read an expression; an error names the character that cannot be read."""
        check("expression", len(text), f"{text[:40]}…: an expression")
        return _Parser(text).expression()

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={format_value(v)}" for key, v in self.parameters.items())
        top = "" if self.top is None else f"@{self.top}"
        return self.name + (f"({inside})" if inside else "") + top


def format_value(value: Value) -> str:
    """Write a value in the way that is read back as the same value.

    >>> [format_value(v) for v in (None, True, -1.0, 1e-12, "en", "two words", "10")]
    ['none', 'true', '-1', '1e-12', 'en', "'two words'", "'10'"]
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, str) and (not _BARE.fullmatch(value) or not isinstance(_bare(value), str)):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    return str(value)


def split_expressions(text: str) -> list[str]:
    """Split a text at white space outside of brackets and quotes.

    >>> split_expressions("npmi@10  c_v(never=0, window=50)@10")
    ['npmi@10', 'c_v(never=0, window=50)@10']
    """
    parts, current, depth, quote, escaped = [], "", 0, "", False
    if not {"'", '"'} & set(text):
        text = "@".join(part.strip() for part in text.split("@"))  # spaces around @ are allowed
    for character in text:
        if escaped:
            escaped = False
        elif quote:
            escaped = character == "\\"
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "()":
            depth += 1 if character == "(" else -1
        if character.isspace() and depth <= 0 and not quote:
            parts.append(current)
            current = ""
        else:
            current += character
    return [part for part in [*parts, current] if part]


def _bare(word: str) -> Value:
    """Return the value of an unquoted word: a number, a constant, or the word itself."""
    if _INTEGER.fullmatch(word):
        return int(word)
    if _FLOAT.fullmatch(word):
        return float(word)
    return _CONSTANTS.get(word.lower(), word)


class _Parser:
    """The text of an expression, and the position up to which it is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def expression(self) -> Expression:
        if not self.text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in self.text):
            raise InputError(f"{self.text!r:.100}: bytes that are not UTF-8")
        name = self._take(_NAME, "a name")
        bracketed = self._accept("(")
        parameters = self._parameters() if bracketed else {}
        top = self._top() if self._accept("@") else None
        if not bracketed and self._accept("("):  # name@10(window=5) is allowed too
            parameters = self._parameters()
        self._skip()
        if self.at < len(self.text):
            hint = "; separate expressions by spaces" if self.text[self.at] == "," else ""
            raise self._error("the end", hint)
        return Expression(name, parameters, top)

    def _parameters(self) -> dict[str, Value]:
        parameters: dict[str, Value] = {}
        while not self._accept(")"):
            if parameters and not self._accept(","):
                raise self._error("',' or ')'")
            name = self._take(_NAME, "a parameter name")
            if not self._accept("="):
                raise self._error("'='")
            if name in parameters:
                raise InputError(f"{self.text!r}: the parameter {name} is given twice")
            parameters[name] = self._value()
        return parameters

    def _value(self) -> Value:
        self._skip()
        quoted = _QUOTED.match(self.text, self.at)
        if quoted:
            self.at = quoted.end()
            inside = quoted[1] if quoted[1] is not None else quoted[2]
            return re.sub(r"\\([\\'\"])", r"\1", inside)
        return _bare(self._take(_BARE, "a value"))

    def _top(self) -> int:
        number = int(self._take(re.compile(r"\d{1,4000}"), "a number of top words"))
        if number < 1:
            raise InputError(f"{self.text!r}: the number of top words after @ must be at least 1")
        return number

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _accept(self, sign: str) -> bool:
        self._skip()
        is_next = self.text.startswith(sign, self.at)
        self.at += is_next
        return is_next

    def _take(self, pattern: re.Pattern[str], what: str) -> str:
        self._skip()
        match = pattern.match(self.text, self.at)
        if not match:
            raise self._error(what)
        self.at = match.end()
        return match[0]

    def _error(self, expected: str, hint: str = "") -> InputError:
        rest = self.text[self.at : self.at + 12]
        problem = f"found {rest!r}" if rest else "the text ends"
        return InputError(
            f"{self.text!r}: expected {expected} at character {self.at + 1}, {problem}{hint}"
        )
