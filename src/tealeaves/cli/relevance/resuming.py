"""Relevance that is there already: gone on with, found complete, or not written over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.files import check_writable
from tealeaves.jobs import Job

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.relevance import Relevance
    from tealeaves.evidence.requests import RelevanceRequest
    from tealeaves.text.pipeline import Pipeline

    Run = Callable[..., Relevance]


def check_replaceable(output: str | Path) -> None:
    """Refuse to write over a file that holds no relevance."""
    from tealeaves.evidence.relevance.storage import load_relevance

    check_writable(output)
    if Path(output).exists():
        try:
            load_relevance(output)
        except InputError as error:
            raise InputError(f"{output} exists and holds no relevance: name another") from error


class Standing(NamedTuple):
    """What is there of a run: unfinished relevance to go on with, or finished one; or neither."""

    job: Job
    start: Relevance | None = None
    done: Relevance | None = None

    @classmethod
    def of(cls, job: Job) -> Standing:
        """Look what is there; refuse to replace what nobody said may go."""
        from tealeaves.evidence.relevance.storage import load_relevance

        if job.resumes:
            return cls(job, start=load_relevance(job.partial))
        if job.may_be_complete:
            return cls(job, done=load_relevance(job.output))
        if job.output.exists() and not job.restart:
            raise InputError(f"{job.output} holds relevance already: --restart replaces it")
        return cls(job)

    def check(self, pipeline: Pipeline, request: RelevanceRequest, fingerprint: str) -> None:
        """Refuse relevance of other things than are asked for, before anything is loaded."""
        try:
            for known in (self.start, self.done):
                if known is not None:
                    check_same(known, pipeline, request, fingerprint)
        except EvidenceError as error:
            raise self.other(error) from error

    def is_done(self, run: Run) -> bool:
        """Tell whether all is there already: going on with it then finds no new text."""
        if self.done is None:
            return False

        def refuse(_: Relevance) -> None:
            raise EvidenceError("it lacks texts")

        try:
            run(resume=self.done, checkpoint=refuse, every=0.0)
        except EvidenceError as error:
            raise self.other(error) from error
        return True

    def other(self, error: Exception) -> TealeavesError:
        """Return the error that says that something else is there."""
        if self.done is not None:
            what = f"{self.job.output} holds other relevance: {error} (--restart replaces it)"
            return InputError(what)
        return EvidenceError(f"{self.job.partial} is of another run: {error} (--restart begins)")


def check_same(
    known: Relevance, pipeline: Pipeline, request: RelevanceRequest, fingerprint: str
) -> None:
    """Refuse relevance of other things than are asked for, as far as that is told without texts.

    ``fingerprint`` is that of the classifier, empty where it is not known yet.
    """
    import numpy as np

    made = known.stamp.pipeline
    if made.signature != pipeline.signature:
        now = repr(pipeline)
        others = f"not {now}" if now != made.expression else "of another version"
        raise EvidenceError(f"its tokens are {made.expression}, {others}")
    terms, asked = request.terms_and_positions()
    if known.asked is None or asked is None:
        same = known.asked is asked
    else:
        same = np.array_equal(known.asked, asked)
    if known.terms != terms or not same:
        raise EvidenceError("it is of different words")
    if known.stamp.improved != request.improved:
        there = "with" if known.stamp.improved else "without"
        raise EvidenceError(f"it was gathered {there} Improved LRP")
    if fingerprint and known.stamp.weights != fingerprint:
        raise EvidenceError(f"it is of another classifier, {known.stamp.classifier}")
