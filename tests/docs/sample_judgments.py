"""Invented judgments and scores in the formats of published studies."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import tealeaves
from tealeaves import demo

from .sample_texts import json_lines, write
from .sample_topics import words

MODELS, TOPICS = 6, 8


def judgments(path: Path) -> None:
    """Write the judgments of the demo."""
    _save(path, list(demo.judgments()))


def scores(path: Path) -> None:
    """Write scores of the demo's models."""
    tealeaves.score(demo.models(), demo.corpus(), "npmi@10 c_v@10").save(path)


def votes(path: Path) -> None:
    """Write votes on topics of 15 words; later models have more misplaced words."""
    draw = random.Random(2)
    rows = []
    for model in range(MODELS):
        for topic, listed in enumerate(_mixed(model)):
            mean = 4 - model / 2
            given = [max(1, min(4, round(draw.gauss(mean, 0.6)))) for _ in range(5)]
            rows.append(
                {"corpus": "demo", "model_id": f"m{model}", "topic_seq": topic, "words": listed,
                 "votes": given}
            )  # fmt: skip
    write(path, json_lines(rows))


def bilingual_ratings(path: Path) -> None:
    """Write ratings of topics in two languages, by chain and share of linked documents."""
    draw = random.Random(4)
    rows = [
        f"sv,{rate},1,{topic},{user},{topic * 7 + user},{draw.randrange(3)}\n"
        for rate in (0.2, 0.8)
        for topic in range(TOPICS)
        for user in range(5)
    ]
    head = "language,doc_link_rate,chain_id,topic_id,user_id,presentation,score\n"
    write(path, head + "".join(rows))


def released_estimates(path: Path) -> None:
    """Write estimates of the same topics, by the training languages of the estimator."""
    draw = random.Random(5)
    rows = [
        f"sv,{taught},10,{rate},1,{topic},{draw.random():.3f}\n"
        for taught in ("tr-ro", "zh-tl")
        for rate in (0.2, 0.8)
        for topic in range(TOPICS)
    ]
    head = "test_language,train_languages,cardinality,doclink_rate,chain_id,topic_id,"
    write(path, head + "estimated_cnpmi\n" + "".join(rows))


def _mixed(model: int) -> list[list[str]]:
    """Return topics of 15 words; the higher the model, the more words are of other topics."""
    good = words("good")
    full = [topic + good[(k + 1) % len(good)][:5] for k, topic in enumerate(good)]
    return [
        [full[(k + (n < model) * (n + 1)) % len(full)][n] for n in range(15)]
        for k in range(len(full))
    ]


def _save(path: Path, rows: list[dict[str, str]]) -> None:
    stream = io.StringIO()
    table = csv.DictWriter(stream, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    write(path, stream.getvalue())
