"""Fits that are stopped, killed or short of memory go on from their checkpoints."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.encoders import Encoder, open_encoder
from tealeaves.evidence.attention.training.checkpoints import (
    Checkpoint,
    Checkpoints,
    remove_checkpoints,
)
from tealeaves.evidence.attention.training.examples import Examples
from tealeaves.evidence.attention.training.finetuning import Classes, finetune
from tealeaves.evidence.attention.training.masked_words import fit_masked
from tealeaves.evidence.attention.training.settings import FitOptions, FitSettings
from tests.systems import needs_fork

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

# three epochs of five steps; the best one is not always the last
SETTINGS = FitSettings(longest=16, batch=4, rate=3e-3, epochs=3, patience=3)
OFTEN: dict[str, Any] = {"checkpoint": 0.0}
WORDS = ("cat", "dog", "car", "road")


def _encoder() -> Encoder:
    pieces = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=20,
        max_position_embeddings=20,
        initializer_range=0.2,
    )
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    return open_encoder(
        (transformers.BertModel(config), transformers.BertTokenizer(vocab=vocabulary))
    )


def _examples() -> Examples:
    random = np.random.default_rng(0)
    words = [[str(word) for word in random.choice(WORDS, random.integers(2, 9))] for _ in range(25)]
    return Examples(words, random.integers(0, 2, 25), ("a", "b"), {})


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return _encoder()


Fit = Callable[..., Classifier]


@pytest.fixture(params=["finetune", "mlm"])
def fit(request: pytest.FixtureRequest, encoder: Encoder) -> Fit:
    """Fit in a folder, in one of two ways."""

    def fit_in(
        folder: Path | None,
        settings: FitSettings = SETTINGS,
        control: dict[str, Any] = OFTEN,
        *,
        resume: bool = False,
        restart: bool = False,
    ) -> Classifier:
        options = FitOptions(
            held_out=0.2, folder=folder, resume=resume, restart=restart, device="cpu"
        )
        examples = _examples()
        if request.param == "mlm":
            return fit_masked(encoder, examples.words, settings, options._replace(**control))
        return finetune(encoder, examples, settings, options._replace(**control))

    return fit_in


class _After:
    """Ask to stop after so many steps."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def __call__(self) -> bool:
        self._left -= 1
        return self._left == 0


def _same(one: Classifier, other: Classifier) -> None:
    assert one.fingerprint == other.fingerprint
    assert _untimed(one) == _untimed(other)


def _untimed(found: Classifier) -> dict[str, Any]:
    assert found.report["seconds"] > 0
    return {name: value for name, value in found.report.items() if name != "seconds"}


def _position(folder: Path) -> dict[str, Any]:
    from safetensors import safe_open

    with safe_open(folder / "checkpoints" / "checkpoint.safetensors", framework="pt") as file:
        return dict(json.loads(file.metadata()["position"]))


def test_a_fit_that_was_stopped_gives_the_same_weights(fit: Fit, tmp_path: Path) -> None:
    whole = fit(None)
    assert len(whole.report["epochs"]) == 3
    # before, at, and after the end of an epoch; rarely checkpoints otherwise
    for steps in (2, 5, 4):
        with pytest.raises(KeyboardInterrupt):
            fit(tmp_path, control={"checkpoint": 1e9, "stop": _After(steps)}, resume=True)
    assert (len(_position(tmp_path)["epochs"]), _position(tmp_path)["done"]) == (2, 1)
    _same(fit(tmp_path, resume=True), whole)
    # what is finished is not fitted again
    _same(fit(tmp_path, control={"stop": _After(1)}, resume=True), whole)


def test_checkpoints_change_nothing(fit: Fit, tmp_path: Path) -> None:
    _same(fit(tmp_path), fit(None))
    names = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert names == [f"best-{_position(tmp_path)['best']}.safetensors", "checkpoint.safetensors"]


def test_a_finished_or_unfinished_fit_is_not_written_over(fit: Fit, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path, control={"stop": _After(2)})
    before = _position(tmp_path)
    with pytest.raises(InputError, match=r"checkpoints: an unfinished fit: resume \(--resume\)"):
        fit(tmp_path)
    assert _position(tmp_path) == before
    _same(fit(tmp_path, restart=True), fit(None))


