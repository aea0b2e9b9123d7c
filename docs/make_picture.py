"""Draw docs/demo.svg, the picture of the README: `tealeaves demo` as a terminal shows it."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tealeaves import demo, score

SPECS = "npmi@10 c_v@10 c_npmi@10 c_p@10 umass@10"


def main() -> None:
    """Score the demo and draw the table."""
    models = demo.models()
    scores = score(models, demo.corpus(), SPECS)
    console = Console(record=True, width=92, force_terminal=True, file=io.StringIO())
    console.print(Text(f'$ tealeaves demo -m "{SPECS}"', style="bold cyan"))
    for number, line in enumerate(str(scores.models).splitlines()):
        best = number == 1
        console.print(Text(line, style="bold" if number == 0 else "bold green" if best else ""))
    console.print()
    console.print(Text("$ tealeaves demo --by-topic -m npmi@10", style="bold cyan"))
    rows = str(score(models, demo.corpus(), "npmi@10")).splitlines()
    for line in [*rows[:4], *rows[10:13], *rows[19:22]]:
        console.print(Text(line, style="bold" if line == rows[0] else ""))
    svg = console.export_svg(title="tealeaves")
    # no font is fetched from anywhere: the reader's own monospace will do
    svg = re.sub(r"@font-face\s*\{[^}]*\}", "", svg).replace("Fira Code", "ui-monospace")
    lines = [line.rstrip() for line in svg.splitlines()]
    Path(__file__).with_name("demo.svg").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
