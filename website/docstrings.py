"""An extension of griffe, which mkdocstrings loads: docstrings become Markdown.

Docstrings are written for terminals and editors, too: with roles of Sphinx, as in
``:func:`tealeaves.score```, and with examples that follow a paragraph.
"""

from __future__ import annotations

import re
from typing import Any

from api_pages import with_links
from griffe import Class, Extension, Function, Object, Parameter, ParameterKind, Parameters

_SECTION = re.compile(r"^([A-Z][\w ]*\n-{3,}\n)", re.MULTILINE)
_ITEM = re.compile(r"\S.*\n {4}")
_EXAMPLE = re.compile(r"^(>>> .*(?:\n\S.*)*)", re.MULTILINE)
_REFERENCE = re.compile(r"\s*As (?:for|in) ")
_SEVERAL = re.compile(r"^(\w+(?:, \w+)+)((?:\n {4}.*)+)", re.MULTILINE)


class Docstrings(Extension):
    """Rewrite the docstring of each object when griffe has read it."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite a docstring."""
        if obj.docstring is not None:
            text = arranged(with_single_parameters(obj.docstring.value))
            obj.docstring.value = with_links(text, obj.path)

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Tell griffe the parameters of named tuples and structs, which are their fields."""
        bases = {str(base).rpartition(".")[2] for base in cls.bases}
        if bases & {"NamedTuple", "Struct"} and "__init__" not in cls.members:
            fields = [
                (name, field)
                for name, field in cls.attributes.items()
                if field.annotation is not None
                and "property" not in field.labels
                and not name.startswith("_")
            ]
            kind = ParameterKind.positional_or_keyword
            parameters = Parameters(Parameter("self", kind=kind))
            if "kw_only=True" in cls.source.partition('"""')[0]:
                kind = ParameterKind.keyword_only
            for name, field in fields:
                one = Parameter(name, annotation=field.annotation, kind=kind, default=field.value)
                parameters.add(one)
            cls.set_member("__init__", Function("__init__", parameters=parameters))


def arranged(text: str) -> str:
    """Move what follows a list of parameters: paragraphs before it, examples to "Examples".

    In the style of numpy, it would be read as one more parameter. Examples of a docstring without
    sections become code blocks.
    """
    description, *parts = _SECTION.split(text)
    paragraphs = [description.rstrip("\n")]
    sections: list[str] = []
    examples: list[str] = []
    for head, body in zip(parts[::2], parts[1::2], strict=True):
        listed: list[str] = []
        for paragraph in re.split(r"\n\n(?=\S)", body.strip("\n")):
            if not listed or head.startswith("Examples") or _ITEM.match(paragraph):
                listed.append(paragraph)
            elif examples or paragraph.startswith(">>> "):
                examples.append(paragraph)
            else:
                paragraphs.append(paragraph)
        sections.append(head + "\n\n".join(listed))
    if examples:
        sections.append("Examples\n--------\n" + "\n\n".join(examples))
    return "\n\n".join([*map(_fenced, paragraphs), *sections])


def _fenced(text: str) -> str:
    return _EXAMPLE.sub(r"```pycon\n\1\n```", text)


def with_single_parameters(text: str) -> str:
    r"""Give each of several parameters that share a description its own entry, and its own type.

    The first one has the description, and the others refer to it. A description that itself refers
    to another function is repeated.

    >>> with_single_parameters("a, b\n    Two numbers.").split("\n")
    ['a', '    Two numbers.', 'b', '    See ``a``.']
    >>> with_single_parameters("a, b\n    As for ``score``.").split("\n")
    ['a', '    As for ``score``.', 'b', '    As for ``score``.']
    """
    return _SEVERAL.sub(_single_parameters, text)


def _single_parameters(several: re.Match[str]) -> str:
    first, *others = several[1].split(", ")
    if _REFERENCE.match(several[2]):
        return "\n".join(name + several[2] for name in (first, *others))
    return "\n".join([first + several[2], *(f"{name}\n    See ``{first}``." for name in others)])
