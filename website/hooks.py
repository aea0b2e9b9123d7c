"""The functions that mkdocs calls: they add generated pages and files outside docs, and fix links.

The site consists of docs/*.md, a page for each metric, and the files of the repository that guides
link to.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dialect import as_python_markdown
from metric_index import index_page
from metric_page import metric_page
from outside import OUTSIDE, ROOT, here, relinked

from tealeaves.metrics.registry import METRICS

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_METRICS = "Metrics"
_log = logging.getLogger("mkdocs.hooks.tealeaves")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages of metrics to the navigation."""
    pages: list[str | dict[str, str]] = ["metric/index.md"]
    pages += [{name: f"metric/{name}.md"} for name in METRICS]
    for part in config.nav or []:
        if _METRICS in part:
            part[_METRICS] = pages
            return config
    _log.warning("mkdocs.yml has no part %s in its nav: metrics are not shown", _METRICS)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    from mkdocs.structure.files import File

    made = {"metric/index.md": index_page()}
    made |= {f"metric/{one.name}.md": metric_page(one) for one in METRICS.values()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    for source, path in OUTSIDE.items():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Turn links to files of the repository into links to pages of the site."""
    return as_python_markdown(relinked(markdown, here(page.file.src_uri)))
