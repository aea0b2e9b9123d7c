"""Options that need or exclude others, and options that a command does not have."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import click
import pytest

from tealeaves.cli.help import HeadedOption, LazyGroup
from tealeaves.cli.main import cli
from tests.cli.in_process import run_in_process

WITHOUT = {
    "score x.json -m diversity@10 --text-field body": "--text-field has no effect without "
    "--corpus or --reference or --modern or --counts",
    "score x.json -m diversity@10 --reader csv": "--reader has no effect without --corpus",
    "correlate s.csv --human h.csv --chart forest": "--chart has no effect without --plot",
    "correlate s.csv --human h.csv --bins 5": "--bins has no effect without --coefficient phik",
    "correlate s.csv --human h.csv --no-noise-correction": "without --coefficient phik",
    "relevance fit -c x.txt -o f --epochs 3": "--epochs has no effect without --how finetune or "
    "--how mlm",
    "relevance fit -c x.txt -o f --rate 0.1": "--rate has no effect without --how finetune",
    "relevance fit -c x.txt -o f --patience 3": "--patience has no effect without --how",
    "relevance fit -c x.txt -o f --preset 20ng": "--preset has no effect without --how finetune",
    "relevance fit -c x.txt -o f --checkpoint 9": "--checkpoint has no effect without --how",
    "relevance gather --human h.csv -c x.txt -o f --separator tab": "--separator has no effect "
    "without TOPICS",
    "relevance curve f --human h.csv --separator tab": "--separator has no effect without TOPICS",
    "relevance show --text a --topic 'a b' -o x.svg --id-field n": "--id-field has no effect "
    "without --corpus",
    "estimator build t -c en=x -c es=y -o t.csv --rich-reader csv": "--rich-reader has no effect "
    "without --rich",
    "lexicon sample x.tsv -t y.tsv -o f --discard-annotations": "--discard-annotations has no "
    "effect without --restart",
    "report x.run --figure-format png": "--figure-format has no effect without --figures",
}
BOTH = {
    "score x.json -c y.txt --side-by-side --mark": "--side-by-side or --mark",
    "score x.json -c y.txt --side-by-side --by-topic": "--side-by-side or --by-topic",
    "score x.json -c y.txt --side-by-side --language en": "--side-by-side or --language",
    "consensus x.json --worst 3 --sort model": "--worst or --sort model",
    "correlate s.csv --human h.csv --pairs --versus npmi": "--pairs or --versus",
    "correlate s.csv --human h.csv --separation thirds --pairs": "--separation or --pairs",
    "correlate s.csv --human h.csv --within model --by model": "--within or --by model",
    "relevance fit -c x.txt -o f --how mlm --labels given": "--labels or --how mlm",
    "relevance fit -c x.txt -o f --how mlm --pooling cls": "--pooling or --how mlm",
    "relevance fit -c x.txt -o f --labels given --clusters 3": "--clusters or --labels given",
    "relevance gather t -c x.txt -o f --no-improved --rules sizes": "--rules or --no-improved",
    "relevance gather t -c x.txt -o f --heads-of g --head-sample 9": "--head-sample or --heads-of",
    "relevance show --text a --topic 'a b' -o x.svg -c t --classifier f": "--classifier or "
    "--corpus",
    "lexicon sample x.tsv -t y.tsv -o f --lemmas hand --pos N": "--lemmas or --pos",
    "lexicon sample x.tsv -t y.tsv -o f --lemmas hand --bins 1-9": "--lemmas or --bins",
    "lexicon evaluate f -a s --pairs --by lemma": "--pairs or --by lemma",
    "embeddings --clear --format json": "--clear or --format",
    "demo --copy f --language es": "--copy or --language",
}


def error_of(line: str) -> str:
    """Run a command that fails, and return its one line."""
    done = run_in_process(*(part.strip("'") for part in line.replace("'a b'", "a_b").split()))
    assert done.returncode == 2, line
    assert done.stdout == ""
    [error] = done.stderr.splitlines()
    return error


@pytest.mark.parametrize("line", WITHOUT)
def test_an_option_that_would_have_no_effect_is_an_error(line: str) -> None:
    assert WITHOUT[line] in error_of(line)


@pytest.mark.parametrize("line", BOTH)
def test_options_that_exclude_each_other_are_an_error(line: str) -> None:
    assert f"give either {BOTH[line]}, not both" in error_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "consensus x.json --worst 3 --sort worst",
        "correlate s.csv --human h.csv --coefficient phik --bins 5",
        "correlate s.csv --human h.csv --within model",
        "relevance show --text a --topic a,b -o x.svg -c t --id-field n",
    ],
)
def test_options_that_go_together_are_accepted(line: str) -> None:
    error = error_of(line)
    assert "not both" not in error
    assert "no effect" not in error


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("score x.json --metric npmi", "no option --metric; did you mean --metrics?"),
        ("train lda --token words", "no option --token; did you mean --tokens?"),
        (
            "train lda --iterations 500",
            "no option --iterations: a parameter of the model is set as in --set iterations=VALUE",
        ),
        ("train lda --xyz 5", "no option --xyz"),
    ],
)
def test_an_option_that_is_not_known_has_a_hint(line: str, message: str) -> None:
    assert error_of(line) == f"tealeaves: error: {message}"


def all_commands(group: LazyGroup) -> Iterator[click.Command]:
    for module in group.modules.values():
        command = importlib.import_module(module).command
        yield from all_commands(command) if isinstance(command, LazyGroup) else [command]


def test_options_name_options_that_there_are() -> None:
    names: set[str] = set()
    named: set[str] = set()
    for command in all_commands(cli):
        context = click.Context(command)
        for one in command.params:
            names |= {*one.opts, str(one.name).upper()}
            if isinstance(one, HeadedOption):
                named |= {text.partition(" ")[0] for text in (*one.requires, *one.excludes)}
                own = {name for each in command.get_params(context) for name in each.opts}
                assert {text.partition(" ")[0] for text in one.excludes} <= own, one.opts
    assert named <= names
