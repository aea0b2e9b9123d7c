"""What holds of every model in the registry."""

from __future__ import annotations

import pickle

import pytest

from tealeaves.cli.main import cli
from tealeaves.errors import InputError
from tealeaves.expressions import Expression
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.extraction.base import Extractor
from tealeaves.lexicon.extraction.registry import EXTRACTORS, extractor, paper_name
from tealeaves.lexicon.words import Words
from tealeaves.parameters import parameters_of


def changed(model: Extractor) -> list[Extractor]:
    """Return the model with each parameter changed to what it may be."""
    found = []
    for name in model.accepts:
        value = getattr(model.settings, name)
        tries = (True, False, 5, 0.25, "x", None, *_words(model, name))
        for other in tries:
            if other == value and type(other) is type(value):
                continue
            try:
                found.append(model(**{name: other}))
            except InputError:
                continue
    return found


def _words(model: Extractor, name: str) -> list[str]:
    kind = type(model.settings)
    allowed = parameters_of(kind, [name], model.settings)[0].allowed
    return allowed.removeprefix("one of ").split(", ")


@pytest.mark.parametrize("name", EXTRACTORS)
def test_a_model_is_what_it_is_printed_as(name: str) -> None:
    model = EXTRACTORS[name]
    assert model.name == name == repr(model)
    assert changed(model) or not model.accepts
    for one in (model, *changed(model)):
        for text in (repr(one), one.signature):
            again = extractor(text)
            assert again == one
            assert repr(again) == repr(one)
            assert again.signature == one.signature
        assert pickle.loads(pickle.dumps(one)) == one  # processes are sent it


@pytest.mark.parametrize("name", EXTRACTORS)
def test_each_change_changes_the_signature(name: str) -> None:
    model = EXTRACTORS[name]
    signatures = [one.signature for one in (model, *changed(model))]
    assert len(set(signatures)) == len(signatures)
    stated = Expression.parse(model.signature).parameters
    assert tuple(stated) == model.accepts


@pytest.mark.parametrize("name", EXTRACTORS)
def test_each_model_says_what_it_is(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = EXTRACTORS[name]
    assert model.summary
    assert model.cite
    assert not model.summary.endswith(".")
    said = parameters_of(type(model.settings), model.accepts, model.settings)
    cli(["lexicon", "extract", "--list-models"], standalone_mode=False)
    listed = " ".join(capsys.readouterr().out.split())
    assert f"{name}: {' '.join(model.summary.split())} From: {model.cite}" in listed
    for one in said:
        assert one.meaning, f"{name}({one.name}) has no paragraph in the docstring of its settings"
        assert " ".join(one.meaning.split()) in listed
        assert f" {one.name}: {one.allowed}; default: " in listed


@pytest.mark.parametrize("alias", EXTRACTORS.aliases)
def test_names_of_papers_are_models(alias: str) -> None:
    assert extractor(alias) == extractor(EXTRACTORS.aliases[alias])
    assert extractor(f" {alias} ") == extractor(alias)
    assert paper_name(repr(extractor(alias))) == alias  # no two stand for the same


def test_mistakes_are_told() -> None:
    with pytest.raises(InputError, match=r"unknown model algined; did you mean aligned\?"):
        extractor("algined")
    with pytest.raises(InputError, match="unknown model word2vec"):
        extractor("word2vec")
    with pytest.raises(InputError, match="l@3: a model takes no @3"):
        extractor("l@3")
    with pytest.raises(InputError, match="a model is written as"):
        extractor(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"l has no parameter mesure; did you mean measure\?"):
        extractor("l(mesure=t)")
    model = extractor("l(most=3)")
    assert extractor(model) is model


def test_versions_of_packages_are_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.metadata

    from tealeaves.lexicon.extraction import target

    monkeypatch.setattr(target, "version", {"sil-thot": "3.5", "morfessor": "2.0"}.__getitem__)
    assert importlib.metadata.version("numpy")  # only that of the module is another
    words = Words.of([["hand"]])
    source = Passages("en", ("1",), words, words)

    def signed(spec: str) -> str:
        model = extractor(spec)
        plan = target.ExtractionPlan(source, ("hand",), (model,))
        return target.Signature.of(plan, model, "fi 1").model

    assert signed("mf+fa+u").endswith(")#sil-thot-3.5+morfessor-2.0")
    assert signed("fa+u").endswith(")#sil-thot-3.5")
    assert signed("superpivot(aligner=fast_align)").endswith(")#sil-thot-3.5")
    assert "#" not in signed("hybrid")
