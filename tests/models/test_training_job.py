"""A training as a job in Python: output, resume, restart, checkpoints, signals and notes."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.models import train
from tealeaves.models.polylingual.training import TrainingProgress
from tealeaves.topics.reading import read_topics

from .polylingual.planted import planted

SPEC = "pltm(k=3, max_df=0.5, iterations=30)"
PAIRED = planted(12)


def stop_at(sweep: int, number: signal.Signals = signal.SIGTERM) -> Any:
    """Return a callback that sends this process a signal after a sweep."""

    def on_sweep(progress: TrainingProgress) -> None:
        if progress.sweeps == sweep:
            signal.raise_signal(number)

    return on_sweep


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "pltm.topics"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_training_goes_on_to_the_same_bytes(output: Path, number: signal.Signals) -> None:
    handlers = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    partial = output.with_name("pltm.topics.partial")
    with pytest.raises(
        KeyboardInterrupt, match=r"partial holds what is done; --resume continues it"
    ):
        train(SPEC, PAIRED, output=output, on_sweep=stop_at(17, number))
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert partial.exists()
    assert not output.exists()
    with pytest.raises(InputError, match="is an unfinished training: --resume continues it"):
        train(SPEC, PAIRED, output=output)
    sweeps: list[int] = []
    resumed = train(
        SPEC, PAIRED, output=output, resume=True, on_sweep=lambda one: sweeps.append(one.sweeps)
    )
    assert sweeps == list(range(17, 31))
    assert not partial.exists()
    unbroken = output.with_name("unbroken.topics")
    assert train(SPEC, PAIRED, output=unbroken).digest == resumed.digest
    assert output.read_bytes() == unbroken.read_bytes()


def test_an_interrupt_of_another_kind_says_that_nothing_is_saved(output: Path) -> None:
    def interrupt(progress: TrainingProgress) -> None:
        if progress.sweeps == 17:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="nothing was saved yet"):
        train(SPEC, PAIRED, output=output, on_sweep=interrupt)
    with pytest.raises(KeyboardInterrupt, match="partial holds what is done"):
        train(SPEC, PAIRED, output=output, checkpoint=0, on_sweep=interrupt)


def test_a_complete_training_is_read_and_not_repeated(output: Path) -> None:
    notes: list[str] = []
    topics = train(SPEC, PAIRED, output=output, on_note=notes.append)
    assert [note.split()[0] for note in notes] == ["stop", "log-likelihood", f"{output}:"]
    assert notes[2] == f"{output}: {SPEC} of 12 tuples"
    before = output.stat().st_mtime_ns
    steps: list[object] = []
    again = train(
        SPEC, PAIRED, output=output, resume=True, on_sweep=steps.append, on_note=notes.append
    )
    assert again == topics
    assert (steps, notes[3:]) == ([], [f"{output} is complete already"])
    assert output.stat().st_mtime_ns == before
    with pytest.raises(InputError, match="holds other topics: --restart replaces them"):
        train(SPEC, PAIRED, output=output, resume=True, seed=2)
    train(SPEC, PAIRED, output=output, restart=True, seed=2)
    assert read_topics(output).model == "pltm-3-2"


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        (SPEC, {"resume": True}, "need the output file"),
        (SPEC, {"resume": True, "restart": True}, r"either resume \(--resume\) or restart"),
        (SPEC, {"output": "topics.csv"}, "topics are saved as .topics or .json"),
        (SPEC, {"output": "no/such.topics"}, "no: no such folder: make it first"),
        ("lda", {"resume": True}, "resume is for pltm, not for lda"),
        ("lda", {"checkpoint": 5}, "checkpoint is for pltm, not for lda"),
        ("lda", {"on_sweep": print}, "on_sweep is for pltm, not for lda"),
    ],
)
def test_wrong_options_are_refused_before_texts_are_read(
    spec: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        train(spec, "no-such-file.txt", **options)


def test_other_models_save_their_topics_too(output: Path) -> None:
    notes: list[str] = []
    texts = ["cat dog cat", "dog cat", "soup bread", "bread soup bread"]
    topics = train("nmf(k=2)", texts, output=output, on_note=notes.append)
    assert read_topics(output) == topics
    assert notes[0].startswith("stop words stay in the texts: leave them out with --tokens")
    assert notes[1] == f"{output}: nmf(k=2) of 4 texts"


def test_a_file_that_holds_no_topics_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"my": "data"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.json exists and holds no topics: name another"):
        train("nmf(k=2)", demo.corpus("en"), output=path)
    assert path.read_text(encoding="utf-8") == '{"my": "data"}'
    topics = tmp_path / "nmf.topics"
    first = train("nmf(k=2)", demo.corpus("en"), output=topics)
    assert len(train("nmf(k=3)", demo.corpus("en"), output=topics)) == len(first) + 1
