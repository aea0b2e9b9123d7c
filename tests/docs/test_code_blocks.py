"""Every code block of the documentation runs and names its language."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.systems import needs_bash

from .blocks import NOT_CODE, PYTHON, ROOT, SHELL, Block, read_blocks
from .page_inputs import FILES, OBJECTS
from .pages import NETWORK_PAGES, PAGES, run_page
from .shell_commands import commands
from .skipped_commands import QUICKER_OPTIONS, SKIPPED

pytestmark = needs_bash

BLOCKS = {page: read_blocks(path) for page, path in PAGES.items()}


@pytest.mark.parametrize("page", [page for page in PAGES if page not in NETWORK_PAGES])
def test_blocks_run(page: str, tmp_path: Path) -> None:
    run_page(page, tmp_path)


def shell_commands(blocks: list[Block]) -> list[str]:
    return [c.text for block in blocks if block.language == SHELL for c in commands(block.text)]


ALL_COMMANDS = [command for blocks in BLOCKS.values() for command in shell_commands(blocks)]


def test_blocks_are_found() -> None:
    assert len(PAGES) >= 20
    assert len(ALL_COMMANDS) >= 100
    assert {*NETWORK_PAGES, *FILES, *OBJECTS} <= set(PAGES)


def test_every_block_names_its_language() -> None:
    known = NOT_CODE | PYTHON | {SHELL}
    unknown = [
        f"{block.place}: {f'```{block.language} is not known' if block.language else 'a bare ```'}"
        for blocks in BLOCKS.values()
        for block in blocks
        if block.language not in known
    ]
    assert not unknown, "write ```text, or what it is:\n" + "\n".join(unknown)


def test_every_doctest_is_run_by_pytest() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    options = project["tool"]["pytest"]["ini_options"]
    assert "--doctest-glob=*.md" in options["addopts"]
    looked_in = [ROOT / name for name in options["testpaths"]]
    doctests = {block.page for blocks in BLOCKS.values() for block in blocks if block.is_doctest}
    assert len(doctests) >= 10
    for page in doctests:
        path = ROOT / page
        assert any(path == place or place in path.parents for place in looked_in), page


def test_every_skipped_or_quicker_command_is_used() -> None:
    for kind in SKIPPED:
        assert any(kind.pattern.fullmatch(command) for command in ALL_COMMANDS), kind.reason
    for start in QUICKER_OPTIONS:
        words = f"tealeaves {' '.join(start)} "
        assert any(f"{command} ".startswith(words) for command in ALL_COMMANDS), start


def test_every_file_of_the_reader_is_used() -> None:
    for page, files in FILES.items():
        code = "\n".join(block.text for block in BLOCKS[page] if block.is_run)
        unused = [name for name in files if name not in code]
        assert not unused, f"{page} does not use what FILES in page_inputs.py has for it"