def test_what_is_saved_is_not_fitted_again(fit: Fit, tmp_path: Path) -> None:
    first = fit(tmp_path)
    first.save(tmp_path)
    remove_checkpoints(tmp_path / "checkpoints")
    never = {"stop": lambda: True}
    assert fit(tmp_path, control=never, resume=True) == first
    assert fit(tmp_path, control=never, resume=True).report == first.report
    other = msgspec.structs.replace(SETTINGS, batch=5)
    with pytest.raises(InputError, match="a classifier of other texts or settings: restart"):
        fit(tmp_path, other, resume=True)
    # while it is about to be replaced, the unfinished one is gone on with
    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path, other, control={"stop": _After(2)})
    _same(fit(tmp_path, other, resume=True), fit(None, other))


def test_time_is_that_of_all_runs(fit: Fit, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path, control={"stop": _After(9)})
    earlier = _position(tmp_path)["seconds"]
    assert 0 < earlier < fit(tmp_path, resume=True).report["seconds"]


@pytest.mark.parametrize(
    "changed", [{"rate": 1e-3}, {"epochs": 4}, {"seed": 1}, {"longest": 5}, {"decay": 0.0}]
)
def test_another_fit_is_not_gone_on_with(
    fit: Fit, tmp_path: Path, changed: dict[str, float]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path, control={"stop": _After(2)})
    with pytest.raises(InputError, match="an unfinished fit of other texts"):
        fit(tmp_path, msgspec.structs.replace(SETTINGS, **changed), resume=True)


def test_other_labels_are_another_fit(encoder: Encoder, tmp_path: Path) -> None:
    options = FitOptions(held_out=0.2, folder=tmp_path, device="cpu")
    examples = _examples()
    with pytest.raises(KeyboardInterrupt):
        finetune(encoder, examples, SETTINGS, options._replace(stop=_After(2)))
    other = examples._replace(classes=1 - examples.classes)
    with pytest.raises(InputError, match="an unfinished fit of other texts, labels"):
        finetune(encoder, other, SETTINGS, options._replace(resume=True))
    named = _examples()._replace(labels=("a", "c"))
    with pytest.raises(InputError, match="an unfinished fit of other texts, labels"):
        finetune(encoder, named, SETTINGS, options._replace(resume=True))
    mean = options._replace(resume=True, pooling="mean")
    with pytest.raises(InputError, match="an unfinished fit of other texts, labels"):
        finetune(encoder, _examples(), SETTINGS, mean)


