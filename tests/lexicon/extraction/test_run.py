"""``extract``: any texts in, one target or several, and what is refused."""

from __future__ import annotations

import json
import math
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from tealeaves.errors import InputError, MissingExtraError, TealeavesError
from tealeaves.lexicon.extraction.lemmas import read_lemmas
from tealeaves.lexicon.extraction.reading import Reading
from tealeaves.lexicon.extraction.result import Extraction
from tealeaves.lexicon.extraction.run import extract
from tealeaves.lexicon.extraction.summary import FailedTargetsError, TargetSummary
from tealeaves.lexicon.passages import read_passages
from tealeaves.text.corpus import Corpus
from tealeaves.text.paired.corpus import PairedCorpus

from .verses import LANGUAGES, MODEL, VERSES


def told(extraction: Extraction) -> list[tuple[str, int, list[str], tuple[int, ...]]]:
    return [(t.key, t.place, sorted(t.expressions), t.words) for t in extraction.tokens]


FINNISH = [
    ("GEN 1:1", 1, ["#kä"], (1,)),
    ("GEN 1:2", 1, ["#kä"], (0,)),
    ("GEN 1:3", 0, ["#kä"], (0, 1)),
    ("GEN 1:3", 2, ["#kä"], (0, 1)),
]


@pytest.mark.parametrize("suffix", ["tsv", "jsonl", "txt"])
def test_tables_json_and_lines_say_the_same(folder: Path, suffix: str) -> None:
    (found,) = extract(folder / f"eng.{suffix}", [folder / f"fin.{suffix}"], "hand", MODEL)
    by_line = {key: str(number) for number, key in enumerate(VERSES, 1)}
    expected = [(by_line[one[0]] if suffix == "txt" else one[0], *one[1:]) for one in FINNISH]
    assert told(found) == expected
    assert (found.source, found.target, found.shared) == ("eng", "fin", 13)
    assert found.model == MODEL
    assert list(found.passages) == list(dict.fromkeys(one[0] for one in expected))
    assert next(iter(found.passages.values())) == (["His", "hand"], ["Hänen", "kätensä"])


def test_paired_texts(folder: Path) -> None:
    records = [dict(zip(LANGUAGES, texts, strict=True)) for texts in VERSES.values()]
    found = extract(PairedCorpus.of(records), lemmas=["hand", "foot"], model=MODEL)
    assert [one.target for one in found] == ["fin", "swe"]
    assert [one[1:] for one in told(found[0])[:4]] == [one[1:] for one in FINNISH]
    assert [token.lemma for token in found[0].tokens] == ["hand"] * 4 + ["foot"]
    paths = {name: folder / f"{name}.jsonl" for name in LANGUAGES}
    paired = PairedCorpus.open(paths)
    (from_finnish,) = extract(paired, ["swe"], "jalka", "l(threshold=2, least=1)", language="fi")
    assert (from_finnish.source, from_finnish.target) == ("fi", "swe")
    assert told(from_finnish) == [("GEN 1:4", 0, ["#fot#"], (1,))]
    with pytest.raises(InputError, match="no texts in dan"):
        extract(paired, ["dan"], "hand", MODEL)
    with pytest.raises(InputError, match="no target language: the texts are in en"):
        extract(PairedCorpus.of([{"en": "hand"}]), lemmas="hand", model=MODEL)
    with pytest.raises(InputError, match="paired texts have their targets"):
        extract(paired, {"fin": folder / "fin.tsv"}, "hand", MODEL)


def test_what_is_asked_for_twice_or_not_at_all(folder: Path) -> None:
    paired = PairedCorpus.of([{"en": "a hand", "fi": "käsi"}])
    with pytest.raises(InputError, match="two targets are called fi: name each language once"):
        extract(paired, ["fi", "fi"], "hand", MODEL)
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    for name, number in (("threads", -1), ("threads", 0), ("threads", 1.5), ("jobs", -1)):
        said = rf"^{name} must be a whole number of at least 1, not {number}$"
        with pytest.raises(InputError, match=said):
            extract(*files, "hand", MODEL, **{name: number})  # type: ignore[arg-type]


