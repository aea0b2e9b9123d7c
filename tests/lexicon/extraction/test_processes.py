"""Processes of targets: what the parent reads from them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tealeaves.lexicon.extraction import processes


class WindowsPipe:
    """A connection that is no ``Connection``, as pipes of Windows are."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, Any]] = [("ready", None), ("done", 5)]
        self.sent: list[Any] = []
        self.closed = False

    def recv(self) -> tuple[str, Any]:
        return self.messages.pop(0)

    def send(self, work: Any) -> None:
        self.sent.append(work)

    def close(self) -> None:
        self.closed = True


def test_pipes_of_windows_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, work = WindowsPipe(), object()
    target: Any = SimpleNamespace(name="fin")
    worker = SimpleNamespace(join=lambda: None, terminate=lambda: None)

    def start(pool: Any, target: Any) -> None:
        pool._running[pipe] = (target, worker)

    monkeypatch.setattr(processes._Pool, "_start", start)
    monkeypatch.setattr(processes, "wait", lambda connections, timeout: connections)
    looks = iter(range(5))

    def stop() -> bool:
        assert next(looks, None) is not None, "it waits for what it does not read"
        return False

    [outcome] = processes.run_targets(
        work, [target], jobs=2, report=lambda *_: None, stop=stop  # type: ignore[arg-type]
    )  # fmt: skip
    assert (outcome.target, outcome.result) == (target, 5)
    assert pipe.sent == [(work, target)]
    assert pipe.closed
