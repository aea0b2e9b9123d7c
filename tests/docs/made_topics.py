"""Topics that pages take for granted, made of the demo's."""

from __future__ import annotations

import json
from pathlib import Path

from tealeaves import MultilingualTopics, demo, train

from .made_texts import Maker, documents, written


def words(model: str, language: str = "en") -> list[list[str]]:
    """Return the words of a model of the demo."""
    found = next(topics for topics in demo.models(language) if topics.model == model)
    return [list(topic.words) for topic in found.topics]


def word_lists(model: str) -> Maker:
    """Topics as JSON."""
    return lambda path: written(path, json.dumps({"topics": words(model)}))


def a_topic_a_line(model: str, language: str = "en") -> Maker:
    """Topics as plain text."""
    return lambda path: written(
        path, "".join(" ".join(topic) + "\n" for topic in words(model, language))
    )


def two_languages(other: str) -> Maker:
    """English topics beside those in a language of that name, whose words are Spanish.

    Some topics have words that no text knows.
    """

    def make(path: Path) -> None:
        sides = {"en": words("middling"), other: words("middling", "es")}
        for topics in sides.values():
            for number, topic in enumerate(topics):
                unknown = number % 3
                topic[len(topic) - unknown :] = [f"unknown{number}{n}" for n in "ab"[:unknown]]
        MultilingualTopics.of_languages(sides).save(path)

    return make


def trained(seed: int, samples: int = 0) -> Maker:
    """A small model with its matrices."""

    def make(path: Path) -> None:
        train(
            f"lda(k=6, iterations=30, seed={seed}, samples={samples})",
            demo.corpus(),
            tokens="words(stopwords=en)",
        ).save(path)

    return make


def dictionary(path: Path) -> None:
    """Words that translate each other: those of the demo's topics, place by place."""
    pairs = [
        ("music", "música"), ("piano", "piano"), ("song", "canción"), ("bread", "pan"),
        ("salt", "sal"), ("moon", "luna"), ("sun", "sol"), ("train", "tren"), ("bank", "banco"),
        ("money", "dinero"), ("doctor", "médico"), ("blood", "sangre"), ("team", "equipo"),
    ]  # fmt: skip
    written(path, "".join(f"{one}\t{other}\n" for one, other in pairs))


def mallet_folder(path: Path) -> None:
    """What MALLET writes by ``--output-topic-keys``."""
    topic_keys(path / "keys.txt")


def topic_keys(path: Path) -> None:
    """MALLET's keys: number, weight, words."""
    listed = enumerate(words("middling"))
    written(path, "".join(f"{n}\t0.05\t{' '.join(topic)} \n" for n, topic in listed))


def bertopic_folder(path: Path) -> None:
    """What BERTopic saves, without its matrix."""
    shown = {k: [[word, 0.5] for word in topic] for k, topic in enumerate(words("good"))}
    best = [n % len(shown) for n, _ in enumerate(documents("en"))]
    written(path / "topics.json", json.dumps({"topic_representations": shown, "topics": best}))
    written(path / "config.json", "{}")
