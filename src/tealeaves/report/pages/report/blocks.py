"""The data of a page: a block of JSON for each table and each figure, which scripts read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tealeaves.report.pages.embedding import in_script
from tealeaves.report.pages.report.fitting import is_long, pieces
from tealeaves.report.pages.report.pool import Pool
from tealeaves.report.pages.report.specs import packed_chart
from tealeaves.report.pages.report.tables import packed_table, told
from tealeaves.report.sections.parts import Figure, Picker, ReportTable

#: Rows of a table that the page is written with; a script adds the others when asked to.
SHOWN = 100
#: Rows of the table of a figure that stand in its place where scripts do not run.
FIRST = 30


@dataclass(frozen=True)
class Block:
    """What scripts know of a table or a figure."""

    id: str
    json: str
    numeric: list[bool]
    decimals: list[int]
    fit: str
    shown: int = SHOWN

    @staticmethod
    def told(cell: Any, digits: int) -> str:
        """Write a cell."""
        return told(cell, digits)

    @staticmethod
    def pieces(text: str) -> list[str]:
        """Return the pieces of a text between which a line may end."""
        return pieces(text)

    @staticmethod
    def is_long(cell: Any) -> bool:
        """Tell whether a cell is a long text."""
        return is_long(cell)


@dataclass
class Blocks:
    """All blocks of a page, in the order in which they are asked for."""

    all: list[Block] = field(default_factory=list)
    pool: Pool = field(default_factory=Pool)

    @property
    def texts(self) -> str:
        """What the blocks share, to be asked for after the last of them."""
        return in_script(self.pool.values)

    def of(self, part: ReportTable | Figure) -> Block:
        """Return a new block."""
        table = part if isinstance(part, ReportTable) else part.table
        packed = packed_table(table)
        packed["rows"] = self.pool.rows(packed["rows"])
        data = {"name": f"table-{len(self.all) + 1}", "table": packed}
        if isinstance(part, Figure):
            data |= {"name": part.id, "title": part.title, "caption": part.caption}
            data |= self._chart(part)
        self.all.append(
            Block(
                id=f"data-{len(self.all) + 1}",
                json=in_script(data),
                numeric=packed["numeric"],
                decimals=packed["decimals"],
                fit=packed["fit"],
                shown=SHOWN if table is part else FIRST,
            )
        )
        return self.all[-1]

    def _chart(self, figure: Figure) -> dict[str, Any]:
        packed = packed_chart(figure.chart)
        for rows in packed["datasets"].values():
            if isinstance(rows, dict):
                rows["rows"] = self.pool.rows(rows["rows"])
        return packed

    def several(self, part: Picker) -> list[Block]:
        """Return a new block for each figure that can be chosen."""
        return [self.of(figure) for figure in part.figures]
