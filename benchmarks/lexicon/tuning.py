"""What the settings of the model ``hybrid`` were chosen by: lemmas that no table is made of.

    TEALEAVES_DATA=/path/to/data python -m benchmarks lexicon --tuning

Up to 30 lemmas for each part of speech and bin of frequency are drawn from the Hebrew and Greek
words of ``aligned_en_fi`` that are not in ``gold_source_lemmas``, with 30 tokens each; what they
are expressed by are the gold lemmas of the Finnish words that they are linked with.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.checkpoints import append_rows, read_rows
from benchmarks.folders import data_folder
from benchmarks.lexicon.gold import (
    SETTINGS,
    GoldToken,
    annotated,
    bitext,
    gold_links,
    gold_tokens,
    joined_lemmas,
    rows_of,
    strong_numbers,
)
from tealeaves.lexicon import EXTRACTORS, Bitext, extraction_error
from tealeaves.lexicon.extraction.base import Extractor
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.seeds import find_seed

SETTING = SETTINGS["source"]
LEMMAS, TOKENS, SEED = 30, 30, 1
BINS = (30, 60, 200)
_VERBS = re.compile("PERF|IMPF|PCP|INF|IMPV|PRES|AOR|FUT|IMP")
_OTHERS = re.compile("OBJ|PREP|CONJ|ART|PRON|NEG|ADV|CNJ|NUM|CARD|INT|DEM|REL|EXIST|PROP|^PR$|^-$")


def parts_of_speech(data: Path) -> dict[str, str]:
    """Return the part of speech of Strong numbers, by their commonest form; some have none."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for _, words in rows_of(data / "aligned_en_fi" / "source.tsv.gz"):
        for number, word in zip(
            strong_numbers(words), re.split(r" (?=[HG][^ |]*[|])", words), strict=True
        ):
            forms[number][word.rsplit("|", 2)[-2]] += 1
    parts = {}
    for number, counts in forms.items():
        form = counts.most_common(1)[0][0]
        if not _OTHERS.search(form):
            parts[number] = "V" if _VERBS.search(form) else "A" if "ADJ" in form else "N"
    return parts


def drawn_tokens(data: Path, verses: Bitext, known: set[str]) -> list[GoldToken]:
    """Draw the tokens: of verses with gold lemmas, and of lemmas that are in no table."""
    taken = {token.lemma for token in gold_tokens(data, SETTING)}
    sure, _ = gold_links(data, verses)
    words, draw, tokens = verses.source.words, random.Random(SEED), []
    strata: dict[tuple[str, int], list[str]] = defaultdict(list)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for token, (row, number) in enumerate(zip(words.rows, words.numbers, strict=True)):
        if verses.keys[row] in known:
            places[words.vocabulary[number]].append((int(row), token))
    for lemma, pos in sorted(parts_of_speech(data).items()):
        if len(places[lemma]) >= BINS[0] and lemma not in taken:
            strata[pos, sum(len(places[lemma]) >= least for least in BINS)].append(lemma)
    for (pos, _), lemmas in sorted(strata.items()):
        for lemma in draw.sample(lemmas, min(LEMMAS, len(lemmas))):
            for row, token in sorted(draw.sample(places[lemma], TOKENS)):
                targets = tuple(sure.of_token(token)[0].tolist())
                place = token - int(words.starts[row])
                tokens.append(GoldToken(lemma, pos, verses.keys[row], place, targets))
    return tokens


def settings() -> Iterator[dict[str, float]]:
    """Yield what is tried: around the defaults, one thing at a time, and without habits."""
    yield {}
    yield {"habit": 0.0, "near": 0.0, "alike": 0.5}
    yield {"habit": 0.35, "near": 0.0, "alike": 0.38}
    for near in (0.3, 0.4, 0.5):
        for habit in (0.35, 0.4, 0.45):
            for alike in (0.42, 0.44, 0.46, 0.48):
                yield {"near": near, "habit": habit, "alike": alike}
    for several in (0.4, 0.6, 1.0):
        yield {"several": several}
    for least in (0.001, 0.01, 0.1):
        yield {"least": least}


def print_errors(path: Path) -> None:
    """Print the mean error of each setting, over all lemmas and by part of speech.

    The file keeps the errors of the settings that are done.
    """
    done = {row["model"]: row["means"] for row in read_rows(path)}
    data = data_folder()
    verses, lemmas = bitext(data, SETTING), joined_lemmas(data)
    tokens = drawn_tokens(data, verses, set(lemmas))
    by_lemma: dict[str, list[GoldToken]] = defaultdict(list)
    for token in tokens:
        by_lemma[token.lemma].append(token)
    materials = Materials(verses)
    print(f"{len(by_lemma)} lemmas\n\n| model | all | N | A | V |\n|---|---|---|---|---|")
    for changes in settings():
        model = EXTRACTORS["hybrid"](**changes)
        if repr(model) not in done:
            done[repr(model)] = mean_errors(model, materials, by_lemma, lemmas)
            append_rows(path, [{"model": repr(model), "means": done[repr(model)]}])
        cells = " | ".join(f"{mean:.4f}" for mean in done[repr(model)])
        print(f"| {model!r} | {cells} |", flush=True)


def mean_errors(
    model: Extractor,
    materials: Materials,
    by_lemma: Mapping[str, list[GoldToken]],
    lemmas: Mapping[str, list[str]],
) -> list[float]:
    """Return the mean error of a model over all lemmas, nouns, adjectives and verbs."""
    words = materials.bitext.source.words
    rows = {key: row for row, key in enumerate(materials.bitext.keys)}
    errors = defaultdict(list)
    for lemma, some in by_lemma.items():
        seed = find_seed(words, lemma)
        at = zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
        extracted_at = dict(zip(at, model.extract(materials, seed), strict=True))
        extracted = [extracted_at[rows[token.ref], token.place].expressions for token in some]
        error = extraction_error(extracted, [annotated(token, lemmas) for token in some])
        errors[some[0].pos].append(error)
        errors["all"].append(error)
    return [sum(errors[pos]) / len(errors[pos]) for pos in ("all", *"NAV")]
