"""Jobs resume, stop at signals, and never discard unfinished work."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.jobs import (
    Job,
    interrupt_at_sigterm,
    progress_bar,
    stop_at_signals,
)


def job(folder: Path, **options: bool) -> Job:
    return Job(folder / "sum.txt", "count", **options)


def _break_off(work: Job, error: BaseException, *, saved: bool = True) -> None:
    with work.run():
        if saved:
            work.partial.write_text("half")
        raise error


def test_unfinished_work_is_not_discarded(tmp_path: Path) -> None:
    (tmp_path / "sum.txt.partial").write_text("half")
    with pytest.raises(InputError, match="is an unfinished count: --resume continues it"):
        job(tmp_path)
    assert job(tmp_path, resume=True).resumes
    with job(tmp_path, restart=True).run():
        assert not (tmp_path / "sum.txt.partial").exists()


def test_resume_and_restart_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"either resume \(--resume\) or restart"):
        job(tmp_path, resume=True, restart=True)


def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: no such folder: make it first"):
        Job(tmp_path / "none" / "sum.txt", "count")


def test_a_complete_result_is_recognised(tmp_path: Path) -> None:
    assert not job(tmp_path, resume=True).may_be_complete
    (tmp_path / "sum.txt").write_text("whole")
    assert job(tmp_path, resume=True).may_be_complete
    assert not job(tmp_path).may_be_complete
    (tmp_path / "sum.txt.partial").write_text("half")
    assert not job(tmp_path, resume=True).may_be_complete


def test_the_partial_file_is_removed_when_the_result_is_saved(tmp_path: Path) -> None:
    work = job(tmp_path)
    with work.run():
        work.partial.write_text("half")
        work.output.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["sum.txt"]


def test_the_partial_file_stays_after_an_error(tmp_path: Path) -> None:
    work = job(tmp_path)
    with pytest.raises(ValueError, match="broken"):
        _break_off(work, ValueError("broken"))
    assert work.partial.read_text() == "half"


@pytest.mark.parametrize("saved", [True, False])
def test_an_interrupted_job_names_the_partial_file(tmp_path: Path, *, saved: bool) -> None:
    work = job(tmp_path)
    state = "sum.txt.partial holds what is done; --resume" if saved else "nothing was saved yet"
    with pytest.raises(KeyboardInterrupt, match=state):
        _break_off(work, KeyboardInterrupt(), saved=saved)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_the_work(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with stop_at_signals() as stop:
        assert not stop()
        signal.raise_signal(number)
        assert stop()
        for second in (signal.SIGINT, signal.SIGTERM):
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(second)
    assert signal.getsignal(number) is before


def test_sigterm_interrupts_as_ctrl_c_does() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), interrupt_at_sigterm():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_other_threads_do_not_handle_signals() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def work() -> None:
        with stop_at_signals() as stop:
            seen.append((stop(), signal.getsignal(signal.SIGINT) is before))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [(False, True)]


def test_progress_prints_only_if_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(3, "counting", shown=False) as bar:
        bar.update(3)
    assert capsys.readouterr().err == ""
