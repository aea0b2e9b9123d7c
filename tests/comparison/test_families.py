"""Runs of one family: told by what models say, else by their names."""

from __future__ import annotations

import pytest

from tealeaves import Topics
from tealeaves.comparison.groups import by_family, family_runs, has_runs, notes_on_names


def model(name: str, family: str = "", topics: int = 3) -> Topics:
    return Topics.of([[f"a{k}", f"b{k}"] for k in range(topics)], model=name, family=family)


@pytest.mark.parametrize(
    ("first", "second", "family", "seeds"),
    [
        ("lda-20-1", "lda-20-2", "lda-20", [1, 2]),
        ("lda_run2", "lda_run10", "lda", [2, 10]),
        ("lda.seed3", "lda.seed4", "lda", [3, 4]),
        ("lda Run 1", "lda seed_2", "lda", [1, 2]),
        ("my-lda-v2-1", "my-lda-v2-07", "my-lda-v2", [1, 7]),
    ],
)
def test_a_number_at_the_end_is_a_seed(
    first: str, second: str, family: str, seeds: list[int]
) -> None:
    runs = family_runs([model(first), model(second)])
    assert [run.family for run in runs] == [family, family]
    assert [run.seed for run in runs] == seeds


@pytest.mark.parametrize("name", ["lda20", "lda", "20", "run2", "lda-v2"])
def test_other_names_are_whole(name: str) -> None:
    assert family_runs([model(name), model("other")])[0] == (name, None)


def test_the_number_of_topics_is_no_seed() -> None:
    models = [model("lda-3"), model("lda-4", topics=4), model("nmf-3"), model("nmf-4", topics=4)]
    assert list(by_family(models)) == ["lda-3", "lda-4", "nmf-3", "nmf-4"]
    assert not has_runs(models)


@pytest.mark.parametrize(
    "names",
    [
        ("bert-1.5", "bert-1.6"),
        ("bert_v2.0", "bert_v2.1"),
        ("lda-2019", "lda-2020"),
        ("lda-1900", "lda-2100"),
    ],
)
def test_versions_and_years_are_no_seeds(names: tuple[str, str]) -> None:
    assert list(by_family([model(name) for name in names])) == list(names)


@pytest.mark.parametrize(
    "names",
    [("lda-1899", "lda-2101"), ("lda-seed2019", "lda-run-2020"), ("lda-2.seed1", "lda-2.seed2")],
)
def test_what_is_written_as_a_seed_or_is_no_year_is_one(names: tuple[str, str]) -> None:
    assert len(by_family([model(name) for name in names])) == 1


def test_models_with_other_numbers_of_topics_are_no_runs() -> None:
    """lda-8 is no other run of lda-7, whatever its number of topics stands for."""
    models = [model("lda-7", topics=7), model("lda-8", topics=9), model("nmf-1"), model("nmf-2")]
    assert list(by_family(models)) == ["lda-7", "lda-8", "nmf"]
    # unless the names say so: some models find their number of topics themselves
    models = [model("hdp-run1", topics=7), model("hdp-run2", topics=9)]
    assert list(by_family(models)) == ["hdp"]


def test_what_a_model_says_of_itself_comes_first() -> None:
    models = [model("x-1", "lda(k=3)"), model("y-2", "lda(k=3)"), model("z-1", "nmf(k=3)")]
    assert {family: len(runs) for family, runs in by_family(models).items()} == {
        "lda(k=3)": 2,
        "nmf(k=3)": 1,
    }
    assert [seed for _, seed in by_family(models)["lda(k=3)"]] == [1, 2]
    assert notes_on_names(models) == []


def test_a_single_run_keeps_its_name() -> None:
    models = [model("lda-1"), model("lda-2"), model("bert-1.5")]
    assert list(by_family(models)) == ["lda", "bert-1.5"]
    assert notes_on_names(models) == [
        "runs by their names: lda (lda-1, lda-2); --over topics compares each by itself"
    ]


def test_two_families_with_two_runs_each_are_compared_over_seeds() -> None:
    assert has_runs([model(name) for name in ("a-1", "a-2", "b-1", "b-2")])
    assert not has_runs([model(name) for name in ("a-1", "a-2", "b-1", "c-1")])
