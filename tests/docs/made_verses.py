"""Small parallel texts of a few hundred verses, and sheets that somebody has filled in."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from pathlib import Path

from .made_texts import Maker, written

# who, what is done, to what; a verse is one of each
_WHO = {
    "eng": ["the king", "his servant", "a woman", "the old man", "my brother", "the good child"],
    "fin": ["kuningas", "hänen palvelijansa", "nainen", "vanha mies", "veljeni", "hyvä lapsi"],
    "rus": ["царь", "раб его", "женщина", "старый человек", "брат мой", "доброе дитя"],
    "zho": ["王", "他的僕人", "婦人", "老人", "我的兄弟", "好孩子"],
}
_DOES = {
    "eng": ["takes", "sees", "washes", "touched"],
    "fin": ["ottaa", "näkee", "pesee", "kosketti"],
    "rus": ["берёт", "видит", "моет", "тронул"],
    "zho": ["拿", "看見", "洗", "摸"],
}
_WHAT = {
    "eng": ["your hand", "the hand", "my foot", "the foot", "the house", "small bread", "the ship"],
    "fin": ["kätesi", "käden", "jalkani", "jalan", "talon", "pientä leipää", "laivan"],
    "rus": ["твою руку", "руку", "мою ногу", "ногу", "дом", "малый хлеб", "корабль"],
    "zho": ["你的手", "手", "我的腳", "腳", "房子", "小餅", "船"],
}


def verses(language: str) -> Maker:
    """Every verse that the phrases make, in an order that is the same in all languages."""

    def make(path: Path) -> None:
        made = [
            " ".join(parts) + "."
            for parts in itertools.product(_WHO[language], _DOES[language], _WHAT[language])
        ]
        order = random.Random(1).sample(range(len(made)), len(made))
        numbered = [f"GEN {n // 20 + 1}:{n % 20 + 1}\t{made[k]}\n" for n, k in enumerate(order)]
        written(path, "".join(numbered))

    return make


def fill_sheets(folder: Path) -> None:
    """Write into each row of the sheets that a form is expressed by what stands at its place."""
    for sheet in sorted((folder / "sheets").glob("*.tsv")):
        head, *rows = (line.split("\t") for line in sheet.read_text("utf-8-sig").splitlines())
        said, form, lemma = (head.index(name) for name in ("expressions", "translation", "lemma"))
        for row in rows:
            row[said] = _stem(row[form], row[lemma])
        sheet.write_text("".join("\t".join(row) + "\n" for row in [head, *rows]), encoding="utf-8")


def _stem(translation: str, lemma: str) -> str:
    """Return what expresses a lemma: the word that begins as its translation does, or nothing."""
    begins = {"hand": ("käte", "käde"), "foot": ("jalka", "jala"), "take": ("ottaa",)}
    wanted = begins.get(lemma.partition("/")[0], ())
    found: Iterable[str] = (w for w in translation.split() if w.startswith(wanted or "k"))
    return next(iter(found), "-")
