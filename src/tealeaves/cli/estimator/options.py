"""Options that the commands of estimators share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, SOURCES, option

if TYPE_CHECKING:
    from tealeaves.topics.topics import Topics


class TopicOptions(NamedTuple):
    """How files of topics are read."""

    languages: str | None = None
    separator: str | None = None

    def read(self, files: tuple[str, ...]) -> list[Topics]:
        """Read the topics that are named on the command line."""
        return shared.read_topic_files(files, self.separator, self.languages)


topic_options = shared.OptionFamily(
    "reading", TopicOptions, shared.languages_option, shared.separator_option
)

source_options = shared.OptionFamily(
    "given", shared.SourceOptions, shared.counts_option, shared.crosslingual_options
)


class PredictOptions(NamedTuple):
    """What estimates, from how many words, and the level of intervals."""

    estimator: str | None
    top: int
    level: float

    @property
    def files(self) -> list[str]:
        """The file that is read, if there is one."""
        return [self.estimator] if self.estimator else []


predict_options = shared.OptionFamily(
    "chosen",
    PredictOptions,
    option(
        "--estimator",
        heading=SOURCES,
        metavar="FILE",
        help="Estimators of `tealeaves estimator fit`. Default: those of tealeaves.",
    ),
    option(
        "--top",
        heading=METRICS,
        type=click.IntRange(min=1),
        default=10,
        help="How many first words of each topic are judged.",
    ),
    shared.level_option(
        METRICS,
        0.9,
        "SHARE",
        "About which share of intervals hold the target, in a language that was not learned from.",
    ),
)
