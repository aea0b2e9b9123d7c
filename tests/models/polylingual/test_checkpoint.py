"""A training that was stopped goes on to the same bits, and only with its own file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tealeaves.artifacts import ArtifactFormat
from tealeaves.errors import InputError
from tealeaves.models import model, train
from tealeaves.models.polylingual.checkpoint import (
    TRAINING,
    TrainingStamp,
    TrainingState,
    load_checkpoint,
    save_checkpoint,
)
from tealeaves.models.polylingual.model import PolylingualModel
from tealeaves.models.polylingual.training import (
    BestChain,
    TrainingOptions,
    _start_chain,
)
from tealeaves.models.training import training_texts
from tealeaves.text.paired import PairedCorpus

from .planted import planted

CHOSEN = model(
    "pltm(k=4, iterations=12, chains=3, optimize=3, burn_in=2, samples=3, parts=2, max_df=0.5)"
)
assert isinstance(CHOSEN, PolylingualModel)
TEXTS = training_texts(CHOSEN, planted(15, lacking=4))
STAMP = CHOSEN.stamp(TEXTS)


def stop_after(after: int) -> Callable[[], bool]:
    """Return what asks a run to stop after so many sweeps."""
    asked = iter(range(1, after + 1))
    return lambda: next(asked) == after


def run(sampler: str = "auto", **known: Any) -> BestChain:
    assert isinstance(CHOSEN, PolylingualModel)
    chosen = CHOSEN(sampler=sampler)
    return chosen.sample(TEXTS, TrainingOptions(**known))


@pytest.fixture(scope="module")
def unbroken() -> dict[str, BestChain]:
    """Runs that nobody stopped."""
    return {sampler: run(sampler) for sampler in ("auto", "dense", "sparse")}


def check_same(one: BestChain, other: BestChain) -> None:
    assert (one.number, one.traces) == (other.number, other.traces)
    assert np.array_equal(one.samples, other.samples)  # type: ignore[arg-type]
    mine, theirs = one.chain.arrays(), other.chain.arrays()
    assert list(mine) == list(theirs)
    for name, array in mine.items():
        assert np.array_equal(array, theirs[name]), name


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stops=st.lists(st.integers(1, 20), max_size=4), sampler=st.sampled_from(["dense", "sparse"]))
def test_stopped_anywhere_it_goes_on_to_the_same_bits(
    tmp_path: Path, unbroken: dict[str, BestChain], stops: list[int], sampler: str
) -> None:
    partial = tmp_path / "run.topics.partial"
    partial.unlink(missing_ok=True)
    left = 36
    for number, after in enumerate(stops):
        if after <= left:
            with pytest.raises(KeyboardInterrupt):
                run(sampler, partial=partial, stop=stop_after(after), threads=1 + number % 2)
            left -= after
    check_same(run(sampler, partial=partial, threads=2), unbroken[sampler])


def test_what_is_saved_last_has_all_that_is_needed(
    tmp_path: Path, unbroken: dict[str, BestChain]
) -> None:
    partial = tmp_path / "run.topics.partial"
    run(partial=partial, checkpoint=0.0)
    steps: list[Any] = []
    check_same(run(partial=partial, on_sweep=steps.append), unbroken["auto"])
    assert [one.sweeps for one in steps] == [36]  # nothing is sampled again


def test_it_is_saved_as_often_as_is_asked_for(tmp_path: Path) -> None:
    seen = []

    def on_sweep(_: object) -> None:
        seen.append((tmp_path / "run.topics.partial").exists())

    run(partial=tmp_path / "run.topics.partial", checkpoint=1000.0, on_sweep=on_sweep)
    assert not any(seen)
    run(partial=tmp_path / "run.topics.partial", checkpoint=0.0, on_sweep=on_sweep)
    assert sum(seen) == 35  # called before it is saved: not at the start, nor after the first sweep


def test_where_it_stands_is_read_as_it_was_saved(tmp_path: Path) -> None:
    state = TrainingState(_start_chain(TEXTS, CHOSEN.settings, 0), [[-7.25], [-0.1 - 0.2]])
    state.chain.advance()
    save_checkpoint(state, tmp_path / "run.topics.partial", STAMP)
    loaded = load_checkpoint(tmp_path / "run.topics.partial", STAMP, TEXTS)
    assert loaded.traces == state.traces
    assert (loaded.number, loaded.chain.sweep, loaded.best, loaded.samples) == (1, 1, None, [])
    assert np.array_equal(loaded.chain.topics, state.chain.topics)
    first = (tmp_path / "run.topics.partial").read_bytes()
    save_checkpoint(state, tmp_path / "run.topics.partial", STAMP)
    assert (tmp_path / "run.topics.partial").read_bytes() == first
    assert [file.name for file in tmp_path.iterdir()] == ["run.topics.partial"]


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    """The file of a run that was stopped."""
    with pytest.raises(KeyboardInterrupt):
        run(partial=tmp_path / "run.topics.partial", stop=stop_after(15))
    return tmp_path / "run.topics.partial"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "pltm(k=9)"}, "its model is pltm(k=4, seed=1, "),
        ({"corpus": "9#0"}, "its texts differ (15#"),
        ({"tokens": ("words", "tokens")}, "its tokens are words("),
        ({"languages": ("en", "tr")}, "its languages are en, sv"),
        ({"tealeaves": "0.0.1"}, "it was made with tealeaves "),
    ],
)
def test_a_file_of_another_run_is_refused(
    partial: Path, change: dict[str, Any], message: str
) -> None:
    known = {name: getattr(STAMP, name) for name in STAMP.__struct_fields__}
    before = partial.read_bytes()
    with pytest.raises(InputError) as caught:
        load_checkpoint(partial, TrainingStamp(**known | change), TEXTS)
    assert str(caught.value).startswith(f"{partial} belongs to another training: {message}")
    assert str(caught.value).endswith("(--restart starts again)")
    assert "\n" not in str(caught.value)
    assert partial.read_bytes() == before


def test_every_parameter_and_link_tells_a_run_from_others() -> None:
    assert isinstance(CHOSEN, PolylingualModel)
    other: dict[str, Any] = {
        "k": 5, "alpha": 0.2, "beta": 0.1, "iterations": 13, "optimize": 4, "burn_in": 3,
        "chains": 2, "parts": 3, "sampler": "sparse", "samples": 2, "seed": 2, "min_df": 2,
        "max_df": 0.6,
    }  # fmt: skip
    assert set(other) == set(CHOSEN.accepts)
    for name, value in other.items():
        assert STAMP.differs(CHOSEN(**{name: value}).stamp(TEXTS)), name
    unlinked = training_texts(CHOSEN, planted(15, lacking=4).unlink(0.5, seed=1))
    assert "texts differ" in STAMP.differs(CHOSEN.stamp(unlinked))
    words = training_texts(CHOSEN, planted(15, lacking=4), {"sv": "tokens"})
    assert "tokens are" in STAMP.differs(CHOSEN.stamp(words))
    assert STAMP.differs(CHOSEN.stamp(TEXTS)) == ""


def _write_members(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)


def _read_members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def _flip(path: Path) -> None:
    members = _read_members(path)
    members["now/topics.npy"] = members["now/topics.npy"][:-1] + b"\7"
    _write_members(path, members)


def _headless(path: Path) -> None:
    members = _read_members(path)
    del members["header.json"]
    _write_members(path, members)


def _save_as(form: ArtifactFormat[Any], path: Path, arrays: dict[str, Any] | None = None) -> None:
    """Write a file again, with a checksum that is right, and with some arrays replaced."""
    artifact = TRAINING.load(path)
    form.save(path, artifact.content, {**artifact.arrays, **(arrays or {})})


def _foreign(path: Path) -> None:
    _save_as(replace(TRAINING, name="other"), path)


def _newer(path: Path) -> None:
    _save_as(replace(TRAINING, version=99), path)


def _stray(path: Path) -> None:
    others = np.full(TEXTS.words.shape, 4, np.int32)  # the topics are 0 to 3
    _save_as(TRAINING, path, {"best/topics": others})


def _short(path: Path) -> None:
    _save_as(TRAINING, path, {"now/topics": np.zeros(3, np.int32)})


def _lacking(path: Path) -> None:
    artifact = TRAINING.load(path)
    arrays = {name: array for name, array in artifact.arrays.items() if name != "now/alpha"}
    TRAINING.save(path, artifact.content, arrays)


def _replaced(name: str, change: Callable[[Any], Any]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        _save_as(TRAINING, path, {name: change(TRAINING.load(path).array(name))})

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_replaced("best_samples", lambda phi: phi * np.nan), "samples are no probabilities"),
        (_replaced("best_samples", lambda phi: phi - 1), "samples are no probabilities"),
        (_replaced("best_samples", lambda phi: phi[:, 1:]), "samples have the wrong size"),
        (_replaced("now/numbers", lambda numbers: -numbers), "sweeps, the seed or the parts"),
        (_replaced("now/numbers", lambda numbers: 0 * numbers), "sweeps, the seed or the parts"),
        (_flip, "the checksum is wrong: the file is damaged"),
        (_foreign, "not a file of an unfinished training"),
        (_newer, "file version 99"),
        (_stray, "the topics are not those of the tokens"),
        (_short, "the topics are not those of the tokens"),
        (_lacking, "alpha"),
        (_headless, "there is no header.json in it"),
    ],
)
def test_a_damaged_file_is_refused(
    partial: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(partial)
    with pytest.raises(InputError) as caught:
        run(partial=partial)
    assert str(caught.value).startswith(f"{partial}: ")
    assert str(caught.value).endswith("(--restart starts again)")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.topics.partial").write_text("hello")
    with pytest.raises(InputError, match="not a complete file of an unfinished training"):
        run(partial=tmp_path / "run.topics.partial")


def test_texts_are_told_apart_before_they_are_sampled(partial: Path) -> None:
    other = PairedCorpus.of([{"en": "a b c d", "sv": "x y z w"}] * 8)
    with pytest.raises(InputError, match="its texts differ"):
        train(CHOSEN, other, output=partial.with_suffix(""), resume=True, max_df=1.0)
