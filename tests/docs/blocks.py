"""The fenced code blocks of the documentation, and the pages that have them."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SHELL = "sh"
PYTHON = frozenset({"py", "python"})
NOT_CODE = frozenset({"text", "json", "csv", "tsv", "html", "latex", "markdown", "toml", "yaml"})

_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(\S*).*")


class Block(NamedTuple):
    """A fenced block: its page, its language, its text, and the line that the text starts at."""

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """The page and line, as in ``docs/start.md:12``."""
        return f"{self.page}:{self.line}"

    @property
    def is_doctest(self) -> bool:
        """Whether pytest runs it, by ``--doctest-glob``."""
        return self.language in PYTHON and ">>>" in self.text

    @property
    def is_run(self) -> bool:
        """Whether the page runner runs it."""
        return self.language == SHELL or (self.language in PYTHON and not self.is_doctest)


def page_files() -> list[Path]:
    """Return README, CONTRIBUTING, the pages of the folder docs and those of the studies."""
    front = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md")]
    studies = sorted((ROOT / "benchmarks").glob("*/RESULTS.md"))
    return [*front, *sorted((ROOT / "docs").rglob("*.md")), *studies]


def page_name(path: Path) -> str:
    """Return the path relative to the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def read_blocks(path: Path, page: str | None = None) -> list[Block]:
    """Return the fenced blocks of a page in order, without the indent of a list."""
    name = page_name(path) if page is None else page
    lines = path.read_text(encoding="utf-8").splitlines()
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        opened = _FENCE.fullmatch(lines[at])
        at += 1
        if not opened:
            continue
        fence, language = opened.groups()
        start = at
        while at < len(lines) and not _closes(lines[at], fence):
            at += 1
        if at == len(lines):
            raise ValueError(f"{name}:{start}: the block has no end")
        text = dedent("\n".join(lines[start:at])) + "\n"
        blocks.append(Block(name, start + 1, language, text))
        at += 1
    return blocks


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return set(bare) == {fence[0]} and len(bare) >= len(fence)
