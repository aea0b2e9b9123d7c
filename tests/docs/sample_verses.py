"""Small parallel texts of a few hundred verses, and sheets with annotations."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from pathlib import Path

from .sample_texts import Maker, write

# A verse combines a subject, a verb and an object.
_SUBJECTS = {
    "eng": ["the king", "his servant", "a woman", "the old man", "my brother", "the good child"],
    "fin": ["kuningas", "hänen palvelijansa", "nainen", "vanha mies", "veljeni", "hyvä lapsi"],
    "rus": ["царь", "раб его", "женщина", "старый человек", "брат мой", "доброе дитя"],
    "zho": ["王", "他的僕人", "婦人", "老人", "我的兄弟", "好孩子"],
}
_VERBS = {
    "eng": ["takes", "sees", "washes", "touched"],
    "fin": ["ottaa", "näkee", "pesee", "kosketti"],
    "rus": ["берёт", "видит", "моет", "тронул"],
    "zho": ["拿", "看見", "洗", "摸"],
}
_OBJECTS = {
    "eng": ["your hand", "the hand", "my foot", "the foot", "the house", "small bread", "the ship"],
    "fin": ["kätesi", "käden", "jalkani", "jalan", "talon", "pientä leipää", "laivan"],
    "rus": ["твою руку", "руку", "мою ногу", "ногу", "дом", "малый хлеб", "корабль"],
    "zho": ["你的手", "手", "我的腳", "腳", "房子", "小餅", "船"],
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


def fill_sheets(folder: Path) -> None:
    """Fill in the expression of the lemma in each row of the sheets."""
    for sheet in sorted((folder / "sheets").glob("*.tsv")):
        head, *rows = (line.split("\t") for line in sheet.read_text("utf-8-sig").splitlines())
        expressions, form, lemma = (
            head.index(name) for name in ("expressions", "translation", "lemma")
        )
        for row in rows:
            row[expressions] = _stem(row[form], row[lemma])
        sheet.write_text("".join("\t".join(row) + "\n" for row in [head, *rows]), encoding="utf-8")


def _stem(translation: str, lemma: str) -> str:
    """Return the word that expresses a lemma in a translation, or "-"."""
    begins = {"hand": ("käte", "käde"), "foot": ("jalka", "jala"), "take": ("ottaa",)}
    wanted = begins.get(lemma.partition("/")[0], ())
    found: Iterable[str] = (w for w in translation.split() if w.startswith(wanted or "k"))
    return next(iter(found), "-")
