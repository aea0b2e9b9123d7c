"""The content of the files in ``released``: one of each format and version of tealeaves.

A file of a released version stays there for good. ``python -m tests.formats.released`` writes those
of current versions that are not there yet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tealeaves.artifacts import Artifact
from tealeaves.consensus.predictors import EmbeddingScale, Predictors, open_predictors
from tealeaves.consensus.relations import Moments
from tealeaves.estimator.estimators import Estimators, open_estimators
from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.relevance import PairSums, Relevance, TextSums, of_chunk
from tealeaves.evidence.attention.relevance_file import RELEVANCE, load_relevance, save_relevance
from tealeaves.evidence.counts import (
    COUNTS,
    Counts,
    PipelineStamp,
    Totals,
    load_counts,
    save_counts,
)
from tealeaves.evidence.requests import Term
from tealeaves.evidence.units import Unit
from tealeaves.lexicon.annotation.sample import (
    Sample,
    SampledLemma,
    SampledToken,
    SamplePlan,
    read_sample,
)
from tealeaves.lexicon.extraction.result import (
    VERSION as EXTRACTION_VERSION,
)
from tealeaves.lexicon.extraction.result import (
    Extraction,
    Token,
    read_extraction,
    save_extraction,
)
from tealeaves.metrics.scores import Score, Scores
from tealeaves.models.polylingual.checkpoint import TRAINING, TrainingDescription, TrainingStamp
from tealeaves.models.selection.folder import MANIFEST, SelectionFolder, SelectionManifest
from tealeaves.report.run.files import VERSION as RUN_VERSION
from tealeaves.report.run.files import read_run, result_json, save_run
from tealeaves.report.run.run import Analysis, JudgedModel, Run, RunOrigin
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.topics import MultilingualTopics, Topics, read_topics
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.formats.canonical import TOPICS, TopicsFile, arrays_of_topics
from tealeaves.topics.topics import Topic
from tests.estimator.made import estimators_of, linear

FOLDER = Path(__file__).parent / "released"


@dataclass(frozen=True)
class Kept:
    """A file: its name, how its content is read and written, and what it is.

    ``plain`` makes of the content what can be compared.
    """

    name: str
    read: Callable[[Path], Any]
    write: Callable[[Any, Path], Any]
    content: Callable[[], Any]
    plain: Callable[[Any], Any] = repr

    def is_content(self, found: Any) -> bool:
        """Tell whether what was found is the content of the file, number by number."""
        return bool(self.plain(found) == self.plain(self.content()))


_TOKENS = (
    "tokens(lower=false,digits=true,stopwords=none,lemmas=none,min_length=1,min_tokens=0,"
    "html=false,language=none)"
)


def counts() -> Counts:
    """Return counts of three texts: a b, a b c, c."""
    a, b, c = (Term((word,)) for word in "abc")
    return Counts(
        unit=Unit(),
        pipelines={"": PipelineStamp("tokens", _TOKENS)},
        fingerprint=Fingerprint({"source": ((0, 3),)}, {"source": 12345678901234567890}),
        totals=Totals(units=3, tokens=6, documents=3),
        terms=(a, b, c),
        singles=np.array([2, 2, 2]),
        pairs=np.array([[0, 1], [0, 2], [1, 2]]),
        pair_counts=np.array([2, 1, 1]),
        sets=((0, 1, 2),),
        set_counts=np.array([1]),
    )


def _plain_counts(found: list[Counts]) -> Any:
    return [
        (
            *(str(one.unit), one.pipelines, one.fingerprint, one.totals, one.terms, one.sets),
            *(array.tolist() for array in (one.singles, one.pairs, one.pair_counts)),
            one.set_counts.tolist(),
        )
        for one in found
    ]


def relevance() -> Relevance:
    """Return the relevance of two texts, of a network of one layer and two heads."""
    stamp = RelevanceStamp(
        "toy", "0123456789abcdef", "probe", 32, 1, 2, "predicted", "1",
        PipelineStamp("words", "words|v:1"),
    )  # fmt: skip
    sample = HeadStatistics(2, np.array([[0.5, 1.5]]), np.array([[0.25, 0.75]]))
    terms = (Term(("a",)), Term(("b",)))
    frame = Frame(stamp, terms, np.array([[0, 1]]), sample, FixedHeads.of(sample))
    return of_chunk(
        frame,
        Fingerprint({"source": ((0, 2),)}, {"source": 42}),
        RelevanceTotals(documents=3, without=1, used=2),
        sample,
        PairSums(
            np.array([1, 2]),
            np.array([2, 1]),
            np.array([[[0.5, 0.25]], [[0.125, 1.0]]]),
            np.array([[[-0.5, 1.5]], [[0.25, -2.0]]]),
            np.array([[[0, 2]], [[1, 0]]]),
        ),
        TextSums(
            np.array([0, 2, 3]),
            np.array([1, 2, 1]),
            np.array([[0.5, 1.0, 0.25], [1.0, -2.0, 0.5], [0.25, 0.5, 0.75]]),
            np.array([1, 1, 1]),
            np.array([1, 0, 1]),
        ),
    )


def topics() -> Topics:
    """Return topics with all that a model may know."""
    return Topics(
        (Topic(0, ("cat", "dog"), (0.5, 0.25), 1), Topic("food", ("soup",), (1.0,), 1)),
        model="lda",
        language="en",
        vocabulary=("cat", "dog", "soup"),
        topic_word=np.array([[0.5, 0.5, 0.0], [0.0, 0.125, 0.875]]),
        document_topic=np.array([[1.0, 0.0], [0.25, 0.75]]),
        best_topic=np.array([0, 1], np.int32),
        document_ids=("one", "two"),
        document_lengths=np.array([2, 3]),
        term_frequency=np.array([2, 1, 2]),
        assignments=Assignments.of([[0, 0], [1, 0, 1]], words=[[0, 1], [2, 0, 2]]),
        samples=np.array([[[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]]),
        family="lda(k=2)",
        tokens="words",
    )


def multilingual() -> MultilingualTopics:
    """Return topics in two languages."""
    sides = {"en": Topics.of([["cat"], ["soup"]]), "es": Topics.of([["gato"], ["sopa"]])}
    return MultilingualTopics.of_languages(
        sides, model="pltm", document_languages=np.array([[True, False], [True, True]])
    )


def _plain_topics(found: Topics) -> Any:
    arrays = {name: array.tolist() for name, array in arrays_of_topics(found).items()}
    return found, arrays


def training() -> Artifact[TrainingDescription]:
    """Return what a checkpoint of a training has: only its own version goes on from it."""
    stamp = TrainingStamp(
        model="pltm(k=2)", corpus="3#42", tokens=("words",), languages=("en", "es"), tealeaves="0"
    )
    arrays = {"now/topics": np.array([0, 1, 1], np.int32), "now/beta": np.array([0.5, 0.25])}
    return Artifact(TrainingDescription(stamp, [[-7.5, -7.25]], None), arrays)


def _plain_artifact(found: Artifact[Any]) -> Any:
    return found.content, {name: array.tolist() for name, array in found.arrays.items()}


def run() -> Run:
    """Return a run of one model with one metric."""
    scores = [
        Score("lda", 0, "npmi@10", 0.5, 1.0, "npmi@10|texts=3#42", None),
        Score("lda", None, "npmi@10", 0.25, 0.5, "npmi@10|texts=3#42", 0.125),
    ]
    return Run(
        origins=[RunOrigin(["tealeaves", "score"], "2030-01-01", {"numpy": "2"})],
        analysis=Analysis(untested="one model"),
        models=[JudgedModel("lda", [Topic(0, ("cat", "dog"))])],
        scores=Scores(scores, better={"npmi@10": "higher"}),
    )


def estimators() -> Estimators:
    """Return one estimator: a line."""
    return estimators_of(linear({"cnpmi": 0.5, "twc_pivot": 0.125}, 0.25), made_with="0")


def predictors() -> Predictors:
    """Return predictors without any: the scales of an embedding."""
    scale = EmbeddingScale("0123", Moments(0.25, 0.125))
    return Predictors(made_with="0", source="made up", embeddings={"toy": scale}, predictors=())


def sample() -> Sample:
    """Return a sample of one lemma."""
    token = SampledToken("GEN 1:1", 3)
    return Sample(
        source="en",
        targets={"fi": "test"},
        plan=SamplePlan(lemmas=1, tokens=1),
        source_tokens=1000,
        passages=40,
        shared=30,
        lemmas=(SampledLemma(lemma="hand", pos="N", count=7, per_million=7000.0, tokens=(token,)),),
    )


def extraction() -> Extraction:
    """Return how two tokens are expressed."""
    tokens = (
        Token(frozenset(["kä", "#ä"]), (0, 2), 0.25, "hand", "GEN 1:1", 1),
        Token(lemma="hand", key="GEN 1:2", place=0),
    )
    passages = {"GEN 1:1": (["the", "hand"], ["kä", "x", "ä"]), "GEN 1:2": (["hand"], ["y"])}
    return Extraction("en", "fi", "l", "{}", tokens, passages, 2)


def _plain_extraction(found: Extraction) -> Any:
    return repr(found), repr(found.tokens), found.passages, found.shared, found.signature


def manifest() -> SelectionManifest:
    """Return the manifest of a selection of two models."""
    return SelectionManifest(
        corpus="3#42", tokens="words", models={"lda-2": "lda(k=2)"}, files=["lda-2.topics"],
        packages={"tomotopy": "0.13"}, tealeaves="0",
    )  # fmt: skip


def _read_manifest(path: Path) -> SelectionManifest | None:
    return SelectionFolder(path.parent).manifest()


def _write_manifest(content: SelectionManifest, path: Path) -> None:
    SelectionFolder(path.parent).begin(content, restart=False)


def _save_training(content: Artifact[TrainingDescription], path: Path) -> None:
    TRAINING.save(path, content.content, content.arrays)


_JSON = TopicsFile([]).version

FILES = (
    Kept(f"counts-{COUNTS.version}.counts", load_counts, save_counts, lambda: [counts()],
         _plain_counts),
    Kept(f"relevance-{RELEVANCE.version}.relevance", load_relevance, save_relevance, relevance,
         lambda found: found == relevance()),
    Kept(f"topics-{TOPICS.version}.topics", read_topics, Topics.save, topics, _plain_topics),
    Kept(f"topics-{_JSON}.json", read_topics, Topics.save, topics, _plain_topics),
    Kept(f"languages-{TOPICS.version}.topics", read_topics, Topics.save, multilingual,
         _plain_topics),
    Kept(f"languages-{_JSON}.json", read_topics, Topics.save, multilingual, _plain_topics),
    Kept(f"training-{TRAINING.version}.partial", TRAINING.load, _save_training, training,
         _plain_artifact),
    Kept(f"run-{RUN_VERSION}.run", read_run, save_run, run, result_json),
    Kept(f"estimators-{Estimators.file_format[1]}.json", open_estimators, Estimators.save,
         estimators, msgspec.json.encode),
    Kept(f"predictors-{Predictors.file_format[1]}.json", open_predictors, Predictors.save,
         predictors, msgspec.json.encode),
    Kept(f"sample-{sample().version}.json", read_sample, Sample.save, sample),
    Kept(f"extraction-{EXTRACTION_VERSION}.jsonl.gz", read_extraction, save_extraction, extraction,
         _plain_extraction),
    Kept(f"selection-1/{MANIFEST}", _read_manifest, _write_manifest, manifest),
)  # fmt: skip

if __name__ == "__main__":
    for file in FILES:
        target = FOLDER / file.name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            file.write(file.content(), target)
