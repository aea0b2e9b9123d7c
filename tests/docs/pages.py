"""The pages of the documentation, and how all blocks of one page are run."""

from __future__ import annotations

import itertools
from pathlib import Path

from .blocks import SHELL, page_files, page_name, read_blocks
from .page_inputs import OBJECTS, write_files
from .page_runner import PageRunner

PAGES = {page_name(path): path for path in page_files()}

# These pages load networks and take most of the time; their tests run in another process.
NETWORK_PAGES = (
    "README.md",
    "docs/how-to/embeddings.md",
    "docs/how-to/relevance.md",
    "docs/relevance.md",
)


def run_page(page: str, folder: Path) -> None:
    """Run all blocks of a page, in a folder with the files that it uses.

    A block of text directly after commands is compared with their output.
    """
    blocks = read_blocks(PAGES[page])
    if not any(block.is_run for block in blocks):
        return
    write_files(page, blocks, folder)
    make_objects = OBJECTS.get(page)
    runner = PageRunner(folder, make_objects() if make_objects else None)
    with runner.isolated():
        for block, following in itertools.zip_longest(blocks, blocks[1:]):
            if block.language == SHELL and following and following.language == "text":
                runner.check_output(block, following)
            elif block.is_run or block.is_doctest:
                runner.run(block)