def test_several_targets_and_models_in_their_order(folder: Path) -> None:
    targets = {
        "suomi": folder / "fin.tsv",
        "svenska": Corpus.open(folder / "swe.tsv", reader="bible"),
    }
    models = [MODEL, "l(measure=t, threshold=1)"]
    found = extract(folder / "eng.tsv", targets, "hand", models)
    assert [(one.target, one.model) for one in found] == [
        (target, model) for target in targets for model in models
    ]
    english = read_passages(folder / "eng.tsv", "eng")
    swedish = read_passages(folder / "swe.tsv", "swe")
    (again,) = extract(english, [swedish], "hand", MODEL)
    assert told(again) == told(found[2])


def test_processes_find_the_same(folder: Path) -> None:
    targets = [folder / "fin.tsv", folder / "swe.tsv"]
    one, two = (
        extract(folder / "eng.tsv", targets, "hand", MODEL, jobs=n, progress=True) for n in (1, 2)
    )
    assert [told(found) for found in one] == [told(found) for found in two]
    assert [found.signature for found in one] == [found.signature for found in two]
    (folder / "empty.tsv").write_text("GEN 1:1\t...\n")
    for jobs in (1, 2):
        with pytest.raises(TealeavesError, match=r"1 of 2 targets failed: empty: .* has no words"):
            extract(
                folder / "eng.tsv", [folder / "empty.tsv", folder / "fin.tsv"], "hand", MODEL,
                jobs=jobs,
            )  # fmt: skip


SCRIPT = """
import sys
{}
from tealeaves.lexicon import extract, read_passages
from tealeaves.text.corpus import Corpus

text = " ".join(["hand", *(f"w{{n}}" for n in range(20000))])  # more than a pipe holds
one, *others = (read_passages(Corpus.of([text]), name) for name in "abc")
found = extract(one, others, "hand", "l", jobs=2)
"""


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("", "TealeavesError: each process of jobs=2 or more runs the script anew: put the call"),
        (
            "if __name__ != '__main__': sys.exit(5)",
            "its process ended with code 5 before it began: it runs the script anew, so put what",
        ),
    ],
)
def test_a_script_that_does_not_guard_its_work_ends(tmp_path: Path, first: str, said: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.format(first))
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert said in last
    assert 'under `if __name__ == "__main__":`, or use jobs=1' in last
    assert done.stderr.count("Traceback") == 1  # that of the script itself


def test_processes_of_others_that_import_a_script_are_told_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(multiprocessing.current_process(), "_inheriting", True, raising=False)
    targets = [folder / "fin.tsv", folder / "swe.tsv"]
    with pytest.raises(TealeavesError, match='under `if __name__ == "__main__":`, or use jobs=1'):
        extract(folder / "eng.tsv", targets, "hand", MODEL, jobs=2)
    for one in (targets[:1], str(targets[0])):  # starts no process
        assert extract(folder / "eng.tsv", one, "hand", MODEL, jobs=2)


def test_a_folder_is_resumed_or_replaced(folder: Path) -> None:
    files = folder / "eng.tsv", {"suomi": folder / "fin.tsv", "svenska": folder / "swe.tsv"}
    output = folder / "found"
    saved = extract(*files, "hand", MODEL, output=output)
    in_memory = extract(*files, "hand", MODEL)
    assert len(saved) == len(in_memory) == 2
    assert [told(one) for one in saved] == [told(one) for one in in_memory]
    assert [one.target for one in saved[::-1]] == ["svenska", "suomi"]
    assert repr(saved) == f"Extractions(suomi by {MODEL}, svenska by {MODEL})"
    rows = saved.summary.to_dicts()
    assert [(row["target"], row["tokens"]) for row in rows] == [("suomi", 4), ("svenska", 4)]
    assert sorted(file.name for file in output.iterdir()) == ["suomi.jsonl.gz", "svenska.jsonl.gz"]
    (output / "suomi.jsonl.gz").unlink()
    kept = (output / "svenska.jsonl.gz").stat().st_mtime_ns
    with pytest.raises(InputError, match=r"svenska\.jsonl\.gz is there already: --resume keeps"):
        extract(*files, "hand", MODEL, output=output)
    with pytest.raises(InputError, match="give either resume"):
        extract(*files, "hand", MODEL, output=output, resume=True, restart=True)
    again = extract(*files, "hand", MODEL, output=output, resume=True)
    assert [told(one) for one in again] == [told(one) for one in in_memory]
    seconds = [row["seconds"] for row in again.summary.to_dicts()]
    assert not math.isnan(seconds[0])
    assert math.isnan(seconds[1])
    assert (output / "svenska.jsonl.gz").stat().st_mtime_ns == kept
    other = extract(*files, "foot", MODEL, output=output, restart=True)
    assert [one.tokens[0].lemma for one in other] == ["foot", "foot"]


