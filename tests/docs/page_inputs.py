"""The files and objects of the reader that the code blocks of each page use.

Every page also has the files of the demo. A page that is not listed here creates everything that
it uses. Spanish texts of the demo stand for other languages; judgments are invented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tealeaves import demo

from . import sample_judgments as judgments
from . import sample_sources as sources
from . import sample_texts as texts
from . import sample_topics as topics
from .blocks import SHELL, Block
from .sample_verses import verses

_COMMON_FILES: dict[str, texts.Maker] = {
    "texts.jsonl": texts.texts(),
    "wiki.jsonl.gz": texts.other_texts,
    "lda.json": topics.json_topics("middling"),
    "nmf.json": topics.json_topics("good"),
}


def _common(*names: str) -> dict[str, texts.Maker]:
    return {name: _COMMON_FILES[name] for name in names}


FILES: Mapping[str, Mapping[str, texts.Maker]] = MappingProxyType(
    {
        "README.md": {f"{language}.tsv": verses(language) for language in ("eng", "fin", "rus")},
        "docs/command-line.md": _common("lda.json", "texts.jsonl", "wiki.jsonl.gz"),
        "docs/estimator.md": {
            "estimator.csv.gz": judgments.released_estimates,
            "human_judgments_fixed.csv": judgments.bilingual_ratings,
        },
        "docs/how-to/embeddings.md": {
            **_common("lda.json"),
            "cc.fi.300.vec.gz": sources.vectors,
            "models/my-bert": sources.encoder,
            "sentence-transformers/all-mpnet-base-v2": sources.encoder,
            "all-mpnet-base-v2": sources.encoder,
        },
        "docs/how-to/estimator.md": {
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
            **_common("wiki.jsonl.gz"),
            "years.tsv": sources.years,
            **{
                f"{language}.parquet": sources.features(language) for language in ("tr", "ro", "zh")
            },
        },
        "docs/how-to/train.md": _common("texts.jsonl"),
        "docs/metrics.md": {"run1.topics": topics.trained(1), "run2.topics": topics.trained(2)},
        "docs/models.md": {"en.tsv": texts.bible("en"), "sv.tsv": texts.bible("es")},
        "docs/people.md": {
            **_common("lda.json", "nmf.json", "texts.jsonl"),
            "judgments.csv": judgments.judgments,
            "scores.jsonl": judgments.scores,
        },
        "docs/relevance.md": {
            "khodorchenko2022/topics.jsonl.gz": judgments.votes,
            "20newsgroups/processed_idsplit.jsonl.gz": texts.token_lines,
        },
        "docs/topics.md": {
            "bertopic_folder": topics.bertopic_folder,
            "mallet_folder": topics.mallet_folder,
            "lda.topics": topics.trained(1),
            "keys.txt": topics.topic_keys,
            **_common("texts.jsonl"),
        },
    }
)


def _models_of_other_libraries() -> dict[str, Any]:
    """Return small models of other libraries, fitted to the demo's texts."""
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


def _coherence_module() -> dict[str, Any]:
    """Return the names of the module that CONTRIBUTING adds a metric to."""
    from tealeaves.metrics.catalogue import coherence

    return dict(vars(coherence))


OBJECTS: Mapping[str, Callable[[], dict[str, Any]]] = MappingProxyType(
    {
        "README.md": _models_of_other_libraries,
        "CONTRIBUTING.md": _coherence_module,
        "docs/how-to/embeddings.md": _models_of_other_libraries,
        "docs/topics.md": _models_of_other_libraries,
    }
)


def write_files(page: str, blocks: list[Block], folder: Path) -> None:
    """Write the files of the demo and of the page's reader into a folder.

    If the page itself copies the demo to a folder, that folder becomes a link to this one.
    """
    commands = "".join(block.text for block in blocks if block.language == SHELL)
    copied = re.search(r"tealeaves demo --copy ([\w-]+)", commands)
    if copied:
        (folder / copied[1]).symlink_to(folder, target_is_directory=True)
    else:
        demo.copy_to(folder)
    for name, make in FILES.get(page, {}).items():
        make(folder / name)
