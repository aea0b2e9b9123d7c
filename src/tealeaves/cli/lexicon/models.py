"""The list of extraction models."""

from __future__ import annotations

import click


def list_models() -> None:
    """Print each model with its source and parameters, then the names that papers use."""
    from tealeaves.lexicon.extraction.registry import EXTRACTORS

    for model in EXTRACTORS.values():
        click.echo(f"{model.name}: {model.summary}\n  From: {model.cite}\n  {model.signature}")
        for line in model.describe_parameters():
            click.echo(f"  {line}")
        click.echo()
    click.echo("Names of papers:")
    for name, expression in EXTRACTORS.aliases.items():
        click.echo(f"  {name} = {expression}")
