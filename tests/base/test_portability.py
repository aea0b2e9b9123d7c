"""Modules leave what depends on the system to ``tealeaves.system``: their syntax trees say so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tealeaves

PACKAGE = Path(tealeaves.__file__).parent
#: the one place
EXCEPT = {"system.py"}

#: modules that a system lacks, or that act differently
MODULES = {
    *("_winapi", "curses", "fcntl", "grp", "locale", "msvcrt", "pty", "pwd", "readline"),
    *("resource", "select", "signal", "syslog", "termios", "tty", "winreg"),
}
#: attributes of modules that a system lacks, or that act differently
ATTRIBUTES = {
    "os": {
        *("access", "altsep", "chmod", "chown", "cpu_count", "devnull", "dup2", "fchmod", "fork"),
        *("get_terminal_size", "getegid", "geteuid", "getgid", "getpgid", "getuid", "kill"),
        *("killpg", "link", "mkfifo", "name", "nice", "pipe", "popen", "remove", "rename"),
        *("replace", "sched_getaffinity", "sep", "setsid", "startfile", "symlink", "sysconf"),
        *("system", "ttyname", "umask", "uname", "wait4", "waitpid"),
    },
    "sys": {"platform", "getfilesystemencoding", "getwindowsversion"},
    "platform": {"system", "win32_ver", "mac_ver", "uname", "libc_ver"},
    "tempfile": {"NamedTemporaryFile"},  # Windows cannot open it a second time
    "multiprocessing": {"Process", "Pool", "set_start_method"},  # forked on some systems
    "ctypes": {"WinDLL", "OleDLL", "windll", "oledll", "c_long", "c_ulong"},  # 4 bytes on Windows
    "time": {"tzset"},
}
#: methods of paths
METHODS = {"chmod", "hardlink_to", "lchmod", "symlink_to"}
FOLDERS = re.compile(r"/(proc|dev|tmp|etc|usr|bin|var)(/|\Z)")
TEXT_MODE = re.compile(r"[rwax]\+?t?\+?")


def problems(source: str) -> list[str]:
    """Return what a module uses that depends on the system."""
    return [problem for node in ast.walk(ast.parse(source)) for problem in _problems(node)]


def _problems(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names if one.name.partition(".")[0] in MODULES)
    elif isinstance(node, ast.ImportFrom):
        yield from _import_problems(node)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.attr in ATTRIBUTES.get(node.value.id, set()):
            yield f"{node.value.id}.{node.attr}"
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and FOLDERS.match(node.value):
            yield f"the folder {node.value}"
    elif isinstance(node, ast.FormattedValue):
        if _called(node.value) == "relative_to":
            yield "a path with the separators of the system"
    elif isinstance(node, ast.Call):
        yield from _call_problems(node)


def _import_problems(node: ast.ImportFrom) -> Iterator[str]:
    if node.module in MODULES:
        yield str(node.module)
    names = ATTRIBUTES.get(str(node.module), set())
    yield from (f"{node.module}.{one.name}" for one in node.names if one.name in names)


def _call_problems(call: ast.Call) -> Iterator[str]:
    name, keywords = _called(call), {one.arg for one in call.keywords}
    is_method = isinstance(call.func, ast.Attribute)
    if is_method and name in METHODS:
        yield f"the method {name}"
    if is_method and name == "replace" and len(call.args) == 1 and not keywords:
        yield "a file that is replaced"  # texts have two arguments, other things keywords
    if is_method and name in ("read_text", "write_text") and "encoding" not in keywords:
        yield f"{name} without an encoding"
    if name in ("open", "fdopen") and "encoding" not in keywords and _opens_text(call):
        yield "text that is opened without an encoding"
    if name in ("run", "Popen", "check_output") and {"text", "encoding"} & keywords == {"text"}:
        yield "output of a program without an encoding"
    if name == "str" and call.args and _called(call.args[0]) == "relative_to":
        yield "a path with the separators of the system"
    if name == "sorted" and "key" not in keywords:
        inner = {_called(one) for one in ast.walk(call) if isinstance(one, ast.Call)}
        if inner & {"glob", "iglob", "iterdir", "rglob", "listdir", "scandir"}:
            yield "paths in the order of the system"


def _called(node: ast.AST) -> str:
    """Return the name of what is called; empty if the node is no call."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _opens_text(call: ast.Call) -> bool:
    """Tell whether a call opens a file as text; methods of ours take other arguments."""
    texts = [one.value for one in call.args if isinstance(one, ast.Constant)]
    modes = [one for one in texts if isinstance(one, str) and TEXT_MODE.fullmatch(one)]
    is_builtin = isinstance(call.func, ast.Name)
    return bool(modes) or (is_builtin and len(call.args) == 1 and not call.keywords)


MODULE_FILES = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] not in EXCEPT
)


def test_no_module_depends_on_the_system() -> None:
    assert len(MODULE_FILES) > 400
    found = {name: problems((PACKAGE / name).read_text("utf-8")) for name in MODULE_FILES}
    assert {name: some for name, some in found.items() if some} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import signal", ["signal"]),
        ("from resource import getrusage", ["resource"]),
        ("from os import kill, getpid", ["os.kill"]),
        ("import os\nos.kill(1, 0)", ["os.kill"]),
        ("import os\nos.getpid()", []),
        ("sys.platform == 'win32'", ["sys.platform"]),
        ("Path('/proc/self/stat')", ["the folder /proc/self/stat"]),
        ("'/processes'", []),
        ("new.replace(old)", ["a file that is replaced"]),
        ("'a'.replace('a', 'b'), structs.replace(x, a=1)", []),
        ("path.open('w')", ["text that is opened without an encoding"]),
        ("path.open('w', encoding='utf-8'), path.open('wb'), corpus.open(a)", []),
        ("open(path)", ["text that is opened without an encoding"]),
        ("path.read_text()", ["read_text without an encoding"]),
        ("sorted(path.iterdir())", ["paths in the order of the system"]),
        ("sorted(one for one in path.glob('*'))", ["paths in the order of the system"]),
        ("sorted_paths(path.iterdir())", []),
        ("f'{path.relative_to(folder)}'", ["a path with the separators of the system"]),
        ("str(path.relative_to(folder))", ["a path with the separators of the system"]),
        ("path.relative_to(folder).as_posix()", []),
        ("link.symlink_to(file)", ["the method symlink_to"]),
        ("subprocess.run(a, text=True, encoding='utf-8')", []),
        ("subprocess.run(a, text=True)", ["output of a program without an encoding"]),
    ],
)
def test_what_is_found(source: str, found: list[str]) -> None:
    assert problems(source) == found