def test_a_fit_goes_on_with_smaller_batches_where_memory_was_short(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = FitOptions(held_out=0.2, folder=tmp_path, device="cpu")
    seen: list[int] = []
    loss = Classes.loss

    def short(self: Classes, rows: Any, rng: Any) -> Any:
        seen.append(len(rows))
        if len(seen) == 8 and len(rows) > 2:  # the third step of the second epoch
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 GiB")
        return loss(self, rows, rng)

    monkeypatch.setattr(Classes, "loss", short)
    with pytest.raises(InputError) as raised:
        finetune(encoder, _examples(), SETTINGS, options._replace(**OFTEN))
    told = str(raised.value)
    assert told.startswith("batch 4: the GPU is out of memory: use a smaller batch (--batch)")
    assert f"{tmp_path}" in told
    assert "\n" not in told
    position = _position(tmp_path)
    assert (len(position["epochs"]), position["done"]) == (1, 2)
    del seen[:]
    smaller = msgspec.structs.replace(SETTINGS, batch=2)
    found = finetune(encoder, _examples(), smaller, options._replace(resume=True, **OFTEN))
    # 20 texts: 2 of 5 steps are 4 of 10, so 6 are left of the second epoch, and 10 of the third
    assert len(seen) == 6 + 10
    assert len(found.report["epochs"]) == 3


@pytest.mark.parametrize("text", ["can't allocate memory: you tried", "shapes do not fit"])
def test_only_a_lack_of_memory_is_called_one(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError(text)

    monkeypatch.setattr(Classes, "loss", fail)
    with pytest.raises((InputError, RuntimeError)) as raised:
        finetune(encoder, _examples(), SETTINGS, FitOptions(held_out=0.2, device="cpu"))
    assert isinstance(raised.value, InputError) == text.startswith("can't")


def test_a_damaged_checkpoint_is_named(fit: Fit, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path, control={"stop": _After(2)})
    path = tmp_path / "checkpoints" / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(
        InputError, match=r"checkpoint\.safetensors: cannot be read as a checkpoint"
    ):
        fit(tmp_path, resume=True)


def test_foreign_tensors_are_no_checkpoint(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    save_file({"a": torch.ones(2)}, tmp_path / "checkpoint.safetensors")
    with pytest.raises(InputError, match="not a checkpoint that this version can read"):
        Checkpoints(tmp_path, fit="x").begin(resume=True)


def test_removing_leaves_what_is_not_ours(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    keeper = Checkpoints(folder, fit="x")
    keeper.keep_best(1, {"a": torch.ones(1)})
    keeper.keep(Checkpoint({"best": 1}, {"a": torch.ones(1)}))
    (folder / "notes.txt").write_text("mine")
    remove_checkpoints(folder)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    (folder / "notes.txt").unlink()
    remove_checkpoints(folder)
    assert not folder.exists()
    remove_checkpoints(folder)


# Children are forked, so that torch imports all that it needs once: a first fit sees to that. Each
# child is killed at a random moment.
_KILLED = """
import importlib.util, json, os, random, signal, sys, time
from pathlib import Path
spec = importlib.util.spec_from_file_location("tests_of_checkpoints", sys.argv[1])
tests = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = tests
spec.loader.exec_module(tests)
tests.torch.set_num_threads(1)
folder = Path(sys.argv[2])
encoder, examples = tests._encoder(), tests._examples()

def fit(place):
    options = tests.FitOptions(held_out=0.2, folder=place, resume=True, device="cpu")
    return tests.finetune(encoder, examples, tests.SETTINGS, options._replace(**tests.OFTEN))

def child(place, out):
    number = os.fork()
    if not number:
        found = fit(place)
        out.write_text(json.dumps([found.fingerprint, tests._untimed(found)]))
        os._exit(0)
    return number

fit(folder / "first")
start = time.monotonic()
os.waitpid(child(folder / "whole", folder / "whole.json"), 0)
took = time.monotonic() - start
draw = random.Random(int(sys.argv[3]))
kills = within = 0
while True:
    number = child(folder / "killed", folder / "killed.json")
    end = time.monotonic() + draw.uniform(0.05, 0.4) * took
    while time.monotonic() < end and not os.waitid(
        os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT
    ):
        time.sleep(0.002)
    os.kill(number, signal.SIGKILL)
    _, status = os.waitpid(number, 0)
    if os.WIFEXITED(status):
        break
    kills += 1
    last = folder / "killed" / "checkpoints" / "checkpoint.safetensors"
    within += last.exists() and not (folder / "killed.json").exists()
print(json.dumps([kills, within, os.WEXITSTATUS(status)]))
"""


@needs_fork
@pytest.mark.slow  # the command is killed at random points on every run
def test_killed_fits_give_the_weights_of_an_unbroken_one(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", _KILLED, __file__, str(tmp_path), "1"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    kills, within, status = json.loads(done.stdout)
    assert status == 0, done.stderr
    assert kills >= 1
    assert within >= 1  # at least one of them was killed on its way
    whole, killed = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("whole", "killed"))
    assert killed == whole


def test_a_flipped_bit_of_a_checkpoint_is_refused_or_changes_nothing(tmp_path: Path) -> None:
    tensors = {"weight": torch.tensor([0.5, -1.25]), "place": torch.tensor([3])}
    checkpoints = Checkpoints(tmp_path, fit="key")
    checkpoints.keep(Checkpoint({"epoch": 2, "loss": 0.25}, tensors))
    path = tmp_path / "checkpoint.safetensors"
    data = path.read_bytes()
    refused = 0
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :])
        try:
            found = checkpoints.begin(resume=True)
        except InputError:
            refused += 1
            continue
        assert found is not None
        assert found.position == {"epoch": 2, "loss": 0.25, "fit": "key"}
        assert {name: tensor.tolist() for name, tensor in found.tensors.items()} == {
            "weight": [0.5, -1.25], "place": [3],
        }  # fmt: skip
    assert refused > 0.8 * len(data)
