"""Feature tables: parts of them, files, and what a feature must be like."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.estimator.table import FeatureTable

NAN = float("nan")


def made(
    rows: Sequence[tuple[str, str, Any, int, float, float, float]], names: Sequence[str] = ()
) -> FeatureTable:
    """Make a table of language, model, topic, cardinality, target and two features."""
    languages, models, topics, cardinalities, target, *features = zip(*rows, strict=True)
    return FeatureTable(
        pivots=("en",) * len(rows),
        languages=languages,
        models=models,
        topics=topics,
        cardinalities=np.array(cardinalities),
        names=tuple(names) or ("cnpmi", "mta"),
        values=np.column_stack(features),
        target=np.array(target),
    )


ROWS = [
    ("sv", "a", 0, 5, 0.1, 1.0, 0.2),
    ("sv", "a", 1, 5, 0.2, 2.0, NAN),
    ("sv", "b", 0, 5, NAN, 3.0, 0.4),
    ("zh", "a", "x", 10, 0.4, 6.0, 0.0),
]


def same(one: FeatureTable, other: FeatureTable) -> None:
    assert one.keys == other.keys
    assert one.names == other.names
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.target, other.target)


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_a_saved_table_comes_back(suffix: str, tmp_path: Path) -> None:
    table = made(ROWS)
    table.save(tmp_path / f"t{suffix}")
    found = FeatureTable.open(tmp_path / f"t{suffix}")
    # in a file the cardinality is a feature as well
    same(found, table.with_names(["cardinality", "cnpmi", "mta"]))
    assert found.topics == (0, 1, 0, "x")
    assert found.cardinalities.dtype == np.int64


TEXTS = ("news+talks", "", "2019", "a b, c")


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_the_texts_of_topics_come_back(suffix: str, tmp_path: Path) -> None:
    table = replace(made(ROWS), texts=TEXTS)
    table.save(tmp_path / f"t{suffix}")
    found = FeatureTable.open(tmp_path / f"t{suffix}")
    assert found.texts == TEXTS
    same(found, table.with_names(["cardinality", "cnpmi", "mta"]))
    assert table.columns[:7] == (
        "pivot", "language", "model", "topic", "cardinality", "texts", "target",
    )  # fmt: skip


def test_texts_stay_with_their_rows(tmp_path: Path) -> None:
    table = replace(made(ROWS), texts=TEXTS)
    assert table.select([3, 0]).texts == (TEXTS[3], TEXTS[0])
    assert table.with_names(["mta"]).texts == TEXTS
    plain = made([("tr", "a", 0, 5, 0.1, 1.0, 0.2)])
    assert plain.texts == ("",)
    assert "texts" not in plain.columns
    assert FeatureTable.joined([plain, table]).texts == ("", *TEXTS)
    plain.save(tmp_path / "plain.csv")  # one that says nothing, and one that does
    table.save(tmp_path / "table.parquet")
    found = FeatureTable.open([tmp_path / "plain.csv", tmp_path / "table.parquet"])
    assert found.texts == ("", *TEXTS)


def test_texts_are_no_feature_and_one_for_each_row() -> None:
    with pytest.raises(
        InputError, match="texts is a column of every table: a feature needs another"
    ):
        made(ROWS, names=["cnpmi", "texts"])
    with pytest.raises(InputError, match="a table of 4 targets has another number of"):
        replace(made(ROWS), texts=("news",))


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(
            st.floats(allow_nan=True, allow_infinity=False),
            st.floats(allow_nan=True, allow_infinity=False),
            st.one_of(st.integers(-(10**20), 10**20), st.sampled_from(["007", "a b", "-0", "é,"])),
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda row: str(row[2]),
    )
)
def test_any_numbers_and_topics_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, float, Any]]
) -> None:
    table = made([("sv", "m", topic, 3, a, b, 1.0) for a, b, topic in rows])
    path = tmp_path_factory.mktemp("saved") / "t.csv"
    table.save(path)
    same(FeatureTable.open(path).with_names(table.names), table)


def test_files_are_read_as_one_table(tmp_path: Path) -> None:
    table = made(ROWS)
    swedish = np.array(table.languages) == "sv"
    table.select(swedish).with_names(["cnpmi"]).save(tmp_path / "sv.csv")
    table.select(~swedish).save(tmp_path / "zh.jsonl")
    found = FeatureTable.open([tmp_path / "sv.csv", tmp_path / "zh.jsonl"])
    assert found.languages == ("sv", "sv", "sv", "zh")
    np.testing.assert_array_equal(found.column("mta"), [NAN, NAN, NAN, 0.0])
    np.testing.assert_array_equal(found.column("cnpmi"), [1, 2, 3, 6])


def test_a_compressed_table_without_target_and_with_texts_for_nothing(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "t.csv.gz", "wt") as stream:
        stream.write("pivot,language,model,topic,cardinality,mta,cnpmi(never=-1),cnpmi\n")
        stream.write("en,sv,m,3.0,10,NA,1e-3,-0.5\n")
    found = FeatureTable.open(tmp_path / "t.csv.gz")
    assert found.names == ("cardinality", "cnpmi", "mta", "cnpmi(never=-1)")
    np.testing.assert_array_equal(found.values, [[10, -0.5, NAN, 0.001]])
    assert found.topics == (3,)
    assert np.isnan(found.target).all()


HEAD = "pivot,language,model,topic,cardinality,target,cnpmi\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD, "t.csv: no rows in it"),
        ("language,model,topic,cardinality\nsv,a,0,5\n", "t.csv:2: no field pivot"),
        ("pivot,language,model,topic\nen,sv,a,0\n", "t.csv:2: no field cardinality"),
        (HEAD + "en,,a,0,5,.1,.2\n", "t.csv:2: language is ''"),
        (HEAD + "en,sv,a,0,5,.1,.2\nen,sv,a,1,2.5,.1,.2\n", "t.csv:3: cardinality is '2.5'"),
        (HEAD + "en,sv,a,0,,.1,.2\n", "t.csv:2: cardinality is ''"),
        (HEAD + "en,sv,a,0,0,.1,.2\n", "t.csv:2: cardinality is '0'"),
        (HEAD + "en,sv,a,0,5,.1,.2\nen,sv,a,1,5,.1,much\n", "t.csv:3: cnpmi is 'much', not a num"),
        (HEAD + "en,sv,a,0,5,.1,.2\nen,sv,a,1,5,inf,.2\n", "t.csv:3: target is 'inf', not a fin"),
        (HEAD + "en,sv,a,0,5,.1,.2\nen,sv,a,1\n", "t.csv:3: 4 fields, but the header has 7"),
        (
            HEAD + "en,sv,a,0,5,.1,.2\nen,sv,a,1,5,.1,.2\nen,sv,a,0.0,5,.1,.2\n",
            "t.csv:4: the row of en, sv, model a, topic 0, cardinality 5 is in .*t.csv:2 too",
        ),
    ],
)
def test_errors_name_file_and_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said) as error:
        FeatureTable.open(tmp_path / "t.csv")
    assert "\n" not in str(error.value)


def test_no_such_file_and_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl: no such file"):
        FeatureTable.open(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="no feature table is given"):
        FeatureTable.open([])


def test_joined_tables_have_all_columns_in_their_order() -> None:
    one = made(ROWS[:1], ["mta", "more"])
    other = made(ROWS[3:], ["icc", "cnpmi"])
    one.notes.append("noted")
    found = FeatureTable.joined([one, other])
    assert found.names == ("cnpmi", "mta", "icc", "more")
    expected = [[NAN, 1.0, NAN, 0.2], [0.0, NAN, 6.0, NAN]]
    np.testing.assert_array_equal(found.values, expected)
    assert found.notes == ["noted"]
    assert len(FeatureTable.joined([])) == 0


def test_a_row_that_two_tables_have_is_refused() -> None:
    with pytest.raises(InputError, match="sv, model a, topic 1, cardinality 5 is given twice"):
        FeatureTable.joined([made(ROWS), made(ROWS[1:2])])


def test_parts_of_a_table() -> None:
    table = made(ROWS)
    assert table.complete().tolist() == [True, False, True, True]
    assert table.complete(["cnpmi"]).all()
    part = table.select(table.complete())
    assert part.topics == (0, 0, "x")
    same(table.select([0, 2, 3]), part)
    turned = table.with_names(["mta", "cardinality"])
    assert turned.names == ("mta", "cardinality")
    np.testing.assert_array_equal(turned.values[:, 1], [5, 5, 5, 10])


def test_names_that_are_not_there() -> None:
    table = made(ROWS)
    with pytest.raises(InputError, match=r"no feature cnpim .*did you mean cnpmi\? \(there are cn"):
        table.with_names(["cnpim"])
    with pytest.raises(InputError, match="mta is named twice"):
        table.with_names(["mta", "cnpmi", "mta"])
    with pytest.raises(InputError, match="target is a column of every table"):
        made(ROWS, ["target", "mta"])


def test_what_does_not_fit_together_is_refused() -> None:
    table = made(ROWS)
    with pytest.raises(InputError, match="4 rows and 3 features have the shape"):
        FeatureTable(
            table.pivots, table.languages, table.models, table.topics, table.cardinalities,
            ("a", "b", "c"), table.values, table.target,
        )  # fmt: skip
    with pytest.raises(InputError, match="3 targets has another number of languages"):
        FeatureTable(
            table.pivots, table.languages, table.models, table.topics, table.cardinalities,
            table.names, table.values, table.target[:3],
        )  # fmt: skip
    with pytest.raises(InputError, match="mta is infinite in row 2"):
        made([ROWS[0], ("sv", "a", 1, 5, 0.2, 2.0, float("inf"))])


def test_the_summary_of_a_feature() -> None:
    found = made(ROWS).summary()
    cnpmi = found.row("cnpmi")  # 1, 2, 3, 6: mean 3, squares 4 + 1 + 0 + 9 = 14, 14 / 4 = 3.5
    assert (cnpmi.group, cnpmi.coverage, cnpmi.mean, cnpmi.variance) == ("base", 1.0, 3.0, 3.5)
    assert cnpmi.sd == pytest.approx(3.5**0.5)
    assert (cnpmi.minimum, cnpmi.maximum, cnpmi.constant) == (1.0, 6.0, False)
    mta = found.row("mta")  # 0.2, 0.4, 0: mean 0.2
    assert [mta.coverage, mta.mean] == pytest.approx([0.75, 0.2])
    assert found.row("target").coverage == 0.75
    lines = str(made(ROWS)).splitlines()
    assert lines[2].split()[:3] == ["mta", "base", "75.0%"]
    assert lines[-1].startswith("4 rows, 2 languages, 3 models, 2 cardinalities;")


def test_the_summary_names_languages_that_say_nothing_of_a_feature() -> None:
    rows = [("am", "a", k, 5, 0.1, float(k), 0.0) for k in range(3)]
    rows += [("sv", "a", k, 5, 0.1, NAN, float(k)) for k in range(3)]
    notes = made(rows).summary().notes
    assert notes == [
        "cnpmi is undefined in 1 of 2 languages: sv",
        "mta is constant in 1 of 2 languages: am",
    ]
    assert "am" in str(made(rows))


def test_a_share_that_is_not_whole_does_not_look_so() -> None:
    rows = [("sv", "a", k, 5, 0.1, float(k), float(k)) for k in range(3000)]
    rows[7] = ("sv", "a", 7, 5, 0.1, NAN, 7.0)
    shown = str(made(rows))
    assert "99.9%" in shown
    assert "constant" in shown.splitlines()[-2]  # the target


@pytest.mark.parametrize(
    ("second", "name", "said"),
    [
        ([0.0] * 4, "mta", "mta is 0 in all 4 rows: leave it out (--without mta), or give"),
        ([0.1 + 0.2, 0.3, 0.3, NAN], "icc", "icc is 0.3 in all 4 rows with it: leave it out"),
        ([NAN] * 4, "mta", "mta is undefined in all 4 rows: give a dictionary, or leave it out"),
        ([NAN] * 4, "era_sd", "era_sd is undefined in all 4 rows: give a table of words and years"),
        ([NAN] * 4, "drift_sd", "drift_sd is undefined in all 4 rows: give a modern corpus"),
        ([NAN] * 4, "extra", "extra is undefined in all 4 rows: give its source"),
    ],
)
def test_a_feature_that_says_nothing_is_an_error(second: list[float], name: str, said: str) -> None:
    rows = [("sv", "a", k, 5, 0.1, float(k), value) for k, value in enumerate(second)]
    table = made(rows, ["cnpmi", name])
    with pytest.raises(InputError) as error:
        table.check()
    assert str(error.value).startswith(said)
    table.check(["cnpmi"])
    with pytest.raises(InputError, match="cardinality is 5 in all 4 rows"):
        table.check(["cnpmi", "cardinality"])


def test_features_must_vary_where_all_are_defined() -> None:
    # the first feature varies, but not in the rows that have the second one too
    rows = [("sv", "a", k, 5, 0.1, max(1.0, k), NAN if k > 1 else float(k)) for k in range(4)]
    with pytest.raises(InputError, match="cnpmi is 1 in all 2 rows that have all features"):
        made(rows).check()
    # nor where the target is known
    rows = [("sv", "a", k, 5, NAN if k > 1 else 0.1, max(1.0, k), float(k)) for k in range(4)]
    with pytest.raises(InputError, match="cnpmi is 1 in all 2 rows that have all features"):
        made(rows).check()
    apart = [("sv", "a", k, 5, 0.1, NAN if k < 2 else k, k if k < 2 else NAN) for k in range(4)]
    with pytest.raises(InputError, match="none of 4 rows has all of cnpmi, mta"):
        made(apart).check()


def test_a_notebook_shows_the_summary_not_the_rows() -> None:
    rows = [("sv", "a", k, 5, 0.1, float(k), k / 7) for k in range(2000)]
    assert made(rows)._repr_html_().count("<tr>") == 4
    assert made(rows).to_html().count("<tr>") == 2001
    assert made(rows[:2]).to_markdown().splitlines()[3] == (
        "| en | sv | a | 1 | 5 | 0.1000 | 1.0000 | 0.1429 |"
    )
