"""``tealeaves relevance gather`` that is interrupted, resumed or restarted."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from tealeaves.evidence.attention import chunks, topic_relevance
from tealeaves.evidence.attention.batch_relevance import batch_relevance
from tealeaves.evidence.attention.relevance_file import load_relevance, save_relevance

from .relevance_commands import GatherCommand, check_error


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Tell how many texts went through the network, batch by batch."""
    sizes: list[int] = []

    def counted(network: Any, batch: Any, texts: Any, **given: Any) -> Any:
        sizes.append(len(texts))
        return batch_relevance(network, batch, texts, **given)

    monkeypatch.setattr(chunks, "batch_relevance", counted)
    return sizes


# ------------------------------------------------------------------ stopping and going on


def stopped(gather: GatherCommand, monkeypatch: pytest.MonkeyPatch, *more: object) -> Any:
    """Gather, and press Ctrl-C when something was saved."""

    def save_and_stop(relevance: Any, path: Path) -> None:
        save_relevance(relevance, path)
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(topic_relevance, "save_relevance", save_and_stop)
        return gather("a.relevance", "--checkpoint", 0, "--budget", "all", *more, texts="*")


def test_ctrl_c_keeps_finished_work(gather: GatherCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    done = stopped(gather, monkeypatch)
    assert done.code == 130
    partial = gather.into / "a.relevance.partial"
    [line] = done.err.splitlines()
    assert line == (
        f"tealeaves: error: interrupted: {partial} holds what is done; --resume continues it"
    )
    assert load_relevance(partial).totals.used == 128  # the chunk that was at work is finished
    check_error(
        gather("a.relevance", "--budget", "all", texts="*"),
        f"{partial} is an unfinished gathering: --resume continues it, --restart starts again",
    )
    kept = partial.read_bytes()
    for more, message in (
        (["--resume", "--seed", 1], "of other texts"),
        (["--resume", "--top", 3], "of different words"),
        (["--resume", "--head-sample", 5], "chosen from 128 texts, not from 5"),
    ):
        done = gather("a.relevance", "--budget", 135, *more, texts="*")
        check_error(done, f"{partial} is of another run: ")
        assert message in done.err
        assert done.err.endswith("(--restart starts again)\n")
    assert partial.read_bytes() == kept
    assert gather("a.relevance", "--budget", "all", "--resume", texts="*").code == 0
    assert gather("whole.relevance", "--budget", "all", texts="*").code == 0
    whole, found = (gather.into / f"{name}.relevance" for name in ("whole", "a"))
    assert found.read_bytes() == whole.read_bytes()
    assert not partial.exists()


def test_restart_discards_the_partial_file(
    gather: GatherCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(gather, monkeypatch)
    assert gather("a.relevance", "--restart", "--budget", 7).code == 0
    assert load_relevance(gather.into / "a.relevance").totals.used == 7
    assert not (gather.into / "a.relevance.partial").exists()


def test_stopped_before_anything_was_saved(
    gather: GatherCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(chunks, "batch_relevance", interrupted)
    done = gather("a.relevance")
    assert done.code == 130
    assert done.err == "tealeaves: error: interrupted: nothing was saved yet\n"


def test_a_complete_file_is_not_gathered_again(gather: GatherCommand, network: list[int]) -> None:
    gather("a.relevance", "--budget", 64, "--head-sample", 20)
    kept = (gather.into / "a.relevance").read_bytes()
    network.clear()
    done = gather("a.relevance", "--budget", 64, "--head-sample", 20, "--resume")
    assert done.code == 0
    assert done.err == f"{gather.into / 'a.relevance'} is complete already\n"
    assert not network
    for more, message in (
        (["--budget", 70], "holds other relevance: it lacks texts"),
        (["--budget", 64, "--seed", 3], "holds other relevance: the unfinished relevance is of"),
        (["--budget", 64, "--top", 3], "holds other relevance: it is of different words"),
        (["--budget", 64, "--all-pairs"], "holds other relevance: it is of different words"),
    ):
        done = gather("a.relevance", "--head-sample", 20, "--resume", *more)
        check_error(done, message)
        assert "(--restart replaces it)" in done.err
        assert (gather.into / "a.relevance").read_bytes() == kept
    done = gather("a.relevance", "--resume", classifier="other")
    check_error(done, "it is of another classifier, tiny (--restart replaces it)")
