"""The models that extract, listed."""

from __future__ import annotations

import textwrap

import click

_WIDTH = 100


def list_models() -> None:
    """Print each model: what it does, where it is from, its parameters; then the papers' names."""
    from tealeaves.lexicon.extraction.registry import EXTRACTORS

    for model in EXTRACTORS.values():
        click.echo(f"{model.name}: {model.summary}\n  From: {model.cite}\n  {model.signature}")
        for line in _parameters(model):
            click.echo(line)
        click.echo()
    click.echo("Names of papers:")
    for name, expression in EXTRACTORS.aliases.items():
        click.echo(f"  {name} = {expression}")


def _parameters(model: object) -> list[str]:
    from tealeaves.expressions import format_value
    from tealeaves.lexicon.extraction.base import Extractor
    from tealeaves.parameters import parameters_of

    if not isinstance(model, Extractor):
        return []
    found = parameters_of(type(model.defaults), model.parameters, model.defaults)
    return [
        textwrap.fill(
            f"{one.name}={format_value(one.default)}: {one.meaning} It is {one.allowed}.",
            _WIDTH,
            initial_indent="    ",
            subsequent_indent="      ",
        )
        for one in found
    ]
