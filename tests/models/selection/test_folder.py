"""The folder of a selection: what is trained stays, and nothing else is taken for it."""

from __future__ import annotations

import gc
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tealeaves import Topics, demo, read_topics, train
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.models import Selection, select
from tealeaves.models.selection import search
from tealeaves.models.training import fit

SMALL = "lda(iterations=40)"
OTHER = "lda(iterations=41)"


def times(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.topics")}


def test_a_folder_keeps_the_models(tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    whole = select(SMALL, demo.corpus("en"), "4,6", runs=2, folder=folder)
    names = {path.name for path in folder.iterdir()}
    labels = ("lda-4-1", "lda-4-2", "lda-6-1", "lda-6-2")
    assert names == {"selection.json", *(f"{label}.topics" for label in labels)}
    assert whole.best_run is not None
    assert whole.best_run.path is not None
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    again = select(SMALL, demo.corpus("en"), "4,6", runs=2, folder=folder, resume=True)
    assert str(again) == str(whole)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    wider = select(SMALL, demo.corpus("en"), "4,6,8", runs=2, folder=folder, resume=True)
    assert [one.k for one in wider.candidates] == [4, 6, 8]
    assert all(path.stat().st_mtime_ns == at for path, at in before.items() if "lda" in path.name)
    memory = select(SMALL, demo.corpus("en"), "4,6", runs=2)
    assert memory.to_jsonl() == whole.to_jsonl()


def test_what_is_there_is_neither_mixed_nor_thrown_away(tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    select(SMALL, demo.corpus("en"), "4", runs=1, folder=folder)

    def again(model: str = SMALL, language: str = "en", **more: object) -> Selection:
        return select(model, demo.corpus(language), "4", runs=1, folder=folder, **more)  # type: ignore[arg-type]

    with pytest.raises(InputError, match="--resume continues it, --restart starts again"):
        again()
    with pytest.raises(InputError, match="the texts differ"):
        again(language="es", resume=True)
    with pytest.raises(InputError, match="the tokens differ"):
        again(tokens="words", resume=True)
    with pytest.raises(InputError, match="the model differs"):
        again(model="lda(iterations=41)", resume=True)
    (folder / "mine.txt").write_text("mine")
    again(model="lda(iterations=41)", restart=True)
    assert (folder / "mine.txt").read_text() == "mine"
    (folder / "selection.json").unlink()
    with pytest.raises(InputError, match="holds other files: name another folder"):
        again(restart=True)


def test_a_manifest_that_names_other_files_removes_none_of_them(tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    select(SMALL, demo.corpus("en"), "4", runs=1, folder=folder)
    outside = tmp_path / "outside.topics"
    outside.write_text("mine")
    manifest = json.loads((folder / "selection.json").read_text())
    del manifest["checksum"]
    manifest["files"] += ["../outside.topics", "notes.txt"]
    (folder / "selection.json").write_text(json.dumps(manifest))
    (folder / "notes.txt").write_text("mine")
    select(SMALL, demo.corpus("en"), "4", runs=1, folder=folder, restart=True)
    assert outside.exists()
    assert (folder / "notes.txt").exists()


@pytest.mark.parametrize("order", [[SMALL, OTHER], [OTHER, SMALL]])
def test_a_model_that_is_added_leaves_the_trained_ones_their_names(
    order: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "grid"
    select(SMALL, demo.corpus("en"), "4", runs=1, folder=folder)
    before = times(folder)
    wider = select(order, demo.corpus("en"), "4", runs=1, folder=folder, resume=True)
    assert before.items() <= times(folder).items()
    assert len(times(folder)) == 2
    for one in wider.candidates:
        [run] = one.runs
        assert run.path is not None
        assert read_topics(run.path).family == one.family
        assert (run.label == "lda-4-1") == (one.kind == SMALL)
    alone = select(OTHER, demo.corpus("en"), "4", runs=1, folder=folder, resume=True)
    assert alone.candidates[0] in wider.candidates
    assert len(times(folder)) == 2


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_model_is_trained_again(damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    whole = select(SMALL, demo.corpus("en"), "4,6", runs=1, folder=folder)
    before = times(folder)
    file = folder / "lda-6-1.topics"
    data = file.read_bytes()
    middle = len(data) // 2
    changed = data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :]
    file.write_bytes({"cut": data[:middle], "changed": changed, "empty": b""}[damage])
    with pytest.warns(TealeavesWarning, match=r"lda-6-1.topics: .*: it is trained again"):
        again = select(SMALL, demo.corpus("en"), "4,6", runs=1, folder=folder, resume=True)
    assert file.read_bytes() == data
    assert times(folder)["lda-4-1.topics"] == before["lda-4-1.topics"]
    assert str(again) == str(whole)


def test_another_model_in_the_place_of_one_is_found_before_training(tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    select(SMALL, demo.corpus("en"), "4,6", runs=2, folder=folder)

    def refused() -> None:
        before = times(folder)
        with pytest.raises(InputError, match=r"lda-4-1\.topics holds another model, not lda"):
            select(SMALL, demo.corpus("en"), "4,6,8", runs=2, folder=folder, resume=True)
        assert times(folder) == before

    file = folder / "lda-4-1.topics"
    shutil.copy(folder / "lda-6-1.topics", file)  # another number of topics
    refused()
    shutil.copy(folder / "lda-4-2.topics", file)  # another seed
    refused()
    train(SMALL, demo.corpus("en")[:60], k=4).save(file)  # other texts
    refused()
    train(OTHER, demo.corpus("en"), k=4).save(file)  # another parameter
    refused()
    Topics.of([["cat", "dog"]], model="lda-4-1").save(file)
    refused()


@pytest.mark.parametrize("resume", [True, False])
def test_a_file_that_is_not_of_the_selection_is_left_alone(resume: bool, tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    select(SMALL, demo.corpus("en"), "4", runs=1, folder=folder)
    mine = folder / "lda-6-1.topics"
    mine.write_text("mine")
    with pytest.raises(
        InputError, match=r"lda-6-1\.topics does not belong to this selection: move it away"
    ):
        select(SMALL, demo.corpus("en"), "4,6", folder=folder, resume=resume, restart=not resume)
    assert mine.read_text() == "mine"
    assert (folder / "lda-4-1.topics").exists()


def test_models_that_are_saved_are_not_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []

    def living() -> int:
        # not isinstance, which asks weak references for objects that may be gone
        return sum(type(one) is Topics for one in gc.get_objects())

    def watched(*given: Any) -> Topics:
        gc.collect()
        held.append(living() - before)
        return fit(*given)

    monkeypatch.setattr(search, "fit", watched)
    gc.collect()
    before = living()
    selection = select(SMALL, demo.corpus("en"), "3,4,5", runs=1, folder=tmp_path / "grid")
    assert held == [0, 0, 0]
    gc.collect()
    assert living() == before
    assert list(selection.trained) == ["lda-3-1", "lda-4-1", "lda-5-1"]
    assert len(selection.trained["lda-4-1"]) == 4
    assert selection.trained["lda-4-1"] is not selection.trained["lda-4-1"]
    with pytest.raises(KeyError):
        selection.trained["lda-9-1"]