def test_a_failed_target_does_not_lose_the_others(folder: Path) -> None:
    (folder / "empty.tsv").write_text("GEN 1:1\t...\n")
    targets = [folder / "empty.tsv", folder / "fin.tsv"]
    for output in (None, folder / "found"):
        with pytest.raises(FailedTargetsError) as caught:
            extract(folder / "eng.tsv", targets, "hand", MODEL, output=output)
        (finnish,) = caught.value.done
        assert told(finnish) == FINNISH
        assert [row["target"] for row in caught.value.done.summary.to_dicts()] == ["fin"]


def test_lemmas_that_are_left_out_are_noted(folder: Path) -> None:
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    summary = extract(*files, "hnad,hand", MODEL, skip_missing=True).summary
    assert summary.notes == [f"never in {folder / 'eng.tsv'}, left out: hnad"]
    assert extract(*files, "hand", MODEL, skip_missing=True).summary.notes == []


def test_lemmas_are_by_default_those_of_the_tokens_that_are_kept(folder: Path) -> None:
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    only = [("hand", "GEN 1:3", 2), ("foot", "GEN 1:4", 1)]
    (listed,) = extract(*files, model=MODEL, only=only)
    assert [token.lemma for token in listed.tokens] == ["hand", "foot"]
    assert listed.signature == extract(*files, "hand,foot", MODEL, only=only)[0].signature
    (unordered,) = extract(*files, model=MODEL, only=set(only))
    assert [token.lemma for token in unordered.tokens] == ["foot", "hand"]


def test_a_source_without_words(folder: Path) -> None:
    (folder / "empty.tsv").write_text("GEN 1:1\t...\n")
    with pytest.raises(InputError, match=r"empty\.tsv has no words"):
        extract(folder / "empty.tsv", [folder / "fin.tsv"], "hand", MODEL)


def test_parameters_that_nobody_knows(folder: Path) -> None:
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    for name, meant in (("models", "model"), ("token", "tokens"), ("job", "jobs")):
        said = (
            rf"^extract has no parameter {name}; did you mean {meant}\? \(it has: source, targets"
        )
        with pytest.raises(InputError, match=said):
            extract(*files, "hand", **{name: ["l"]})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"has no parameter how \(it has: .*links\)$"):
        extract(*files, "hand", how=1)
    with pytest.raises(InputError, match="give either reading or tokens, unit"):
        extract(*files, "hand", MODEL, reading=Reading(), tokens="words", unit="verse")


def test_only_some_tokens_are_kept_but_all_are_trained_on(folder: Path) -> None:
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    only = [("hand", "GEN 1:3", 2), ("foot", "GEN 1:4", 1)]
    (found,) = extract(*files, "hand", MODEL, only=only)
    assert told(found) == [FINNISH[3]]
    assert list(found.passages) == ["GEN 1:3"]
    (every,) = extract(*files, "hand", MODEL)
    assert found.signature != every.signature
    with pytest.raises(
        InputError, match=r"is of hand in .*: they are such as foot, token 1 of GEN"
    ):
        extract(*files, "hand", MODEL, only=only[1:])
    with pytest.raises(InputError, match="no token is to be kept"):
        extract(*files, "hand", MODEL, only=[])


