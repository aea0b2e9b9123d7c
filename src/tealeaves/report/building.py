"""From findings to the page of a report."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.report.run.findings import Findings
from tealeaves.report.run.soundness import sound_text
from tealeaves.report.sections.between import between
from tealeaves.report.sections.crosslingual import crosslingual
from tealeaves.report.sections.extremes import extremes
from tealeaves.report.sections.parts import Page
from tealeaves.report.sections.people import people
from tealeaves.report.sections.provenance import provenance
from tealeaves.report.sections.selection import selection
from tealeaves.report.sections.strips import strips
from tealeaves.report.sections.terms import terms
from tealeaves.report.sections.verdict import verdict
from tealeaves.report.sections.wording import isolated, listed

_SUBTITLE = "How good these topics are, and how far the numbers can be trusted"
# in the order in which they are read
_SECTIONS = (selection, verdict, strips, extremes, crosslingual, terms, between, people)


def page_of(found: Findings, *, title: str | None = None, command: Sequence[str] = ()) -> Page:
    """Put the sections together that there is something to say in."""
    sections = [section for make in _SECTIONS if (section := make(found)) is not None]
    sections.append(provenance(found, [sound_text(one) for one in command]))
    return Page(
        sound_text(title) if title else _title(found),
        _SUBTITLE,
        sections,
        made=max((made.date for made in found.made), default=""),
        facts=_facts(found),
    )


def _title(found: Findings) -> str:
    names = [isolated(model.name) for model in found.models]
    return f"Topics of {listed(names, 3)}" if names else "Report on topics"


def _facts(found: Findings) -> list[tuple[str, str]]:
    topics = sum(len(model.topics) for model in found.models)
    facts = [
        ("Models", f"{len(found.models):,}"),
        ("Topics", f"{topics:,}"),
        ("Metrics", f"{len(found.metrics):,}"),
    ]
    languages = list(dict.fromkeys(name for m in found.models for name in m.languages))
    return [*facts, *([("Languages", listed(languages))] if len(languages) > 1 else [])]
