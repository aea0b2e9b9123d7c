"""Make docs/report.png: the demo's report as a browser shows it (needs Chromium and playwright)."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tealeaves import demo
from tealeaves.judgments.judgments import Judgments
from tealeaves.report import make_run, save_report

HERE = Path(__file__).parent
_WIDTH, _HEIGHT = 1180, 1712
_METRICS = "npmi@10 c_v@10"
# what a picture can do without
_HIDDEN = (
    *(".facts", ".made", "figcaption", ".legend", "#extremes .lead"),
    *("#verdict figure", "#verdict .notes", "#verdict .data ~ .data"),
)
_STYLE = ", ".join(_HIDDEN) + " { display: none !important }"


def main() -> None:
    """Write the picture, smaller by a palette where Pillow is at hand."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        people = Judgments.of(demo.judgments())
        run = make_run(demo.models(), demo.corpus(), _METRICS, judgments=people)
        save_report(run, page, title="Three models of the demo corpus")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            _photograph(browser, page)
            browser.close()
    sys.stdout.write(f"{HERE / 'report.png'}\n")


def _photograph(browser: Any, page: Path) -> None:
    view = browser.new_page(
        viewport={"width": _WIDTH, "height": _HEIGHT}, device_scale_factor=1.5, offline=True
    )
    view.goto(page.as_uri())
    view.add_style_tag(content=_STYLE)
    view.wait_for_timeout(2000)
    target = HERE / "report.png"
    view.screenshot(path=str(target))
    try:
        from PIL import Image
    except ImportError:
        return
    Image.open(target).convert("P", palette=Image.Palette.ADAPTIVE, colors=220).save(
        target, optimize=True
    )


if __name__ == "__main__":
    main()