def test_what_is_said_of_languages_that_are_not_there(folder: Path) -> None:
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    for what, reading in [
        ("tokens", Reading(tokens={"zo": "words", "fi": "words"})),
        ("reader", Reading(reader={"zo": "tsv", "": "tsv"})),
    ]:
        with pytest.raises(InputError, match=f"{what} for zo, but the texts are in eng, fin"):
            extract(*files, "hand", MODEL, reading=reading)
    english = read_passages(folder / "eng.tsv", "eng")
    with pytest.raises(InputError, match="tokens for zo, but the texts are in eng, fin"):
        extract(english, files[1], "hand", MODEL, tokens={"zo": "words"})
    paired = PairedCorpus.open({name: folder / f"{name}.jsonl" for name in LANGUAGES})
    with pytest.raises(InputError, match="tokens for zo, but the texts are in eng, fin, swe"):
        extract(paired, ["fin"], "hand", MODEL, tokens={"zo": "words"})
    (found,) = extract(paired, ["fin"], "hand", MODEL, tokens={"swe": "words"})
    assert told(found) == FINNISH


def test_a_lemma_that_a_target_lacks_has_no_tokens(folder: Path) -> None:
    verses = [line for line in (folder / "fin.tsv").read_text().splitlines() if "1:4" not in line]
    (folder / "nt.tsv").write_text("\n".join(verses))
    (found,) = extract(folder / "eng.tsv", [folder / "nt.tsv"], "foot,hand", MODEL)
    assert told(found) == FINNISH
    row = TargetSummary.of(found, ("foot", "hand"), 1.0).lemmas[0]
    assert (row.tokens, row.expressions, row.commonest) == (0, 0, ())
    assert math.isnan(row.expressed)


def test_lemmas_that_never_occur(folder: Path) -> None:
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    with pytest.raises(InputError, match=r"'hnad' never occurs in .*eng.tsv; did you mean hand\?"):
        extract(*files, "hand,hnad", MODEL)
    said = r"2 lemmas never occur in .*: hnad \(did you mean hand\?\), zebra$"
    with pytest.raises(InputError, match=said):
        extract(*files, "hnad, hand, zebra", MODEL)
    (found,) = extract(*files, "hnad,hand", MODEL, skip_missing=True)
    assert {token.lemma for token in found.tokens} == {"hand"}
    with pytest.raises(InputError, match="never occurs"):
        extract(*files, "hnad", MODEL, skip_missing=True)
    with pytest.raises(InputError, match="no lemmas"):
        extract(*files, " , ", MODEL)


def test_parts_of_speech_are_asked_of_a_text_without(folder: Path) -> None:
    files = folder / "eng.tsv", [folder / "fin.tsv"]
    plain = "the text is not tagged (`tealeaves lexicon tag` does it)"
    for lemmas, said in [
        ("hand/N", f"'hand/N' never occurs in {files[0]}; {plain}: ask for hand"),
        ("zebra/N", f"'zebra/N' never occurs in {files[0]}; {plain}"),
        ("hnad/N", f"'hnad/N' never occurs in {files[0]}; {plain}; did you mean hand?"),
        ("hand/N,zebra", f"2 lemmas never occur in {files[0]}: hand/N ({plain}: ask for hand), z"),
    ]:
        with pytest.raises(InputError) as caught:
            extract(*files, lemmas, MODEL)
        assert str(caught.value).startswith(said)


