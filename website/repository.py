"""Files of the repository outside docs/ that are pages of the site, and links to them."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: the path in the site of each such file
SITE_PATHS = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks/index.md",
    "benchmarks/consensus/RESULTS.md": "benchmarks/consensus.md",
    "benchmarks/crosslingual/RESULTS.md": "benchmarks/crosslingual.md",
    "benchmarks/estimator/RESULTS.md": "benchmarks/estimator.md",
    "benchmarks/lexicon/RESULTS.md": "benchmarks/lexicon.md",
    "benchmarks/people/RESULTS.md": "benchmarks/people.md",
    "benchmarks/people/results.csv": "benchmarks/people.csv",
    "benchmarks/people/results.svg": "benchmarks/people.svg",
    "benchmarks/speed/RESULTS.md": "benchmarks/speed.md",
    "benchmarks/speed/results.svg": "benchmarks/speed.svg",
    "src/tealeaves/consensus/shipped/CARD.md": "consensus-card.md",
    "src/tealeaves/topics/multilingual.schema.json": "multilingual.schema.json",
    "src/tealeaves/topics/topics.schema.json": "topics.schema.json",
}
_README = {"README.md": "index.md"}
_LINK = re.compile(r"(?<=\]\()([^)\s:#]+)(?=[#)])")
_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)


def source_path(page: str) -> str:
    """Return the path in the repository of a page of the site.

    >>> source_path("changes.md"), source_path("how-to/gensim.md")
    ('CHANGELOG.md', 'docs/how-to/gensim.md')
    """
    sources = {path: source for source, path in SITE_PATHS.items()}
    return sources.get(page, f"docs/{page}")


def relinked(text: str, source: str) -> str:
    """Turn links between files of the repository into links between pages of the site.

    >>> relinked("[all](../benchmarks/speed/RESULTS.md#speed)", "docs/performance.md")
    '[all](benchmarks/speed.md#speed)'
    >>> relinked("[how](docs/python.md)", "CHANGELOG.md")
    '[how](python.md)'
    """

    def renamed(link: re.Match[str]) -> str:
        return _renamed(link[1], source)

    parts = _FENCED.split(text)
    return "".join(p if n % 2 else _LINK.sub(renamed, p) for n, p in enumerate(parts))


def _renamed(link: str, source: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    target = _place(path)
    page = _place(source)
    if target is None or page is None:
        return link
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def _place(path: str) -> str | None:
    """Return the path in the site of a file of the repository, or None."""
    inside = path.removeprefix("docs/") if path.startswith("docs/") else None
    return (SITE_PATHS | _README).get(path, inside)
