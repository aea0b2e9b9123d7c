"""``Run``: all that one command found, as plain records."""

from __future__ import annotations

from typing import Literal

import msgspec

from tealeaves.consensus.explanations import Explanation
from tealeaves.judgments.comparison.comparison import Design, Pair, Summary, UnitValue
from tealeaves.judgments.correlation.plan import CorrelationPlan
from tealeaves.judgments.correlation.result import Correlation
from tealeaves.metrics.crosslingual.side_by_side import SideBySideTopic
from tealeaves.metrics.scores import Score


class JudgedTopic(msgspec.Struct, frozen=True):
    """The first words of a topic, their weights, and its documents, where these are known."""

    id: int | str
    words: list[str]
    weights: list[float] | None = None
    documents: int | None = None


class JudgedModel(msgspec.Struct, frozen=True):
    """A model and its topics; of several languages the words stand in turn."""

    name: str
    topics: list[JudgedTopic]
    languages: list[str] = []
    family: str = ""
    tokens: str = ""


class MetricFacts(msgspec.Struct, frozen=True):
    """What a metric declares, kept because a plug-in may be gone when the report is made."""

    summary: str
    better: str
    low: float
    high: float
    level: str
    cite: str


class Made(msgspec.Struct, frozen=True):
    """How a run was made: the command, when, and with which packages."""

    command: list[str] = []
    date: str = ""
    packages: dict[str, str] = {}


class ScoresRecord(msgspec.Struct, frozen=True):
    """The rows of scores, what metrics declare, odd words, and notes."""

    rows: list[Score]
    better: dict[str, str]
    facts: dict[str, MetricFacts] = {}
    marked: list[tuple[str, int | str | None, list[str]]] = []
    notes: list[str] = []


class ComparisonRecord(msgspec.Struct, frozen=True):
    """A comparison of models, by metrics or by people's judgments."""

    of: Literal["metrics", "people"]
    pairs: list[Pair]
    summary: list[Summary]
    design: Design
    better: dict[str, str]
    units: list[UnitValue] = []
    notes: list[str] = []


class ExplanationsRecord(msgspec.Struct, frozen=True):
    """What consensus says of topics."""

    rows: list[Explanation]
    level: float
    top: int | None
    notes: list[str] = []


class MatchedRecord(msgspec.Struct, frozen=True):
    """What metrics and people say of the same topics, of one data set and task."""

    dataset: str
    task: str
    by: str
    models: list[str]
    topics: list[str]
    human: list[float]
    scores: dict[str, list[float]]
    words: list[list[str]]
    classes: bool = False
    model: str = ""


class PeopleRecord(msgspec.Struct, frozen=True):
    """How metrics agree with people."""

    rows: list[Correlation]
    parts: list[MatchedRecord]
    better: dict[str, str]
    plan: CorrelationPlan
    notes: list[str] = []


class CandidateRun(msgspec.Struct, frozen=True):
    """One trained model of a grid."""

    label: str
    seed: int
    values: dict[str, float]
    support: dict[str, float]


class CandidateRecord(msgspec.Struct, frozen=True):
    """The runs of a model with one number of topics."""

    kind: str
    k: int
    family: str
    runs: list[CandidateRun]


class SelectionRecord(msgspec.Struct, frozen=True):
    """What the models of a grid scored."""

    candidates: list[CandidateRecord]
    better: dict[str, str]
    weight: str | None
    tokens: str
    notes: list[str] = []


class BesideRecord(msgspec.Struct, frozen=True):
    """Topics in several languages side by side."""

    rows: list[SideBySideTopic]
    metrics: list[str]
    better: dict[str, str]
    marked: str = ""
    judged: str = ""
    notes: list[str] = []


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What one command found; what it did not look for is None."""

    made: Made
    models: list[JudgedModel] = []
    scores: ScoresRecord | None = None
    comparison: ComparisonRecord | None = None
    explanations: ExplanationsRecord | None = None
    people: PeopleRecord | None = None
    selection: SelectionRecord | None = None
    beside: BesideRecord | None = None
