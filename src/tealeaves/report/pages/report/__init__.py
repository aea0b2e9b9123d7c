"""The page of a report: sections with charts, tables and cards, in one file."""

from tealeaves.report.pages.report.page import check_page, report_page, save_report_page

__all__ = ["check_page", "report_page", "save_report_page"]
