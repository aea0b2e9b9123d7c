"""The pages, and the running of one of them; tests share them out, so that two processes can."""

from __future__ import annotations

import itertools
from pathlib import Path

from .blocks import SHELL, page_files, page_name, read_blocks
from .readers_things import BY_HAND, GIVEN, lay_out
from .running import PageRun

PAGES = {page_name(path): path for path in page_files()}

# networks are loaded and run: these pages take most of the time
OF_NETWORKS = ("README.md", "docs/embeddings.md", "docs/python.md", "docs/relevance.md")


def run_page(page: str, folder: Path) -> None:
    """Run all blocks of a page, in a folder with what its reader has.

    Text that stands next after commands is what they print.
    """
    blocks = read_blocks(PAGES[page])
    if not any(block.is_run for block in blocks):
        return
    lay_out(page, blocks, folder)
    given = GIVEN.get(page)
    running = PageRun(folder, given() if given else None, BY_HAND.get(page))
    with running.alone():
        for block, following in itertools.zip_longest(blocks, blocks[1:]):
            if block.language == SHELL and following and following.language == "text":
                running.show(block, following)
            elif block.is_run or block.is_doctest:
                running.run(block)
