"""The topics of the demo, in the file formats that code blocks use."""

from __future__ import annotations

import json
from pathlib import Path

from tealeaves import MultilingualTopics, demo, train

from .sample_texts import Maker, documents, write


def words(model: str, language: str = "en") -> list[list[str]]:
    """Return the words of a model of the demo."""
    found = next(topics for topics in demo.models(language) if topics.model == model)
    return [list(topic.words) for topic in found.topics]


def json_topics(model: str) -> Maker:
    """Write topics as JSON."""
    return lambda path: write(path, json.dumps({"topics": words(model)}))


def two_languages(other: str) -> Maker:
    """Write English topics and Spanish ones, which are labelled as another language.

    Some topics have words that no text contains.
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
    """Train a small model and save it with its matrices."""

    def make(path: Path) -> None:
        train(
            f"lda(k=6, iterations=30, seed={seed}, samples={samples})",
            demo.corpus(),
            tokens="words(stopwords=en)",
        ).save(path)

    return make


def dictionary(path: Path) -> None:
    """Write a dictionary of words of the demo's topics."""
    pairs = [
        ("music", "música"), ("piano", "piano"), ("song", "canción"), ("bread", "pan"),
        ("salt", "sal"), ("moon", "luna"), ("sun", "sol"), ("train", "tren"), ("bank", "banco"),
        ("money", "dinero"), ("doctor", "médico"), ("blood", "sangre"), ("team", "equipo"),
    ]  # fmt: skip
    write(path, "".join(f"{one}\t{other}\n" for one, other in pairs))


def mallet_folder(path: Path) -> None:
    """Write a folder with MALLET's topic keys."""
    topic_keys(path / "keys.txt")


def topic_keys(path: Path) -> None:
    """Write MALLET's topic keys: number, weight, words."""
    listed = enumerate(words("middling"))
    write(path, "".join(f"{n}\t0.05\t{' '.join(topic)} \n" for n, topic in listed))


def bertopic_folder(path: Path) -> None:
    """Write the folder that BERTopic saves, without its matrix."""
    shown = {k: [[word, 0.5] for word in topic] for k, topic in enumerate(words("good"))}
    best = [n % len(shown) for n, _ in enumerate(documents("en"))]
    write(path / "topics.json", json.dumps({"topic_representations": shown, "topics": best}))
    write(path / "config.json", "{}")
