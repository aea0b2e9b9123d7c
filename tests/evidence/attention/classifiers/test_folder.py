"""Classifiers in folders: the same after loading, refused where anything is missing or other."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers import encoders
from tealeaves.evidence.attention.classifiers.classifier import Classifier, Origin
from tealeaves.evidence.attention.classifiers.encoders import open_encoder
from tealeaves.evidence.attention.classifiers.folder import check_folder
from tealeaves.evidence.attention.network.head import Dense, Head, Scaling
from tealeaves.evidence.embeddings.sources.huggingface import quiet_transformers

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
huggingface_hub = pytest.importorskip("huggingface_hub")
safetensors = pytest.importorskip("safetensors")

PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "dog", "##s", "sat", "the", "on")


def _bert(seed: int = 0) -> Any:
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=20, max_position_embeddings=24,
    )  # fmt: skip
    return transformers.BertModel(config)


def _tokenizer(**settings: Any) -> Any:
    return transformers.BertTokenizer(
        vocab={piece: number for number, piece in enumerate(PIECES)}, **settings
    )


def _head(seed: int = 1) -> Head:
    torch.manual_seed(seed)
    norm = Scaling(torch.randn(16), torch.randn(16), 1e-12)
    first = Dense(torch.randn(16, 16), torch.randn(16), "gelu", norm)
    return Head("mean", (first, Dense(torch.randn(3, 16), None)))


def _classifier(**changed: Any) -> Classifier:
    given = {
        "name": "tiny", "model": _bert(), "tokenizer": _tokenizer(), "head": _head(),
        "labels": ("a", "b", "c"), "longest": 20, "kind": "finetuned",
        "report": {"f1": 0.1 + 0.2, "notes": ["é"]},
    }  # fmt: skip
    return Classifier(**{**given, **changed})


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    _classifier().save(tmp_path / "saved")
    return tmp_path / "saved"


@pytest.fixture
def tiny_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    with quiet_transformers():
        _bert().save_pretrained(folder)
        _tokenizer().save_pretrained(folder)
    return folder


def _equal(left: Any, right: Any) -> bool:
    return bool(left.dtype == right.dtype and torch.equal(left, right))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_folder_gives_back_every_bit(tmp_path: Path, dtype: str) -> None:
    before = _classifier(model=_bert().to(getattr(torch, dtype)))
    before.save(tmp_path / "saved")
    after = Classifier.load(tmp_path / "saved")
    for name in ("name", "labels", "longest", "kind", "report", "origin", "fingerprint"):
        assert getattr(after, name) == getattr(before, name)
    old, new = before.model.state_dict(), after.model.state_dict()
    assert old.keys() == new.keys()
    assert all(_equal(old[name], new[name]) for name in old)
    for one, other in zip(before.head.steps, after.head.steps, strict=True):
        assert _equal(one.weight, other.weight)
        assert one.function == other.function
    first, last = after.head.steps
    assert _equal(first.bias, before.head.steps[0].bias)
    assert first.norm is not None
    assert _equal(first.norm.bias, before.head.steps[0].norm.bias)  # type: ignore[union-attr]
    assert first.norm.eps == 1e-12
    assert last.bias is None
    words = ["Cats", "sat", "on"]
    ids = [one.tokenizer(words, is_split_into_words=True).input_ids for one in (before, after)]
    assert ids[0] == ids[1]
    assert after == before
    assert hash(after) == hash(before)


def test_only_safetensors_and_json_are_written(saved: Path) -> None:
    assert {path.suffix for path in saved.rglob("*") if path.is_file()} == {".json", ".safetensors"}
    assert not [path for path in saved.rglob("*") if path.name.endswith(".tmp")]


def test_open_takes_a_saved_folder(saved: Path) -> None:
    assert Classifier.open(saved) == _classifier()


@pytest.mark.parametrize(
    "changed",
    [
        {"longest": 19},
        {"labels": ("a", "b", "d")},
        {"head": _head(2)},
        {"head": _head()._replace(pooling="cls")},
        {"model": _bert(1)},
        {"tokenizer": _tokenizer(do_lower_case=False)},
    ],
    ids=["longest", "labels", "weights", "pooling", "encoder", "tokenizer"],
)
def test_the_fingerprint_sees_all_that_decides_numbers(changed: dict[str, Any]) -> None:
    assert _classifier(**changed) != _classifier()


def test_the_fingerprint_does_not_see_names_poolers_and_use() -> None:
    used = _tokenizer()
    used(
        [["cat"], ["the", "dog"]],
        is_split_into_words=True,
        padding=True,
        truncation=True,
        max_length=4,
    )
    model = _bert()
    torch.nn.init.ones_(model.pooler.dense.weight)
    same = _classifier(name="x", report={}, model=model, tokenizer=used)
    assert same.fingerprint == _classifier().fingerprint


@pytest.mark.parametrize(
    "lost",
    ["classifier.json", "head.safetensors", "encoder/model.safetensors", "encoder/config.json"],
)
def test_a_folder_that_lacks_a_file_is_not_whole(saved: Path, lost: str) -> None:
    (saved / lost).unlink()
    with pytest.raises(InputError, match=rf"not a complete classifier: {lost} is missing"):
        Classifier.open(saved)


@pytest.mark.parametrize(
    "damaged", ["head.safetensors", "encoder/model.safetensors", "encoder/tokenizer.json"]
)
def test_a_changed_byte_is_noticed(saved: Path, damaged: str) -> None:
    found = bytearray((saved / damaged).read_bytes())
    found[-3] ^= 1
    (saved / damaged).write_bytes(found)
    with pytest.raises(InputError, match="damaged, or changed") as error:
        Classifier.load(saved)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "change", [{"longest": 12}, {"labels": ["a", "c", "b"]}, {"pooling": "cls"}]
)
def test_changed_settings_are_noticed(saved: Path, change: dict[str, Any]) -> None:
    path = saved / "classifier.json"
    content = {**json.loads(path.read_text()), **change}
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"classifier.json: the checksum is wrong"):
        Classifier.load(saved)
    del content["checksum"]
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"classifier.json was changed"):
        Classifier.load(saved)


def test_settings_that_are_no_text_are_refused(saved: Path) -> None:
    path = saved / "classifier.json"
    content = path.read_bytes()
    for place in (content.index(b'"name"') + 9, content.index(b'"versions"') + 4):
        path.write_bytes(content[:place] + b"\xff" + content[place:])
        with pytest.raises(InputError, match=r"not a complete classifier|not that of a classif"):
            Classifier.load(saved)


def _fails(error: BaseException) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        OSError(28, "No space left on device"),
        safetensors.SafetensorError("Error while serializing: I/O error:\nNo space left on device"),
    ],
)
def test_a_save_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, *, is_new: bool
) -> None:
    folder, old = tmp_path / "saved", _classifier(longest=10)
    if not is_new:
        old.save(folder)
        (folder / "checkpoints").mkdir()
    before = sorted(tmp_path.rglob("*"))
    model = _bert()
    monkeypatch.setattr(model, "save_pretrained", _fails(error))
    with pytest.raises((KeyboardInterrupt, InputError)) as raised:
        _classifier(model=model).save(folder)
    assert sorted(tmp_path.rglob("*")) == before
    if isinstance(raised.value, InputError):
        assert str(raised.value).startswith(f"{folder}: the classifier cannot be saved: ")
        assert str(raised.value).endswith("No space left on device")
        assert "\n" not in str(raised.value)
    if not is_new:
        assert Classifier.load(folder) == old
    _classifier().save(folder)
    assert Classifier.load(folder) == _classifier()
    assert (folder / "checkpoints").is_dir() == (not is_new)


class _Dying:
    """A process that is killed when it gives a file or folder its name, at some moment."""

    def __init__(self, moment: int) -> None:
        self.left = moment

    def __call__(self, name: str) -> Any:
        real = getattr(Path, name)

        def named(path: Path, target: Path) -> Path:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            return Path(real(path, target))

        return named


@pytest.mark.parametrize("is_new", [True, False])
def test_a_process_that_was_killed_leaves_the_old_one_the_new_one_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_new: bool
) -> None:
    """While files are written the old one is whole; only while names change there is none."""
    old, new = _classifier(longest=10, model=_bert(1), head=_head(2)), _classifier()
    found = []
    for moment in range(20):
        folder = tmp_path / f"saved{moment}"
        if not is_new:
            old.save(folder)
        dying = _Dying(moment)
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            for name in ("replace", "rename"):
                patch.setattr(Path, name, dying(name))
            patch.setattr(Path, "unlink", lambda *_, **__: None)  # nobody cleans up
            patch.setattr(Path, "rmdir", lambda *_, **__: None)
            patch.setattr(shutil, "rmtree", _nothing)
            new.save(folder)
        found.append(_loaded(folder))
        new.save(folder)
        assert Classifier.load(folder) == new
        assert {path.name for path in folder.iterdir()} == {
            "classifier.json", "encoder", "head.safetensors",
        }  # fmt: skip
        if dying.left:
            break
    whole = [one.longest if one else None for one in found]
    # head and settings are written; then it is marked as ours, or the encoder moved aside; then
    # encoder, head and settings come to their places
    first = None if is_new else 10
    assert whole == [first, first, first, None, None, None, 20, 20]


def _nothing(*_: object, **__: object) -> None:
    pass


def _loaded(folder: Path) -> Classifier | None:
    with suppress(InputError):
        return Classifier.load(folder)
    return None


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"it holds something else \(encoder\): name a new"):
        _classifier().save(tmp_path)
    assert (tmp_path / "encoder" / "thesis.tex").read_text() == "years of work"
    (tmp_path / "classifier.json").write_text('{"format": "of somebody else"}')
    with pytest.raises(InputError, match="it holds something else"):
        _classifier().save(tmp_path)
    with pytest.raises(InputError, match="not that of a classifier of tealeaves"):
        Classifier.load(tmp_path)


def test_a_file_or_nothing_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="a file, where a folder"):
        _classifier().save(tmp_path / "file")
    with pytest.raises(InputError, match=r"no classifier, which has a classifier\.json"):
        Classifier.load(tmp_path / "nowhere")


def test_an_unchanged_encoder_is_only_referred_to(tmp_path: Path, tiny_folder: Path) -> None:
    encoder = open_encoder(tiny_folder)
    before = _classifier(model=encoder.model, tokenizer=encoder.tokenizer, origin=encoder.origin)
    assert before.origin == Origin("folder", str(tiny_folder))
    before.save(tmp_path / "saved")
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {
        "classifier.json",
        "head.safetensors",
    }
    assert Classifier.load(tmp_path / "saved") == before
    with quiet_transformers():
        _bert(7).save_pretrained(tiny_folder)
    with pytest.raises(InputError, match=r"the encoder .*tiny is not the one that this classifier"):
        Classifier.load(tmp_path / "saved")
    shutil.rmtree(tiny_folder)
    with pytest.raises(InputError, match=r"no model in .*tiny, which has no config.json"):
        Classifier.load(tmp_path / "saved")


def test_an_encoder_of_the_hub_is_referred_to_by_its_commit(
    tmp_path: Path, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = tmp_path / "0c0ffee"
    tiny_folder.rename(snapshot)
    fetched: list[tuple[str, str | None]] = []

    def fetch(name: str, *, commit: str | None = None) -> Path:
        fetched.append((name, commit))
        return snapshot

    def find(name: str, *, commit: str | None = None) -> Path | None:
        return snapshot if fetched and (name, commit) == ("owner/tiny", "0c0ffee") else None

    monkeypatch.setattr(encoders, "fetch_model", fetch)
    monkeypatch.setattr(encoders, "cached_model", find)
    encoder = open_encoder("owner/tiny")
    assert encoder.origin == Origin("hub", "owner/tiny", "0c0ffee")
    before = _classifier(model=encoder.model, tokenizer=encoder.tokenizer, origin=encoder.origin)
    before.save(tmp_path / "saved")
    assert Classifier.load(tmp_path / "saved") == before
    assert fetched == [("owner/tiny", None)]


def test_a_classifier_cannot_make_us_download_its_encoder(
    tmp_path: Path, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = open_encoder(tiny_folder)
    origin = Origin("hub", "stranger/model", "0c0ffee")
    _classifier(model=encoder.model, tokenizer=encoder.tokenizer, origin=origin).save(
        tmp_path / "saved"
    )
    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda *_, **__: None)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", _no_download)
    with pytest.raises(
        InputError, match=r"saved: its encoder, .* hf download stranger/model --revision 0c0ffee"
    ):
        Classifier.load(tmp_path / "saved")


def _no_download(*_: object, **__: object) -> None:
    raise AssertionError("something was downloaded")


def test_a_slow_tokenizer_is_refused() -> None:
    class Slow:
        is_fast = False

    with pytest.raises(InputError, match="a slow tokenizer"):
        _classifier(tokenizer=Slow())


def test_leftovers_of_a_run_that_was_killed_at_its_end_are_removed(tmp_path: Path) -> None:
    leftover = tmp_path / "classifier" / ".saving-abc"
    leftover.mkdir(parents=True)
    (leftover / "head.safetensors").write_bytes(b"")
    check_folder(tmp_path / "classifier")
    assert not leftover.exists()
