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
            kind = ParameterKind.positional_or_keyword
            fields = [
                Parameter(name, annotation=field.annotation, kind=kind, default=field.value)
                for name, field in cls.attributes.items()
                if field.annotation is not None
                and not name.startswith("_")
                and "property" not in field.labels
            ]
            parameters = Parameters(Parameter("self", kind=kind), *fields)
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
    r"""Repeat a description for each of several parameters, so that each has its own type.

    >>> with_single_parameters("a, b\n    Numbers.").split("\n")
    ['a', '    Numbers.', 'b', '    Numbers.']
    """
    return _SEVERAL.sub(
        lambda several: "\n".join(name + several[2] for name in several[1].split(", ")), text
    )
