"""Small parallel texts of a few hundred verses."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

from .sample_texts import Maker, write

# A verse combines a subject, a verb and an object.
_SUBJECTS = {
    "eng": ["the king", "his servant", "a woman", "the old man", "my brother", "the good child"],
    "fin": ["kuningas", "hänen palvelijansa", "nainen", "vanha mies", "veljeni", "hyvä lapsi"],
    "rus": ["царь", "раб его", "женщина", "старый человек", "брат мой", "доброе дитя"],
}
_VERBS = {
    "eng": ["takes", "sees", "washes", "touched"],
    "fin": ["ottaa", "näkee", "pesee", "kosketti"],
    "rus": ["берёт", "видит", "моет", "тронул"],
}
_OBJECTS = {
    "eng": ["your hand", "the hand", "my foot", "the foot", "the house", "small bread", "the ship"],
    "fin": ["kätesi", "käden", "jalkani", "jalan", "talon", "pientä leipää", "laivan"],
    "rus": ["твою руку", "руку", "мою ногу", "ногу", "дом", "малый хлеб", "корабль"],
}


def verses(language: str) -> Maker:
    """Write all combinations of the phrases as verses, in the same order in all languages."""

    def make(path: Path) -> None:
        made = [
            " ".join(parts) + "."
            for parts in itertools.product(
                _SUBJECTS[language], _VERBS[language], _OBJECTS[language]
            )
        ]
        order = random.Random(1).sample(range(len(made)), len(made))
        numbered = [f"GEN {n // 20 + 1}:{n % 20 + 1}\t{made[k]}\n" for n, k in enumerate(order)]
        write(path, "".join(numbered))

    return make
