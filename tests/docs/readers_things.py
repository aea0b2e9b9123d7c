"""What the reader of a page has beside the demo's files: texts, topics and objects of their own.

Each page names what it takes for granted, so that a page which is not here must make all it uses.
Other languages are played by the demo's Spanish, judges and studies by numbers that are made up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tealeaves import demo

from . import made_others as others
from . import made_people as people
from . import made_texts as texts
from . import made_topics as topics
from .blocks import SHELL, Block
from .made_verses import fill_sheets, verses

_COMMON: dict[str, texts.Maker] = {
    "texts.jsonl": texts.texts(),
    "texts.jsonl.gz": texts.texts(),
    "texts.csv": texts.table,
    "wiki.jsonl.gz": texts.other_texts,
    "lda.json": topics.word_lists("middling"),
    "nmf.json": topics.word_lists("good"),
    "khodorchenko2022/topics.jsonl.gz": people.votes,
    "hoyle2021/topics.jsonl.gz": people.means,
    "20newsgroups/processed.jsonl.gz": texts.split_tokens,
    "20newsgroups/processed_idsplit.jsonl.gz": texts.split_tokens,
}
_VERSES: dict[str, texts.Maker] = {
    f"{language}.tsv": verses(language) for language in ("eng", "fin", "rus", "zho")
}


def _some(*names: str) -> dict[str, texts.Maker]:
    return {name: _COMMON[name] for name in names}


FILES: Mapping[str, Mapping[str, texts.Maker]] = MappingProxyType(
    {
        "README.md": {name: _VERSES[name] for name in ("eng.tsv", "fin.tsv", "rus.tsv")},
        "docs/command-line.md": _some("lda.json", "texts.jsonl", "wiki.jsonl.gz"),
        "docs/consensus.md": _some("lda.json", "nmf.json", "texts.jsonl", "wiki.jsonl.gz"),
        "docs/counts.md": {
            **_some("lda.json", "nmf.json"),
            "january.jsonl.gz": texts.texts(part=slice(64)),
            "february.jsonl.gz": texts.texts(part=slice(64, None)),
        },
        "docs/crosslingual.md": {
            "topics.json": topics.two_languages("es"),
            "eng.tsv": texts.bible("en"),
            "spa.tsv": texts.bible("es"),
            "en-es.txt": topics.dictionary,
            "en.txt": topics.a_topic_a_line("good"),
            "es.txt": topics.a_topic_a_line("good", "es"),
            "eng.tsv.gz": texts.without_header("en"),
            "swe.tsv.gz": texts.without_header("es"),
        },
        "docs/embeddings.md": {
            **_some("lda.json"),
            "cc.fi.300.vec.gz": others.vectors,
            "models/my-bert": others.encoder,
            "sentence-transformers/all-mpnet-base-v2": others.encoder,
            "all-mpnet-base-v2": others.encoder,
            **_some("khodorchenko2022/topics.jsonl.gz", "hoyle2021/topics.jsonl.gz"),
        },
        "docs/estimator.md": {
            "pltm.topics": topics.two_languages("am"),
            "am.topics": topics.two_languages("am"),
            "tl.topics": topics.two_languages("tl"),
            "sv1.topics": topics.two_languages("sv"),
            "sv2.topics": topics.two_languages("sv"),
            "web.tsv": texts.bible("en"),
            **{f"{name}.tsv": texts.bible("es") for name in ("amh", "tgl", "swe")},
            "news.en.jsonl": texts.texts("en"),
            "news.sv.jsonl": texts.texts("es"),
            **{f"en-{name}": topics.dictionary for name in ("tl.txt", "sv.txt", "am.tsv")},
            **_some("wiki.jsonl.gz"),
            "years.tsv": others.years,
            **{f"{language}.parquet": others.features(language) for language in ("tr", "ro", "zh")},
            "estimator.csv.gz": people.released_estimates,
            "human_judgments_fixed.csv": people.bilingual_ratings,
        },
        "docs/lexicon.md": _VERSES,
        "docs/metrics.md": {"run1.topics": topics.trained(1), "run2.topics": topics.trained(2)},
        "docs/models.md": {
            **_some("texts.jsonl", "texts.jsonl.gz", "texts.csv"),
            "en.tsv": texts.bible("en"),
            "sv.tsv": texts.bible("es"),
            "en.txt": texts.lines("en"),
            "zh.txt": texts.lines("es"),
        },
        "docs/people.md": {
            **_some("lda.json", "nmf.json", "texts.jsonl"),
            **_some("khodorchenko2022/topics.jsonl.gz", "20newsgroups/processed.jsonl.gz"),
            "judgments.csv": people.judgments,
            "scores.jsonl": people.scores,
        },
        "docs/relevance.md": _some(
            "khodorchenko2022/topics.jsonl.gz", "20newsgroups/processed_idsplit.jsonl.gz"
        ),
        "docs/topics.md": {
            "bertopic_folder": topics.bertopic_folder,
            "mallet_folder": topics.mallet_folder,
            "lda.topics": topics.trained(1),
            "keys.txt": topics.topic_keys,
            **_some("texts.jsonl"),
        },
    }
)

BY_HAND: Mapping[str, Mapping[str, Callable[[Path], None]]] = MappingProxyType(
    {"docs/lexicon.md": {"tealeaves lexicon sample": fill_sheets}}
)


def _models_of_others() -> dict[str, Any]:
    """Objects of other libraries, small and fitted to the demo's texts."""
    import tomotopy
    from sklearn.decomposition import NMF, LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import Pipeline

    docs = [document.text for document in demo.corpus()]
    vectorizer = CountVectorizer(stop_words="english")
    counts = vectorizer.fit_transform(docs)
    nmf = NMF(4, init="nndsvd", max_iter=400).fit(counts)
    sampled = tomotopy.LDAModel(k=4, seed=1)
    for text in docs:
        sampled.add_doc(text.lower().split())
    sampled.train(20, workers=1)
    return {
        "docs": docs,
        "texts": docs,
        "topic_model": sampled,
        "lda": LatentDirichletAllocation(4, max_iter=2, random_state=0).fit(counts),
        "nmf": nmf,
        "vectorizer": vectorizer,
        "pipeline": Pipeline([("counts", vectorizer), ("nmf", nmf)]),
    }


def _home_of_a_coherence_measure() -> dict[str, Any]:
    """The names of the module that a new row is written into."""
    from tealeaves.metrics.catalogue import coherence

    return dict(vars(coherence))


GIVEN: Mapping[str, Callable[[], dict[str, Any]]] = MappingProxyType(
    {
        "README.md": _models_of_others,
        "CONTRIBUTING.md": _home_of_a_coherence_measure,
        "docs/embeddings.md": _models_of_others,
        "docs/topics.md": _models_of_others,
    }
)


def lay_out(page: str, blocks: list[Block], folder: Path) -> None:
    """Put the demo's files, and what the reader of a page has, into a folder.

    Where the page itself copies the demo, the folder it names is this one.
    """
    commands = "".join(block.text for block in blocks if block.language == SHELL)
    named = re.search(r"tealeaves demo --copy ([\w-]+)", commands)
    if named:
        (folder / named[1]).symlink_to(folder, target_is_directory=True)
    else:
        demo.copy_to(folder)
    for name, make in FILES.get(page, {}).items():
        make(folder / name)
