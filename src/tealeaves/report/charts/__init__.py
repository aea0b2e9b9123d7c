"""Charts: functions from results to Altair objects, and the files they are written to."""

from tealeaves.report.charts.agreement import agreement_chart
from tealeaves.report.charts.comparison import comparison_chart
from tealeaves.report.charts.correlations import correlation_charts
from tealeaves.report.charts.forest import forest_chart
from tealeaves.report.charts.heatmap import heat_map
from tealeaves.report.charts.saving import check_chart_file, check_chart_kind, save_chart
from tealeaves.report.charts.scatter import scatter_chart
from tealeaves.report.charts.selection import selection_chart

__all__ = [
    "agreement_chart",
    "check_chart_file",
    "check_chart_kind",
    "comparison_chart",
    "correlation_charts",
    "forest_chart",
    "heat_map",
    "save_chart",
    "scatter_chart",
    "selection_chart",
]
