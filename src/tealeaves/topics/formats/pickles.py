"""Pickles, which are programs that reading would run: refused, with what to do instead."""

from __future__ import annotations

import io
import pickletools
import warnings
from typing import BinaryIO, NoReturn

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.archived import names_in
from tealeaves.topics.formats.source import TopicsSource

FORM = ""  # not one that is read
STATED = ()
_SUFFIXES = {".pkl", ".pickle", ".joblib", ".dill"}
_MODELS = {".bin", ".model", ".pt", ".pth"}  # of torch, tomotopy and gensim, unless they are text
_PROTOCOLS = range(2, 6)
_LONGEST = 1 << 20  # bytes of one argument: more are no text that somebody pickled
# what all but a lone number, string or name has in it
_MAKING = {"REDUCE", "BUILD", "INST", "OBJ", "NEWOBJ", "LIST", "DICT", "TUPLE", "PUT", "BINPUT"}
_MAKING |= {"APPEND", "APPENDS", "SETITEM", "SETITEMS"}
INSTEAD = (
    'save a BERTopic model with model.save(folder, serialization="safetensors", save_ctfidf=True)'
    ", any other with tealeaves.adapt(model).save('name.topics')"
)


def fits(file: TopicsSource) -> bool:
    """A pickle by its first bytes or its name; the oldest are text, told by all that is in them.

    A file of torch is an archive of one.
    """
    start = file.start[:2]
    if len(start) == 2 and start[0] == 0x80 and start[1] in _PROTOCOLS:
        return True
    if file.suffix in _SUFFIXES or (file.suffix in _MODELS and b"\0" in file.start):
        return True
    return any(name.endswith(".pkl") for name in names_in(file)) or _is_textual(file)


def read(file: TopicsSource, _parts: Parts) -> NoReturn:
    """Refuse it."""
    raise InputError(
        f"{file.name}: a pickle or a binary model, which is never opened, for opening it can run "
        f"any program: {INSTEAD}"
    )


def _is_textual(file: TopicsSource) -> bool:
    """Tell a whole pickle of the first protocols; nothing of it is run.

    The words of topics may be opcodes, too: so the stack must hold what each of them takes.
    """
    if b"\0" in file.start:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # strings of other texts have escapes that are none
        try:
            with file.open() as stream:
                whole = _runs_to_its_end(stream)
            if whole:
                with file.open() as stream:
                    pickletools.dis(_Bounded(stream), out=_Nowhere())
        except (ValueError, LookupError, OverflowError):
            return False
    return whole


def _runs_to_its_end(stream: BinaryIO) -> bool:
    """Read opcode after opcode up to the last byte; most texts have none that is one soon."""
    making = False
    for code, _, _ in pickletools.genops(_Bounded(stream)):
        making = making or code.name in _MAKING
    return making and not stream.read(_LONGEST).strip()


class _Bounded(io.BytesIO):
    """A stream of which no more is read at once than an argument has."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream

    def read(self, size: int | None = -1, /) -> bytes:
        """Return so many bytes."""
        if size is None or not 0 <= size <= _LONGEST:
            raise ValueError("too long")
        return self._stream.read(size)

    def readline(self, _size: int | None = -1, /) -> bytes:
        """Return a line, or as much of it as an argument may have."""
        return self._stream.readline(_LONGEST)


class _Nowhere(io.StringIO):
    """What is written here is gone."""

    def write(self, text: str, /) -> int:
        """Return its length."""
        return len(text)
