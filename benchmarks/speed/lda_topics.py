"""Make the topics of the benchmarks: LDA on 20 Newsgroups; the results are in ``topics/``.

Run once, with tomotopy in an environment of its own:

    python3 -m venv .venv-tomotopy
    .venv-tomotopy/bin/pip install tomotopy==0.14.0
    TEALEAVES_DATA=... .venv-tomotopy/bin/python -m benchmarks.speed.lda_topics 50 500
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from benchmarks.speed.texts import HERE, PREPARED, make, read_tokens

TOPICS = HERE / "topics"
_WORDS = 10
_SWEEPS = 300
_SEED = 20
_LEAST_DOCUMENTS = 20
_GREATEST_SHARE = 0.3


def frequent(documents: Sequence[list[str]]) -> set[str]:
    """Return the words of more than 30 % of the documents, which say nothing of a topic."""
    counts = Counter(word for document in documents for word in set(document))
    limit = _GREATEST_SHARE * len(documents)
    return {word for word, count in counts.items() if count > limit}


def lda(documents: Sequence[list[str]], topics: int) -> list[list[str]]:
    """Return the top words of each topic."""
    import tomotopy  # type: ignore[import-not-found, unused-ignore]

    model = tomotopy.LDAModel(
        k=topics, alpha=0.1, eta=0.01, min_df=_LEAST_DOCUMENTS, rm_top=0, seed=_SEED
    )
    for document in documents:
        if document:
            model.add_doc(document)
    # more workers would be faster, but only one gives the same topics again
    model.train(_SWEEPS, workers=1)
    return [[word for word, _ in model.get_topic_words(k, _WORDS)] for k in range(topics)]


def main(sizes: Sequence[int]) -> None:
    """Write the topics of one model for each size."""
    if not PREPARED.exists():
        make(PREPARED)
    documents = read_tokens(PREPARED)
    dropped = frequent(documents)
    kept = [[word for word in document if word not in dropped] for document in documents]
    for size in sizes:
        lines = [" ".join(words) + "\n" for words in lda(kept, size)]
        (TOPICS / f"ng_k{size}.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]])
