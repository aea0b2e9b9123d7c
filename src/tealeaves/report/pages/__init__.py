"""Pages: results as HTML that needs nothing but a browser."""

from tealeaves.report.pages.report.page import report_page, save_report_page
from tealeaves.report.pages.semantic_map.page import save_semantic_map_page, semantic_map_page

__all__ = ["report_page", "save_report_page", "save_semantic_map_page", "semantic_map_page"]
