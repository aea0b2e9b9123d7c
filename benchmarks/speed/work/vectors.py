"""Score 1,100 topics by six metrics of word vectors; prints embedding coherence and the seconds.

Run in the environment of vectors: ``python -m benchmarks.speed.work.vectors``. The vectors are kept
on disk by a first run that is not timed; what is timed reads them, and scores.
"""

from __future__ import annotations

from benchmarks.speed.clock import Clock
from benchmarks.speed.made_up import TOPICS, make_models
from tealeaves import Topics, score
from tealeaves.evidence.embeddings import Embeddings
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS
from tealeaves.metrics import Scores

METRICS = (
    "isim@10 int@10 ish@10 expressivity(stopwords=en)@10 embedding_coherence@10 "
    "embedding_diversity@10"
)
_REPEATS = 5


def main() -> None:
    """Time it from the disk each time: no vector is in memory before."""
    made, vocabulary = make_models()
    models = [
        Topics.of(one.topics, model=str(number), vocabulary=tuple(vocabulary), topic_word=one.phi)
        for number, one in enumerate(made)
    ]

    def work() -> Scores:
        return score(
            models, None, METRICS, embeddings=Embeddings(NAMED_EMBEDDINGS["minilm"].embedder())
        )

    work()
    clock = Clock()
    for _ in range(_REPEATS):
        scores = clock(work)
    values = [row.value for row in scores.topics if row.metric.startswith("embedding_coherence")]
    clock.report(values[:TOPICS])


if __name__ == "__main__":
    main()
