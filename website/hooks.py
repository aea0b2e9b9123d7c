"""The functions that mkdocs calls: they add generated pages and files outside docs, and fix links.

The site consists of docs/*.md, a page for each metric, a page for each public function and class,
and the files of the repository that guides link to.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from api_pages import api_navigation, api_pages
from dialect import as_python_markdown
from metric_pages import index_page, metric_page
from repository import ROOT, SITE_PATHS, relinked, source_path

from tealeaves.metrics.registry import METRICS

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_log = logging.getLogger("mkdocs.hooks.tealeaves")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages of metrics and of the API to the navigation."""
    metrics = ["metric/index.md", *({name: f"metric/{name}.md"} for name in METRICS)]
    for title, pages in {"Metrics": metrics, "Python API": api_navigation()}.items():
        if not _fill(config.nav or [], title, pages):
            _log.warning("mkdocs.yml has no part %s in its nav", title)
    return config


def _fill(parts: list[Any], title: str, pages: list[Any]) -> bool:
    """Fill the empty part of the navigation that has a title, wherever it is."""
    for part in parts:
        for name, inside in part.items() if isinstance(part, dict) else ():
            if name == title and not inside:
                part[name] = pages
                return True
            if isinstance(inside, list) and _fill(inside, title, pages):
                return True
    return False


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    from mkdocs.structure.files import File

    pages = {"metric/index.md": index_page(), **api_pages()}
    pages |= {f"metric/{one.name}.md": metric_page(one) for one in METRICS.values()}
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    for source, path in SITE_PATHS.items():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Turn links to files of the repository into links to pages of the site."""
    return as_python_markdown(relinked(markdown, source_path(page.file.src_uri)))
