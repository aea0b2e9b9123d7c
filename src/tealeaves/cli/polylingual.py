"""Training a polylingual model: a run that is saved on the way, and gone on with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.options import paired_of
from tealeaves.errors import InputError
from tealeaves.files import check_writable, remove_leftovers
from tealeaves.jobs import stop_signal

if TYPE_CHECKING:
    from tealeaves.models.polylingual.model import PolylingualModel
    from tealeaves.models.polylingual.texts import PolylingualTexts
    from tealeaves.models.polylingual.training import Progress
    from tealeaves.topics.topics import Topics


class Place(NamedTuple):
    """Where the topics go, and where the run is kept until they are there."""

    output: Path
    partial: Path

    @classmethod
    def of(cls, given: dict[str, Any], output: str) -> Place:
        """Look what is there; refuse to begin anew where nobody said so."""
        if given["resume"] and given["restart"]:
            raise click.UsageError("give either --resume or --restart")
        place = cls(Path(output), Path(output + ".partial"))
        check_writable(place.partial)
        if place.partial.exists() and not (given["resume"] or given["restart"]):
            raise InputError(
                f"{place.partial} is an unfinished training: --resume to go on, --restart to begin"
            )
        return place

    def is_done(self, model: PolylingualModel, texts: PolylingualTexts) -> bool:
        """Tell whether the topics are there already; those of another training are refused."""
        from tealeaves.topics.reading import read_topics

        if self.partial.exists() or not self.output.exists():
            return False
        if not _made_of(read_topics(self.output), model, texts):
            raise InputError(f"{self.output} holds other topics: --restart replaces them")
        return True


def _made_of(topics: Topics, model: PolylingualModel, texts: PolylingualTexts) -> bool:
    """Tell whether topics are those of this model and these texts."""
    import numpy as np

    from tealeaves.topics.multilingual import MultilingualTopics

    sides = [topics]
    if isinstance(topics, MultilingualTopics):
        sides = list(topics.by_language.values())
    samples = [0 if side.samples is None else len(side.samples) for side in sides]
    said = (topics.model, topics.family, topics.document_ids, tuple(s.tokens for s in sides))
    return (
        said == (model.label, model.family, texts.ids or None, texts.tokens)
        and tuple(side.language for side in sides) == texts.languages
        and set(samples) == {model.settings.samples}
        and topics.document_lengths is not None
        and np.array_equal(topics.document_lengths, texts.lengths.sum(axis=1))
        and tuple(side.vocabulary for side in sides) == texts.vocabularies
        and all(
            side.term_frequency is not None
            and np.array_equal(side.term_frequency, texts.term_frequency(number))
            for number, side in enumerate(sides)
        )
    )


def train_polylingual(model: PolylingualModel, output: str, given: dict[str, Any]) -> Topics | None:
    """Train on the texts of the options, and save; None where that was done before."""
    from tealeaves.models.training import read_tuples

    place = Place.of(given, output)
    corpus, tokens = _texts(given)
    texts = read_tuples(model, corpus, tokens)
    if given["resume"] and place.is_done(model, texts):
        click.echo(f"{place.output} is complete already", err=True)
        return None
    if given["restart"]:
        place.partial.unlink(missing_ok=True)
    for written in place:
        remove_leftovers(written)
    told: list[Progress] = []
    try:
        topics = _run(model, texts, place, given, told)
    except KeyboardInterrupt:
        kept = "nothing was saved yet"
        if place.partial.exists():
            kept = f"{place.partial} keeps what is done, --resume goes on"
        raise KeyboardInterrupt(f"interrupted: {kept}") from None
    topics.save(place.output)
    place.partial.unlink(missing_ok=True)
    if not given["quiet"]:
        click.echo(f"note: {_of_chains(model, told[-1])}", err=True)
    return topics


def _texts(given: dict[str, Any]) -> tuple[Any, Any]:
    """Open the texts, in several languages or in one, and say how they become tokens."""
    paired = paired_of(given)
    if paired is not None:
        return paired, given["tokens"]
    from tealeaves.cli.train import tokens_of

    corpus = shared.open_corpus(given)
    return corpus, tokens_of(corpus, quiet=given["quiet"])


def _run(
    model: PolylingualModel,
    texts: PolylingualTexts,
    place: Place,
    given: dict[str, Any],
    told: list[Progress],
) -> Topics:
    from tealeaves.jobs import processors
    from tealeaves.models.polylingual.training import Running
    from tealeaves.models.training import fit_tuples, sweep_bar

    def tell(progress: Progress) -> None:
        told[:] = [progress]

    with sweep_bar(model, tell, shown=not given["quiet"] and sys.stderr.isatty()) as telling:
        running = Running(
            threads=given["threads"] or processors(),
            partial=place.partial,
            every=given["checkpoint"],
            stop=stop_signal(),
            told=telling,
        )
        return fit_tuples(model, texts, running)


def _of_chains(model: PolylingualModel, progress: Progress) -> str:
    """Say the log-likelihood of each chain, and which is kept."""
    finals = [trace[-1] for trace in progress.traces]
    said = ", ".join(f"{value:.4f}" for value in finals)
    if len(finals) == 1:
        return f"log-likelihood {said} a token"
    best = model.settings.seed + finals.index(max(finals))
    return f"log-likelihoods {said} a token: that of seed {best} is kept"
