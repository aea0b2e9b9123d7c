"""Pickles: reading one would run the program in it, so they are refused."""

from __future__ import annotations

import io
from typing import BinaryIO, NoReturn

from tealeaves.errors import InputError
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource

_SUFFIXES = {".pkl", ".pickle", ".joblib", ".dill"}
_MODELS = {".bin", ".model", ".pt", ".pth"}  # of torch, tomotopy and gensim, unless they are text
_PROTOCOLS = range(2, 6)
_LONGEST = 1 << 20  # bytes of one argument: no pickled text has more
# the opcodes of anything but a single number, string or name
_CONSTRUCTING = {"REDUCE", "BUILD", "INST", "OBJ", "NEWOBJ", "LIST", "DICT", "TUPLE"}
_CONSTRUCTING |= {"PUT", "BINPUT", "APPEND", "APPENDS", "SETITEM", "SETITEMS"}
SAVE_BERTOPIC = (
    'save a BERTopic model with model.save(folder, serialization="safetensors", save_ctfidf=True)'
)


def is_pickle(file: TopicsSource) -> bool:
    """Recognise a pickle by its first bytes, its name or its opcodes; torch writes zipped ones."""
    start = file.start[:2]
    if len(start) == 2 and start[0] == 0x80 and start[1] in _PROTOCOLS:
        return True
    if file.suffix in _SUFFIXES or (file.suffix in _MODELS and b"\0" in file.start):
        return True
    return any(name.endswith(".pkl") for name in file.members) or _is_text_pickle(file)


def refuse_pickle(file: TopicsSource, _options: TopicsOptions) -> NoReturn:
    """Refuse a pickle, and say how to save the model instead."""
    raise InputError(
        f"{file.name}: a pickle or a binary model, which is never opened, because opening it can "
        f"run any program: {SAVE_BERTOPIC}, any other with "
        "tealeaves.adapt(model).save('name.topics')"
    )


def _is_text_pickle(file: TopicsSource) -> bool:
    """Recognise a pickle of the first protocols, which are text; nothing of it is run.

    Words of topics may look like opcodes. So the stack must hold what each opcode takes.
    """
    if b"\0" in file.start or (file.is_whole and not file.start.rstrip().endswith(b".")):
        return False  # the last opcode is a full stop
    import pickletools

    try:
        with file.open() as stream:
            complete = _is_opcodes(stream)
        if complete:
            with file.open() as stream:
                pickletools.dis(_BoundedStream(stream), out=_NullText())
    except (ValueError, LookupError, OverflowError):
        return False
    return complete


def _is_opcodes(stream: BinaryIO) -> bool:
    """Tell whether all bytes are opcodes; most texts soon have a byte that is none."""
    import pickletools

    constructing = False
    for code, _, _ in pickletools.genops(_BoundedStream(stream)):
        constructing = constructing or code.name in _CONSTRUCTING
    return constructing and not stream.read(_LONGEST).strip()


class _BoundedStream(io.BytesIO):
    """A stream that reads no more at once than an argument may have."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream

    def read(self, size: int | None = -1, /) -> bytes:
        """Return that many bytes."""
        if size is None or not 0 <= size <= _LONGEST:
            raise ValueError("too long")
        return self._stream.read(size)

    def readline(self, _size: int | None = -1, /) -> bytes:
        """Return a line, cut at the length of an argument, without escapes.

        Other texts have invalid ones. Python warns of these, and threads cannot silence a warning.
        """
        return self._stream.readline(_LONGEST).replace(b"\\", b"/")


class _NullText(io.StringIO):
    """A text stream that keeps nothing."""

    def write(self, text: str, /) -> int:
        """Return the length of the text."""
        return len(text)


PICKLE = TopicsFormat("", is_pickle, refuse_pickle, separated=True)
