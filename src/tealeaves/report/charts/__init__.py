"""Charts: functions from results to Altair objects, and the files they are written to."""

from tealeaves.report.charts.saving import check_chart_file, check_chart_kind, save_chart
from tealeaves.report.charts.selection import selection_chart

__all__ = ["check_chart_file", "check_chart_kind", "save_chart", "selection_chart"]
