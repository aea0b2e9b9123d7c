"""The sets that people judged, and the models whose topics they are.

Topics of a set are scored by as many words as people saw; the same topics judged with other numbers
of words are sets of their own.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from benchmarks.folders import data_folder
from tealeaves.judgments import Judgments, read_judgments
from tealeaves.topics.topics import Topics

OWN_FILE = "20newsgroups/processed_idsplit.jsonl.gz"
WIKIPEDIA_FILE = "wikipedia_en_2014_sample/articles.jsonl.gz"


class Material(NamedTuple):
    """Topics that are scored together: the folder they are in, and by how many words."""

    folder: str
    words: int

    @property
    def models(self) -> list[Topics]:
        """The models of the judged topics."""
        return models_of(self.folder)


class PeopleSet(NamedTuple):
    """Judgments of one kind on the topics of one folder.

    ``answers`` is the file with the answers of each person, where the topics have only means;
    ``models`` says whether there are models enough to be compared, ``own`` whether the texts that
    the topics were made of are available.
    """

    name: str
    title: str
    said: str
    material: Material
    task: str
    answers: str = ""
    own: bool = False
    models: bool = False
    main: bool = True

    @property
    def judgments(self) -> Judgments:
        """What people said, on average or each."""
        return judgments_of(f"{self.material.folder}/topics.jsonl.gz").of_tasks([self.task])

    @property
    def single_answers(self) -> Judgments | None:
        """What each person said, for the ceilings; nothing where only means are known."""
        if self.answers:
            return judgments_of(self.answers).of_tasks([self.task])
        return self.judgments if self.own else None


_HOYLE = "hoyle2021/annotations_all.tsv.gz"
_LAU = "how coherent the first {} words are, 1 to 3, means of several people"


def _lau(words: int, *, main: bool = False) -> PeopleSet:
    material = Material("lau_baldwin2016", words)
    name, task = f"lau_baldwin2016_top{words}", f"rating_top{words}"
    return PeopleSet(name, "Wikipedia, ratings", _LAU.format(words), material, task, main=main)


SETS = (
    PeopleSet(
        "khodorchenko2022",
        "20 Newsgroups",
        "can a common topic be named for these 15 words? Four answers, about six people per topic",
        Material("khodorchenko2022", 15),
        "votes",
        own=True,
        models=True,
    ),
    PeopleSet(
        "hoyle2021_ratings",
        "Wikitext, ratings",
        "how related ten words are, 1 to 3, 15 people per topic",
        Material("hoyle2021", 10),
        "ratings",
        _HOYLE,
    ),
    PeopleSet(
        "hoyle2021_intrusion",
        "Wikitext, intrusion",
        "which of six words does not belong? The share of 26 people who found it",
        Material("hoyle2021", 10),
        "intrusion",
        _HOYLE,
    ),
    _lau(10, main=True),
    _lau(5),
    _lau(15),
    _lau(20),
)
MAIN = tuple(one for one in SETS if one.main)
FURTHER = tuple(one for one in SETS if not one.main)
MATERIALS = tuple(dict.fromkeys(one.material for one in SETS))
OWN = next(one for one in SETS if one.own)


@cache
def judgments_of(path: str) -> Judgments:
    """Read a file of judgments, once."""
    return read_judgments(data_folder() / path)


@cache
def models_of(folder: str) -> list[Topics]:
    """Return the models of a folder's topics, once."""
    return judgments_of(f"{folder}/topics.jsonl.gz").topics_only.models()
