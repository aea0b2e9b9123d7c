"""What commands do with a result: save it, draw it, put it into a report, and print it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.cli import report_files
from tealeaves.cli.options import (
    OptionFamily,
    check_not_input,
    files_options,
    format_option,
    quiet_option,
    wants_progress,
)
from tealeaves.errors import InputError
from tealeaves.printing import echo, echo_styled, print_note
from tealeaves.tables.terminal import PIPE_WIDTH, output_format, print_result

if TYPE_CHECKING:
    from tealeaves.evidence.dictionaries import Dictionaries
    from tealeaves.metrics.scores import Scores
    from tealeaves.tables.tidy import Tidy
    from tealeaves.topics.topics import Topics


def show_scores(scores: Scores, form: str | None, *, by_topic: bool, quiet: bool) -> None:
    """Print the scores of models, or those of topics too."""
    print_result(scores if by_topic else scores.models, form, quiet=quiet)


class OutputOptions(NamedTuple):
    """Where a result is written, and how it is printed."""

    form: str | None = None
    output: str | None = None
    plot: str | None = None
    quiet: bool = False

    @property
    def progress(self) -> bool:
        """Whether progress is shown."""
        return wants_progress(quiet=self.quiet)

    def check(self, inputs: Iterable[str], report: report_files.ReportFiles | None = None) -> None:
        """Raise, before any work is done, for files that cannot be written."""
        files = list(inputs)
        if self.output:
            from tealeaves.tables.tidy import check_savable

            check_savable(self.output)
            check_not_input(self.output, files)
        if self.plot:
            from tealeaves.report.charts import check_chart_file

            check_chart_file(self.plot)
            check_not_input(self.plot, files)
        if self.plot and self.plot == self.output:
            raise InputError(f"{self.plot}: both the rows and the chart would be written there")
        if report is not None:
            report.check(files, others=(self.output, self.plot))

    def show(
        self,
        result: Tidy,
        chart: Callable[[], Any],
        *,
        pairs: Tidy | None = None,
        write_report: Callable[[], None] | None = None,
    ) -> None:
        """Save, draw and print a result; it is printed even if a file cannot be written.

        A table of ``pairs`` is printed below that of the result; in other formats, and in files, it
        is written instead of the result.
        """
        try:
            if self.output:
                (result if pairs is None else pairs).save(self.output)
            if self.plot:
                from tealeaves.report.charts import save_chart

                save_chart(chart(), self.plot)
            if write_report is not None:
                write_report()
        finally:
            _print_with_pairs(result, pairs, output_format(self.form), quiet=self.quiet)


output_options = OptionFamily("out", OutputOptions, format_option, files_options, quiet_option)


def _print_with_pairs(result: Tidy, pairs: Tidy | None, form: str, *, quiet: bool) -> None:
    if pairs is None:
        print_result(result, form, quiet=quiet)
    elif form != "table":
        print_result(pairs, form, quiet=quiet)
    else:
        print_result(result, form, quiet=quiet)
        echo()
        print_result(pairs, form, quiet=True)


def show_side_by_side(
    models: Sequence[Topics],
    scores: Scores,
    dictionaries: Dictionaries | None,
    form: str | None,
    *,
    quiet: bool,
) -> None:
    """Print topics side by side; in formats other than a table, one row per topic and model."""
    from tealeaves.metrics.crosslingual.side_by_side import side_by_side

    result = side_by_side(models, scores, dictionaries)
    if output_format(form) != "table":
        print_result(result, form, quiet=quiet)
        return
    terminal = sys.stdout.isatty()
    text = result.to_terminal(None if terminal else PIPE_WIDTH, colors=terminal)
    echo_styled(text, nl=False)
    for note in [] if quiet else result.notes:
        print_note(note)
