"""Texts that pages take for granted: the demo's own, under the names and in the forms of pages."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from tealeaves import demo
from tealeaves.text.document import Document

Maker = Callable[[Path], None]


def documents(language: str) -> list[Document]:
    """Return the demo's texts."""
    return list(demo.corpus(language))


def written(path: Path, text: str) -> None:
    """Write a file, packed where it is called so, and the folder it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def json_lines(rows: Iterable[object]) -> str:
    """Return an object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def texts(language: str = "en", part: slice = slice(None)) -> Maker:
    """Documents as JSON lines."""
    return lambda path: written(
        path,
        json_lines(
            {"id": d.id, "text": d.text, "label": d.label, "language": language}
            for d in documents(language)[part]
        ),
    )


def split_tokens(path: Path) -> None:
    """Documents whose tokens are separated by spaces."""
    rows = [
        {"id": d.id, "text": " ".join(_words(d.text)), "label": d.label} for d in documents("en")
    ]
    written(path, json_lines(rows))


def other_texts(path: Path) -> None:
    """Texts that speak of the same as the demo's and are none of them: their second halves."""
    halves = [d.text[len(d.text) // 2 :] for d in documents("en")]
    written(path, json_lines({"id": f"w{n}", "text": half} for n, half in enumerate(halves)))


def table(path: Path) -> None:
    """A table whose texts are called body."""
    quoted = [d.text.replace('"', '""') for d in documents("en")]
    written(path, "id,body\n" + "".join(f'{n},"{text}"\n' for n, text in enumerate(quoted)))


def lines(language: str) -> Maker:
    """A document a line."""
    return lambda path: written(path, "".join(f"{d.text}\n" for d in documents(language)))


def bible(language: str) -> Maker:
    """Verses, four a chapter."""
    return lambda path: written(
        path,
        "".join(
            f"GEN {number // 4 + 1}:{number % 4 + 1}\t{document.text}\n"
            for number, document in enumerate(documents(language))
        ),
    )


def without_header(language: str) -> Maker:
    """Rows of an id, a number and a text."""
    return lambda path: written(
        path, "".join(f"{d.label}\t{n}\t{d.text}\n" for n, d in enumerate(documents(language)))
    )


def _words(text: str) -> list[str]:
    return ["".join(c for c in word.lower() if c.isalpha()) for word in text.split()]
