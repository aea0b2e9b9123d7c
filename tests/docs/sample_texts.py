"""The texts of the demo, in the file formats that code blocks use."""

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


def write(path: Path, text: str) -> None:
    """Write a file, compressed if its name ends in .gz, and create its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def json_lines(rows: Iterable[object]) -> str:
    """Return one JSON object per line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def texts(language: str = "en", part: slice = slice(None)) -> Maker:
    """Write documents as JSON lines."""
    return lambda path: write(
        path,
        json_lines(
            {"id": d.id, "text": d.text, "label": d.label, "language": language}
            for d in documents(language)[part]
        ),
    )


def token_lines(path: Path) -> None:
    """Write documents whose tokens are separated by spaces."""
    rows = [
        {"id": d.id, "text": " ".join(_words(d.text)), "label": d.label} for d in documents("en")
    ]
    write(path, json_lines(rows))


def other_texts(path: Path) -> None:
    """Write the second halves of the demo's texts: other texts on the same themes."""
    halves = [d.text[len(d.text) // 2 :] for d in documents("en")]
    write(path, json_lines({"id": f"w{n}", "text": half} for n, half in enumerate(halves)))


def bible(language: str) -> Maker:
    """Write the texts as verses, four per chapter."""
    return lambda path: write(
        path,
        "".join(
            f"GEN {number // 4 + 1}:{number % 4 + 1}\t{document.text}\n"
            for number, document in enumerate(documents(language))
        ),
    )


def _words(text: str) -> list[str]:
    return ["".join(c for c in word.lower() if c.isalpha()) for word in text.split()]
