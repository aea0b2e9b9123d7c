from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import Corpus
from tealeaves.text.readers import parse_reader


def test_different_parameters_of_a_reader_are_different_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("text\ttext2\na\tb\n")
    plain = Corpus.open(path)
    assert plain.identities == Corpus.open(path, reader="tsv()").identities
    whole = Corpus.open(path, reader="tsv(header=False)", fields={"text": "1"})
    assert len(list(whole)) == 2
    assert whole.identities.isdisjoint(plain.identities)
    same = Corpus.open(path, reader="tsv( header = false )", fields={"text": "1"})
    assert same.identities == whole.identities


@pytest.mark.parametrize(
    ("reader", "message"),
    [
        ("tvs", "unknown reader tvs; did you mean tsv"),
        ("tsv(heder=false)", "tsv.heder=false.: tsv has no parameter heder; did you mean header"),
        ("lines(header=false)", "lines.header=false.: lines has no parameter header .it has: none"),
        ("tsv(header=maybe)", "header must be true or false, not maybe"),
        ("tsv@3", "tsv@3: a reader takes no @3"),
        ("tsv(", "expected"),
    ],
)
def test_wrong_expressions_are_refused(tmp_path: Path, reader: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Corpus.open(tmp_path, reader=reader)


def test_defaults_are_given_to_readers_that_have_the_parameter() -> None:
    known = {"language": "en"}
    assert parse_reader("lines", known) == "lines"
    assert parse_reader("tmx", known) == "tmx(language=en)"
    assert parse_reader("tmx(language=sv)", known) == "tmx(language=sv)"
