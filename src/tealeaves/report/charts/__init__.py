"""Charts: functions from results to Altair objects, and the files they are written to.

Each chart is a module: it turns a result into rows, draws them with building blocks, and adds a
title and a subtitle. It computes no statistic. Two charts take bare data and summarise it
themselves: ``separation_chart`` computes the quartiles of its rows, ``relevance_map`` the limit of
its colours and the sum of the outlined pairs. The blocks are in ``blocks``:

==============  =========================================================  =========================
block           what it draws                                              charts that use it
==============  =========================================================  =========================
``intervals``   points with intervals, one line per label; dashed rules    agreement, evaluation,
                                                                           forest, left_out; its
                                                                           marks alone: comparison,
                                                                           consensus
``swarm``       points of a strip, moved aside; thick ticks                comparison, separation,
                                                                           strip
``cells``       coloured cells with numbers: heat maps                     heads, heatmap,
                                                                           relevance_map
``curve``       a line with a band or whiskers                             scatter, selection,
                                                                           tradeoff
``points``      points of a scatter plot                                   agreement, comparison,
                                                                           scatter, selection,
                                                                           semantic_map, separation
``bars``        bars from 0; boxes of the middle half                      contributions, separation
``columns``     columns of text beside a panel; remarks inside it          consensus, contributions,
                                                                           estimates
``placement``   places of points on a plane that do not hide each other    semantic_map
``axes``        axes of values, of names and of lines; rules and ticks     nearly all
``headings``    titles and subtitles                                       all
``panels``      panels below or beside each other; sizes of text           all
``rows``        rows of data                                               all
``numbers``     numbers as text                                            nearly all
``style``       Altair, colours, looks by name, tooltips                   all
==============  =========================================================  =========================

``term_matrix`` draws its circles itself. ``task_correlations`` holds what the charts of
correlations share, and ``correlations`` puts these charts together. ``saving`` writes files.
"""

from tealeaves.report.charts.agreement import agreement_chart
from tealeaves.report.charts.comparison import comparison_chart
from tealeaves.report.charts.consensus import consensus_chart
from tealeaves.report.charts.contributions import contributions_chart
from tealeaves.report.charts.correlations import correlation_charts
from tealeaves.report.charts.estimates import estimates_chart
from tealeaves.report.charts.evaluation import evaluation_chart
from tealeaves.report.charts.forest import forest_chart
from tealeaves.report.charts.heads import heads_chart
from tealeaves.report.charts.heatmap import heat_map, metric_agreement_chart
from tealeaves.report.charts.left_out import left_out_chart
from tealeaves.report.charts.relevance_map import (
    RelevancePanel,
    relevance_map,
    relevance_maps,
    text_relevance_chart,
)
from tealeaves.report.charts.saving import check_chart_file, check_chart_kind, save_chart
from tealeaves.report.charts.scatter import scatter_chart
from tealeaves.report.charts.selection import selection_chart
from tealeaves.report.charts.semantic_map import semantic_map_chart
from tealeaves.report.charts.separation import (
    AucInterval,
    Separable,
    separated_chart,
    separation_chart,
)
from tealeaves.report.charts.strip import strip_chart
from tealeaves.report.charts.term_matrix import term_matrix_chart
from tealeaves.report.charts.tradeoff import TradeoffRow, curve_chart, tradeoff_chart

__all__ = [
    "AucInterval",
    "RelevancePanel",
    "Separable",
    "TradeoffRow",
    "agreement_chart",
    "check_chart_file",
    "check_chart_kind",
    "comparison_chart",
    "consensus_chart",
    "contributions_chart",
    "correlation_charts",
    "curve_chart",
    "estimates_chart",
    "evaluation_chart",
    "forest_chart",
    "heads_chart",
    "heat_map",
    "left_out_chart",
    "metric_agreement_chart",
    "relevance_map",
    "relevance_maps",
    "save_chart",
    "scatter_chart",
    "selection_chart",
    "semantic_map_chart",
    "separated_chart",
    "separation_chart",
    "strip_chart",
    "term_matrix_chart",
    "text_relevance_chart",
    "tradeoff_chart",
]
