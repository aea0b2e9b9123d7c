from __future__ import annotations

import json
from pathlib import Path

import pytest

from .verses import LANGUAGES, VERSES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The verses as TSV and as JSONL, a file for each language, and pairs in one file."""
    for number, language in enumerate(LANGUAGES):
        sides = {key: texts[number] for key, texts in VERSES.items()}
        lines = [f"{key}\t{text}\n" for key, text in sides.items()]
        (tmp_path / f"{language}.tsv").write_text("".join(lines))
        records = [json.dumps({"id": key, "text": text}) + "\n" for key, text in sides.items()]
        (tmp_path / f"{language}.jsonl").write_text("".join(records))
        (tmp_path / f"{language}.txt").write_text("".join(text + "\n" for text in sides.values()))
    return tmp_path
