"""One piece of the study, in a process of its own, so that time and memory are its own.

    python -m benchmarks.lexicon.work extract SETTING MODELS FOLDER
    python -m benchmarks.lexicon.work seeds SETTING MODEL FOLDER
    python -m benchmarks.lexicon.work align SETTING ALIGNER FOLDER
    python -m benchmarks.lexicon.work cut SETTING morfessor FOLDER

It prints its results as JSON. Kernels are loaded before the clock starts: a few verses are worked
on first. Models that share an alignment, ``"fa+u fa+i"``, share a process.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.folders import data_folder
from benchmarks.lexicon.gold import SETTINGS, Setting, bitext, gold_links, gold_tokens
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.files import atomic_write
from tealeaves.lexicon import Bitext, Links, align, extractor, score_links
from tealeaves.lexicon.alignment.aligners import aligner
from tealeaves.lexicon.alignment.morphs import Morphs, check_morfessor
from tealeaves.lexicon.extraction.base import Extractor
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.seeds import find_seed

_FEW = 200
_SEEDS, _OCCURRENCES = 90, 30


def few(verses: Bitext) -> Bitext:
    """Return the first verses."""
    rows = list(range(_FEW))
    return Bitext(verses.source.taken(rows), verses.target.taken(rows))


# ---------------------------------------------------------------------- models


def extracted(setting: Setting, specs: str, folder: Path) -> dict[str, Any]:
    """Extract the annotated tokens of a setting with models that share what they prepare."""
    models = {spec: extractor(spec) for spec in specs.split()}
    for model in models.values():
        model.check()
    data = data_folder()
    tokens, verses = gold_tokens(data, setting), bitext(data, setting)
    lemmas = list(dict.fromkeys(token.lemma for token in tokens))
    materials = prepared(verses, cut_file(folder, setting))
    rows = {key: row for row, key in enumerate(verses.keys)}
    before, said = 0.0, {}
    for spec, model in models.items():
        expressions, measured = timed(model, materials, lemmas)
        # the first prepared for all
        before = measured["prepare"] = measured["prepare"] + before
        sets = [expressions[token.lemma, rows[token.ref], token.place] for token in tokens]
        said[spec] = {**measured, "expressions": [sorted(one) for one in sets]}
    return said


def many_seeds(setting: Setting, spec: str, folder: Path) -> dict[str, Any]:
    """Extract all tokens of lemmas drawn at random."""
    model = extractor(spec)
    model.check()
    verses = bitext(data_folder(), setting)
    words = verses.source.words
    counts = np.bincount(words.numbers, minlength=len(words.vocabulary)).tolist()
    known = sorted(w for w, n in zip(words.vocabulary, counts, strict=True) if n >= _OCCURRENCES)
    lemmas = random.Random(0).sample(known, _SEEDS)
    expressions, measured = timed(model, prepared(verses, cut_file(folder, setting)), lemmas)
    return {spec: {**measured, "tokens": len(expressions)}}


ExpressionsOfTokens = dict[tuple[str, int, int], frozenset[str]]


def prepared(verses: Bitext, cut: Path) -> Materials:
    """Return what models start from, with words cut if that was done."""
    materials = Materials(verses)
    if cut.exists():  # as Materials calls what Morfessor makes by default
        table = json.loads(cut.read_text(encoding="utf-8"))
        materials.kept("morphs(log, 1)", lambda: Morphs.of(verses.target.words, table))
    return materials


def timed(
    model: Extractor, materials: Materials, lemmas: list[str]
) -> tuple[ExpressionsOfTokens, dict[str, Any]]:
    """Return the expressions of each token by lemma, row and place, and the seconds it took."""
    warm, words = few(materials.bitext), materials.bitext.source.words
    model.extract(Materials(warm), find_seed(warm.source.words, warm.source.words.word(0, 0)))
    began = time.perf_counter()
    model.prepare(materials)
    ready = time.perf_counter()
    expressions: ExpressionsOfTokens = {}
    for lemma in lemmas:
        seed = find_seed(words, lemma)
        places = zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
        for place, token in zip(places, model.extract(materials, seed), strict=True):
            expressions[lemma, *place] = token.expressions
    ended = time.perf_counter()
    return expressions, {"prepare": ready - began, "seeds": ended - ready, "lemmas": len(lemmas)}


# ---------------------------------------------------------------------- alignment


def linked(setting: Setting, name: str, _: Path) -> dict[str, Any]:
    """Align source words with the target in both directions, and score the links."""
    aligner(name).check()
    data = data_folder()
    verses = bitext(data, setting)
    align(few(verses), name)
    began = time.perf_counter()
    both = align(verses, name)
    seconds = time.perf_counter() - began
    made = {how: both.joined(how) for how in ("union", "intersection", "gdfa")}
    if name == "hmm":  # it alone has other probabilities than 1
        made["mean of both ≥ .5"] = both.likely().above(0.5)
    sure, possible = gold_links(data, verses)
    measured = {how: scores(links, sure, possible) for how, links in made.items()}
    return {name: {"seconds": seconds, "links": measured}}


def scores(links: Links, sure: Links, possible: Links) -> dict[str, Any]:
    """Return the error rate of links, their precision and recall."""
    return score_links(links, sure, possible)._asdict()


def cut_file(folder: Path, setting: Setting) -> Path:
    """Return where it is kept how Morfessor cuts the words of a language."""
    return folder / f"morphs_{setting.target}.json"


def cut(setting: Setting, name: str, folder: Path) -> dict[str, Any]:
    """Let Morfessor cut the target words, and keep how it did."""
    check_morfessor()
    materials = Materials(bitext(data_folder(), setting))
    began = time.perf_counter()
    morphs = materials.morphs("log", 1)
    seconds = time.perf_counter() - began
    table: dict[str, list[str]] = {}
    for row, text in enumerate(materials.bitext.target.words):
        parts: list[list[str]] = [[] for _ in text]
        first = morphs.words.starts[row]
        for number, part in enumerate(morphs.words.text(row)):
            parts[morphs.places[first + number]].append(part)
        table.update(zip(text, parts, strict=True))
    with atomic_write(cut_file(folder, setting)) as stream:
        stream.write(json.dumps(table, ensure_ascii=False).encode())
    return {name: {"seconds": seconds}}


WORK = {"extract": extracted, "seeds": many_seeds, "align": linked, "cut": cut}


def main() -> None:
    """Do the piece of work that the command line names."""
    work, setting, name, folder = sys.argv[1:]
    try:
        said = WORK[work](SETTINGS[setting], name, Path(folder))
    except (InputError, MissingExtraError) as error:  # a package or program that is not there
        said = {"missing": str(error)}
    print(json.dumps(said, ensure_ascii=False))


if __name__ == "__main__":
    main()
