"""The pages of metrics, from their declarations and their measured agreement with people."""

from __future__ import annotations

import html
import inspect
import re
from typing import NamedTuple

from people_results import Measured, measured, why_not_measured

from tealeaves.expressions import format_value
from tealeaves.metrics.base import Metric, bounds_text
from tealeaves.metrics.registry import METRICS
from tealeaves.topics.topics import Topics


def metric_page(metric: Metric) -> str:
    """Write the page of one metric."""
    parts = [
        # the theme writes these into the head of the page unescaped
        f"---\ntitle: {metric.name}\ndescription: >-\n  {html.escape(metric.summary)}\n---",
        f"# {code(metric.name)}",
        f"{plain(metric.summary[:1].upper() + metric.summary[1:])}.\n{{: .lead }}",
        _facts(metric),
        _formula(getattr(metric, "formula", "")),
        f"## What it computes\n\n{paragraphs(metric.details)}" if metric.details else "",
        _misleads(getattr(metric, "misleads", "")),
        _written(metric),
        _parameters(metric),
        _people(metric),
        _origin(metric),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(metric: Metric) -> str:
    judges = "topics and models" if metric.level == "topic" else "whole models"
    facts = {
        "Better": "↑ higher" if metric.better == "higher" else "↓ lower",
        "Values": bounds_text(*metric.bounds),
        "Judges": judges + (", across languages" if metric.crosslingual else ""),
        "Needs": metric.source,
    }
    if metric.aliases:
        facts["Also called"] = ", ".join(metric.aliases)
    rows = "".join(
        f"<div><dt>{name}</dt><dd>{html.escape(text)}</dd></div>" for name, text in facts.items()
    )
    return f'<dl class="facts" data-search-exclude>{rows}</dl>'


def _formula(formula: str) -> str:
    if not formula:
        return ""
    return f'## Formula\n\n<div class="formula" data-search-exclude>{mathml(formula)}</div>'


def _misleads(text: str) -> str:
    if not text:
        return ""
    quoted = paragraphs(text).replace("\n", "\n    ")
    return f'## When it misleads\n\n!!! warning ""\n    {quoted}'


def _written(metric: Metric) -> str:
    return "\n\n".join(
        [
            "## How to write it",
            f"On the command line, as {code(usual_expression(metric))}:",
            f"```sh\n{example_command(metric)}\n```",
            "In Python:",
            f"```py\n{example_code(metric)}\n```",
            f"{example_sources(metric).note} With all parameters, as in signatures, it is "
            f"{code(metric.signature)}.",
        ]
    )


def _parameters(metric: Metric) -> str:
    if not metric.parameters:
        return "## Parameters\n\nNone."
    rows = [
        f"| {code(one.name)} | {code(format_value(one.default))} "
        f"| {cell(one.allowed)} | {cell(one.meaning)} |"
        for one in metric.parameters
    ]
    head = "| name | default | may be | meaning |\n|---|---|---|---|\n"
    return "## Parameters\n\n" + head + "\n".join(rows)


def _people(metric: Metric) -> str:
    """Show the agreement with people, or say that it was not measured."""
    rows = measured(metric.name)
    title = "## Does it agree with people?"
    if not rows:
        return f"{title}\n\n{_not_measured(metric)}"
    said = (
        "Our measurements: correlation with people's mean scores, with 95 % intervals. "
        "[Every metric against people](../benchmarks/people.md) explains the sets and the method."
    )
    if metric.better == "lower":
        said += " Lower values of this metric are better, so coefficients should be negative."
    as_declared = [row for row in rows if row.metric == metric.name]
    others = [row for row in rows if row.metric != metric.name]
    if not as_declared:
        return f"{title}\n\n{said}\n\n{_table(others)}"
    shown = f"{title}\n\n{said}\n\n{_table(as_declared)}"
    if not others:
        return shown
    folded = _table(others).replace("\n", "\n    ")
    return f'{shown}\n\n??? note "With other parameters"\n\n    {folded}'


def _not_measured(metric: Metric) -> str:
    why = why_not_measured(metric.name)
    said = "We did not measure how well it agrees with people" + (f": {cell(why)}." if why else ".")
    if metric.crosslingual:
        where = "../benchmarks/people.md#across-languages"
        said += f" [The table of all metrics]({where}) has the numbers that its authors released."
    else:
        said += " [One table](../benchmarks/people.md) has all metrics that we measured."
    return said


def _table(rows: list[Measured]) -> str:
    head = (
        "| metric | from | people | by | n | Pearson | Spearman |\n|---|---|---|---|--:|---|---|\n"
    )
    return head + "\n".join(
        f"| {code(row.metric)} | {cell(row.evidence)} | {row.people} | {row.by} | {row.n} "
        f"| {row.pearson} | {row.spearman} |"
        for row in rows
    )


def _origin(metric: Metric) -> str:
    family = family_of(metric)
    guide = f"\n\nMore: [{family.title}](../{family.guide})." if family.guide else ""
    return f"## Citation\n\n{plain(metric.cite)}.{guide}"


# ---------------------------------------------------------------------- the index


def index_page() -> str:
    """Write the page that lists all metrics."""
    metrics = METRICS.values()
    parts = [
        "---\ntitle: All metrics\n---",
        "# All metrics",
        f"Each of the {len(metrics)} metrics has a page with its formula, what it computes, when "
        "it misleads, its parameters, and how well it agrees with people. `tealeaves metrics` "
        "lists them in the terminal. To choose one, see "
        "[every metric against people](../benchmarks/people.md), or start with "
        "[`consensus`](consensus.md).",
    ]
    for family in (*FAMILIES, ELSEWHERE):
        members = [one for one in metrics if family_of(one) == family]
        if members:
            parts.append(_section(family, members))
    return "\n\n".join(parts) + "\n"


def _section(family: Family, members: list[Metric]) -> str:
    guide = f"[Guide](../{family.guide})\n\n" if family.guide else ""
    head = "| metric | what it measures | needs | values |\n|---|---|---|---|\n"
    rows = "\n".join(
        f"| [{code(one.name)}]({one.name}.md) {'↑' if one.better == 'higher' else '↓'} "
        f"| {cell(one.summary)} | {cell(one.source)} | {bounds_text(*one.bounds)} |"
        for one in members
    )
    return f"## {family.title}\n\n{guide}{head}{rows}"


class Family(NamedTuple):
    """A group of metrics, recognised by the module of one of their classes."""

    title: str
    guide: str
    module: str


FAMILIES = (
    Family("Consensus", "consensus.md", "tealeaves.consensus"),
    Family("Coherence by counts", "coherence.md", "tealeaves.metrics.coherence_by_counts"),
    Family("Word vectors", "embeddings.md", "tealeaves.metrics.vectors"),
    Family("Attention and relevance", "relevance.md", "tealeaves.metrics.attention"),
    Family("Topics and runs compared", "metrics.md", "tealeaves.metrics.topic_similarity"),
    Family("Distributions", "metrics.md", "tealeaves.metrics.distributions"),
    Family("Texts and labels", "metrics.md", "tealeaves.metrics.per_text"),
    Family("Estimates from a Bible", "estimator.md", "tealeaves.estimator"),
    Family("Across languages", "crosslingual.md", "tealeaves.metrics.crosslingual"),
    Family("Others", "metrics.md", "tealeaves"),
)
ELSEWHERE = Family("Of other packages", "", "")


def family_of(metric: Metric) -> Family:
    """Return the first family that one of the metric's classes belongs to."""
    if not type(metric).__module__.startswith("tealeaves."):
        return ELSEWHERE
    modules = [kind.__module__ for kind in type(metric).__mro__]
    return next(
        family for family in FAMILIES if any(module.startswith(family.module) for module in modules)
    )


# ---------------------------------------------------------------------- examples

_WORDS = Topics.of([["cat", "dog"], ["bread", "soup"]], model="words")


class ExampleSources(NamedTuple):
    """The sources of an example: for a command, for Python, and a sentence about the files."""

    command: str
    models: str
    texts: str = "None"
    option: str = ""
    note: str = "The files are those of `tealeaves demo --copy`."


_FILE = '"topics/en/good.json"'
_TEXTS = ExampleSources("topics/en/good.json -c en.jsonl", _FILE, '"en.jsonl"')
_LDA_NOTE = (
    "`lda.topics` is a model that [`tealeaves train`](../how-to/train.md) saved; those of "
    "[other libraries](../topics.md) work too."
)
_LDA = ExampleSources("lda.topics", '"lda.topics"', note=_LDA_NOTE)
_LDA_AND_TEXTS = ExampleSources(
    "lda.topics -c en.jsonl", '"lda.topics"', '"en.jsonl"', note=_LDA_NOTE
)
_SAMPLES_NOTE = (
    "`--samples 10` of [`tealeaves train`](../how-to/train.md) keeps samples of the chain."
)
_BOTH_NOTE = "`both.topics` is [a model in two languages](../how-to/crosslingual.md)."
_BOTH = ExampleSources(
    "both.topics -c en=en.jsonl -c es=es.jsonl",
    '"both.topics"',
    '{"en": "en.jsonl", "es": "es.jsonl"}',
    note=_BOTH_NOTE,
)

#: the sources by a part of the metric's ``source``; the first match counts
_BY_SOURCE = {
    "relevance in a classifier": ExampleSources(
        "topics/en/good.json --relevance en.relevance",
        _FILE,
        option=', relevance="en.relevance"',
        note="`en.relevance` is made by [`tealeaves relevance gather`](../how-to/relevance.md).",
    ),
    "matrix of each language": _BOTH,
    "linked documents": _BOTH,
    "a dictionary": ExampleSources(
        "both.topics --dictionary en-es.txt",
        '"both.topics"',
        option=', dictionary="en-es.txt"',
        note=f"{_BOTH_NOTE} A dictionary has two words per line.",
    ),
    "vectors of words, phi": _LDA._replace(
        command="lda.topics -e wordllama", option=', embeddings="wordllama"'
    ),
    "vectors of words": ExampleSources(
        "topics/en/good.json -e wordllama", _FILE, option=', embeddings="wordllama"'
    ),
    "several runs": ExampleSources(
        "run1.topics run2.topics",
        '["run1.topics", "run2.topics"]',
        note="Runs are models that [`tealeaves train`](../how-to/train.md) saved with other seeds.",
    ),
    "labels": _LDA_AND_TEXTS,
    "model's own pass": _LDA_AND_TEXTS,
    "matrix; counts": _LDA_AND_TEXTS,
    "matrix": _LDA,
    "samples of one chain": _LDA._replace(note=_SAMPLES_NOTE),
    "counts": _TEXTS,
    "texts": _TEXTS,
    "topics' words": ExampleSources("topics/en/good.json", _FILE),
}


def example_sources(metric: Metric) -> ExampleSources:
    """Return the sources for a metric; by default, texts."""
    matches = (one for words, one in _BY_SOURCE.items() if words in metric.source)
    return next(matches, _TEXTS)


def usual_expression(metric: Metric) -> str:
    """Write the usual expression of a metric: with ten words, if it judges words."""
    ten = metric @ 10
    refused = ten.lack_of_words
    whole = ten.top is None or (refused and ten.lacks(_WORDS) == refused)
    return str(metric if whole or "matrix" in metric.source else ten)


def example_command(metric: Metric) -> str:
    """Write a command that computes it."""
    return f'tealeaves score {example_sources(metric).command} -m "{usual_expression(metric)}"'


def example_code(metric: Metric) -> str:
    """Write Python code that computes it."""
    one = example_sources(metric)
    text = usual_expression(metric)
    return (
        "import tealeaves\n\n"
        f'scores = tealeaves.score({one.models}, {one.texts}, "{text}"{one.option})'
    )


# ---------------------------------------------------------------------- formulas

_STEP = re.compile(
    r"\\begin\{|\\end\{|\\left(?![a-z])|\\right(?![a-z])|\\[{}]|[{}]|,\s*\\q?quad(?![a-z])"
)
# \begin{ opens an environment and a brace; \end{ closes the environment and opens a brace
_DEEPER = {r"\begin{": 2, r"\left": 1, "{": 1, r"\right": -1, "}": -1}


def mathml(latex: str) -> str:
    r"""Return the MathML of a formula; ``,\quad`` starts a new line."""
    from latex2mathml.converter import convert

    return "".join(convert(line, display="block") for line in formula_lines(latex))


def formula_lines(latex: str) -> list[str]:
    r"""Split a formula into lines at ``,\quad``, except inside braces and environments.

    >>> formula_lines(r"\frac{a}{b},\quad a = \begin{cases} 1, \quad x \\ 2 \end{cases}")
    ['\\frac{a}{b},', 'a = \\begin{cases} 1, \\quad x \\\\ 2 \\end{cases}']
    """
    parts: list[str] = []
    start = depth = 0
    for step in _STEP.finditer(latex):
        if depth == 0 and step[0].startswith(","):
            parts.append(latex[start : step.start() + 1].strip())
            start = step.end()
        depth += _DEEPER.get(step[0], 0)
    return [*parts, latex[start:].strip()]


# ---------------------------------------------------------------------- plain text in Markdown

_SIGNS = re.compile(r"([\\*_\[\]{}#|!])")
_CODE = re.compile(r"(`[^`\n]+`)")


def plain(text: str) -> str:
    """Escape text so that Markdown shows it unchanged; code in backticks stays code.

    >>> plain("c_v(never=0) < 1, see `c_v`")
    'c\\\\_v(never=0) &lt; 1, see `c_v`'
    """
    parts = _CODE.split(text)
    return "".join(p if n % 2 else _escaped(p) for n, p in enumerate(parts))


def paragraphs(text: str) -> str:
    """Return text as paragraphs, with a leading "Defaults:" in bold."""
    parts = re.split(r"\n\s*\n|\n(?=Defaults: )", inspect.cleandoc(text))
    lines = (plain(" ".join(one.split())) for one in parts)
    return "\n\n".join(re.sub(r"^(Defaults:)", r"**\1**", one) for one in lines)


def cell(text: str) -> str:
    """Return text for a cell of a table."""
    return plain(" ".join(text.split()))


def code(text: str) -> str:
    """Return text as code, in a line or a cell."""
    return f"<code>{html.escape(text).replace('|', '&#124;')}</code>"


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\1", html.escape(text, quote=False))
