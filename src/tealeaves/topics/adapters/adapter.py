"""``Adapter``: how the objects of one library become topics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.topics import Topics


@dataclass(frozen=True)
class Adapter:
    """How the objects of one library become topics.

    Parameters
    ----------
    title
        What lists and messages call the objects.
    fits
        Recognise an object by its attributes. Never import the library for it.
    convert
        Make topics of an object and of the caller's options.
    library
        The library in the names of models, "" for plain Python structures.
    options
        Which of :data:`SOME_ADAPTERS_USE` it uses. The others are refused.
    named_object
        Return the part of an object whose class names the model.
    """

    title: str
    fits: Callable[[Any], bool]
    convert: Callable[[Any, TopicsOptions], Topics]
    library: str = ""
    options: tuple[str, ...] = ()
    named_object: Callable[[Any], Any] = lambda model: model

    @property
    def subject(self) -> str:
        """The start of a sentence about what the adapter takes."""
        return f"a model of {self.title} takes" if self.library else f"{self.title} take"


#: The options of ``adapt`` that some adapters use and others cannot.
SOME_ADAPTERS_USE = frozenset({"documents", "topic_word", "vectorizer", "vocabulary"})
