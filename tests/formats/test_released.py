"""Files of all formats: what was released can be read for good, and damage is never a number."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest

from tealeaves.artifacts import ArtifactFormat, artifact_format
from tealeaves.errors import InputError, TealeavesError
from tealeaves.json_files import Upgrades, upgraded, with_checksum, without_checksum
from tealeaves.learners.storage import LearnedFile, open_learned
from tests.formats.released import FILES, FOLDER, Kept

EACH = [pytest.param(file, id=file.name) for file in FILES]
_POSITIONS = 300


@pytest.mark.parametrize("file", EACH)
def test_a_released_file_has_its_content(file: Kept) -> None:
    assert file.is_content(file.read(FOLDER / file.name))


def test_every_file_is_read() -> None:
    found = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert found == {file.name for file in FILES}


def test_every_format_has_a_file() -> None:
    """A format that is declared anywhere in the package has a file of its current version."""
    import tealeaves

    package = Path(tealeaves.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    declared = re.findall(r'^\w+ = ArtifactFormat\(\s*"([\w-]+)"', "\n".join(sources), re.MULTILINE)
    kept = {artifact_format(FOLDER / file.name) for file in FILES} - {""}
    assert set(declared) == kept
    learned = [one for one in LearnedFile.__subclasses__() if "tealeaves" in one.__module__]
    stems = {Path(file.name).stem for file in FILES}
    assert stems >= {f"{one.holds}-{one.file_format[1]}" for one in learned}


def _flips(data: bytes, seed: int) -> list[tuple[int, int]]:
    """Return places of bits, those of all bytes in a small file, a sample in others."""
    rng = random.Random(seed)
    places = range(len(data))
    chosen = places if len(data) <= _POSITIONS else sorted(rng.sample(places, _POSITIONS))
    return [(place, 1 << rng.randrange(8)) for place in chosen]


#: Files that people write too: they are plain text, and have no checksum.
PLAIN = ("topics-1.json", "languages-1.json")


@pytest.mark.filterwarnings("ignore::tealeaves.errors.TealeavesWarning")
@pytest.mark.parametrize("file", [case for case in EACH if case.id not in PLAIN])
def test_a_flipped_bit_is_an_error_or_changes_nothing(file: Kept, tmp_path: Path) -> None:
    data = (FOLDER / file.name).read_bytes()
    broken = tmp_path / file.name
    broken.parent.mkdir(exist_ok=True)
    refused = 0
    for place, bit in _flips(data, len(data)):
        broken.write_bytes(data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :])
        try:
            found = file.read(broken)
        except TealeavesError:
            refused += 1
        else:
            assert file.is_content(found), f"bit {bit} of byte {place} changed the content"
    assert refused > min(len(data), _POSITIONS) / 2


@pytest.mark.filterwarnings("ignore::tealeaves.errors.TealeavesWarning")
@pytest.mark.parametrize("file", EACH)
def test_a_file_that_is_cut_short_is_refused(file: Kept, tmp_path: Path) -> None:
    data = (FOLDER / file.name).read_bytes()
    broken = tmp_path / file.name
    broken.parent.mkdir(exist_ok=True)
    for size in range(0, len(data) - 2, max(1, len(data) // 100)):
        broken.write_bytes(data[:size])
        with pytest.raises(TealeavesError):
            file.read(broken)


# ---------------------------------------------------------------------- earlier versions


class Toys(msgspec.Struct):
    """Toys of version 3, which counts balls one by one; before, there was one number."""

    name: str
    balls: int


def _balls_of_arrays(content: Any, arrays: dict[str, Any]) -> Any:
    return {"name": content["name"], "balls": int(arrays.pop("balls").sum())}


OLD = ArtifactFormat("toys", 2, dict[str, str], holds="toys")
NEW = ArtifactFormat("toys", 3, Toys, holds="toys", upgrades={2: _balls_of_arrays})


def test_an_earlier_version_is_read_with_one_function(tmp_path: Path) -> None:
    path = tmp_path / "a.toys"
    OLD.save(path, {"name": "box"}, {"balls": np.array([1, 2]), "sizes": np.array([0.5])})
    loaded = NEW.load(path)
    assert loaded.content == Toys("box", 3)
    assert {name: array.tolist() for name, array in loaded.arrays.items()} == {"sizes": [0.5]}
    NEW.save(path, loaded.content, loaded.arrays)
    assert NEW.load(path).content == Toys("box", 3)


def test_versions_are_upgraded_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "a.toys"
    ArtifactFormat("toys", 1, dict[str, str], holds="toys").save(path, {"title": "box"}, {})

    def named(content: Any, arrays: dict[str, Any]) -> Any:
        arrays["balls"] = np.array([4])
        return {"name": content["title"]}

    both = ArtifactFormat("toys", 3, Toys, holds="toys", upgrades={1: named, 2: _balls_of_arrays})
    assert both.load(path).content == Toys("box", 4)
    with pytest.raises(InputError, match=r"file version 1; .* before the first release: run again"):
        NEW.load(path)


def test_an_upgrade_that_fails_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.toys"
    OLD.save(path, {"name": "box"}, {})
    with pytest.raises(InputError, match="not a complete file of toys: 'balls'"):
        NEW.load(path)


def _renamed(old: dict[str, Any]) -> dict[str, Any]:
    return {("size" if name == "length" else name): value for name, value in old.items()}


class LearnedToys(LearnedFile, frozen=True, kw_only=True):
    """A JSON file of version 2, in which ``size`` was ``length``."""

    holds: ClassVar[str] = "toys"
    file_format: ClassVar[tuple[str, int]] = ("toys", 2)
    upgrades: ClassVar[Upgrades] = {1: _renamed}

    format: str = "toys"
    version: int = 2
    made_with: str = ""
    size: int


def test_an_earlier_version_in_json_is_read_with_one_function(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(with_checksum(b'{"format":"toys","version":1,"made_with":"0","length":7}'))
    assert open_learned(LearnedToys, path).size == 7
    assert open_learned(LearnedToys, path).version == 2


def test_an_upgraded_file_states_its_version() -> None:
    assert upgraded(b'{"version":1}', 1, 1, {}) == b'{"version":1}'
    assert upgraded(b'{"version":1}', 1, 3, {1: dict, 2: dict}) == b'{"version":3}'


# ---------------------------------------------------------------------- checksums of JSON


def test_spaces_and_the_order_of_names_mean_nothing() -> None:
    sealed = with_checksum(b'{"made_with":"0","size":1,"name":"box"}')
    content = msgspec.json.decode(sealed)
    shuffled = dict(sorted(content.items(), reverse=True))
    for written in (sealed, msgspec.json.format(msgspec.json.encode(shuffled), indent=3)):
        assert msgspec.json.decode(without_checksum(written, "a.json")) == {
            "made_with": "0", "size": 1, "name": "box",
        }  # fmt: skip


def test_a_changed_number_is_refused_unless_the_checksum_is_removed() -> None:
    sealed = with_checksum(b'{"size":1}')
    changed = sealed.replace(b'"size":1', b'"size":2')
    with pytest.raises(InputError, match=r"a\.json: the checksum is wrong: .*remove the field"):
        without_checksum(changed, "a.json")
    by_hand = b'{"size":2}'
    assert without_checksum(by_hand, "a.json") == by_hand
    for other in (b"[]", b"{", b'{"checksum": nonsense}'):
        assert without_checksum(other, "a.json") == other