def test_a_table_without_a_header(folder: Path) -> None:
    for first in ("Genesis 1:1", "1"):
        (folder / "dan.tsv").write_text(f"{first}\t{'Alussa loi Jumala taivaan ' * 9}\n2\tb\n")
        with pytest.raises(InputError) as caught:
            extract(folder / "eng.tsv", [folder / "dan.tsv"], "hand", MODEL)
        said = str(caught.value)
        cut = "Alussa loi Jumala taivaan Alussa loi Ju…"
        assert f"dan.tsv:1: no field 'text' (fields here: {first}, {cut}; say which" in said
        assert said.endswith(
            "; a table needs a header line with id and text, or verses written GEN 1:1 TAB text"
        )
    (folder / "dan.jsonl").write_text('{"id": "1", "body": "a"}\n')
    with pytest.raises(InputError, match=r"no field 'text'.*\(text=NAME\)\)$"):
        extract(folder / "eng.tsv", [folder / "dan.jsonl"], "hand", MODEL)
    (folder / "dan.tsv").write_text("")
    with pytest.raises(InputError, match=r"dan\.tsv: no passages$"):
        extract(folder / "eng.tsv", [folder / "dan.tsv"], "hand", MODEL)


def test_lemmas_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "lemmas.txt").write_text("hand\n\n foot , eye/N\nhand\n")
    assert read_lemmas(tmp_path / "lemmas.txt") == ("hand", "foot", "eye/N")
    (tmp_path / "none.txt").write_text("\n")
    with pytest.raises(InputError, match=r"none\.txt: no lemmas in this file"):
        read_lemmas(tmp_path / "none.txt")
    with pytest.raises(InputError, match=r"lost\.txt: no such file of lemmas"):
        read_lemmas(tmp_path / "lost.txt")


def test_ids_that_do_not_match(folder: Path) -> None:
    (folder / "dan.tsv").write_text("MAT 1:1\thånd\n")
    with pytest.raises(InputError, match=r"eng.tsv and .*dan.tsv share no passage: ids such as"):
        extract(folder / "eng.tsv", [folder / "dan.tsv"], "hand", MODEL)


def test_lines_must_be_as_many(folder: Path) -> None:
    (folder / "short.txt").write_text("yksi\nkaksi\n")
    files = folder / "eng.txt", [folder / "short.txt"]
    with pytest.raises(
        InputError, match=r"has 13 passages, .*short.txt 2: linked by their numbers"
    ):
        extract(*files, "hand", MODEL)
    records = [{"id": str(n), "text": text[0]} for n, text in enumerate(VERSES.values(), 1)]
    (folder / "en.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    (folder / "fi.jsonl").write_text('{"id": "1", "text": "käsi"}\n{"id": "2", "text": "käden"}\n')
    (found,) = extract(folder / "en.jsonl", [folder / "fi.jsonl"], "hand", MODEL, links="id")
    assert found.shared == 2


def test_a_language_without_spaces_needs_icu_or_characters(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verses = [f"{key}\t他的手\n" if "hand" in texts[0] else f"{key}\t等等\n"
              for key, texts in VERSES.items()]  # fmt: skip
    (folder / "zho.tsv").write_text("".join(verses))
    files = folder / "eng.tsv", [folder / "zho.tsv"]
    (found,) = extract(*files, "hand", MODEL, tokens={"zh": "characters"})
    assert {tuple(token.expressions) for token in found.tokens} <= {("#手#",), ("#的#",), ("#他#",)}
    monkeypatch.setitem(sys.modules, "icu4py", None)
    for name in list(sys.modules):
        if name.startswith("icu4py."):
            monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"zho is written without spaces: .*characters"):
        extract(*files, "hand", MODEL)


def test_targets_are_named_apart(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "fin.tsv").write_text((folder / "fin.tsv").read_text())
    with pytest.raises(InputError, match="two targets are called fin"):
        extract(
            folder / "eng.tsv", [folder / "fin.tsv", folder / "other" / "fin.tsv"], "hand", MODEL
        )
    with pytest.raises(InputError, match="no target language"):
        extract(folder / "eng.tsv", [], "hand", MODEL)
    with pytest.raises(InputError, match="say the language of the source"):
        extract(Corpus.open(folder / "eng.tsv"), [folder / "fin.tsv"], "hand", MODEL)
    with pytest.raises(InputError, match="no such file"):
        extract(folder / "eng.tsv", [folder / "lost.tsv"], "hand", MODEL)
    with pytest.raises(InputError, match="no model"):
        extract(folder / "eng.tsv", [folder / "fin.tsv"], "hand", [])
