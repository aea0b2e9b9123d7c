"""The documentation site builds without warnings, has no dead links and needs no network."""

from __future__ import annotations

import csv
import doctest
import html
import importlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from tealeaves.metrics import npmi
from tealeaves.metrics.base import bounds_text
from tealeaves.metrics.registry import METRICS

pytest.importorskip("mkdocs")
pytest.importorskip("latex2mathml")
pytest.importorskip("mkdocstrings")

ROOT = Path(__file__).parents[2]
WEBSITE = ROOT / "website"
MODULES = sorted(path.stem for path in WEBSITE.glob("*.py"))
GUIDES = {
    "text": "texts",
    "topics": "topics",
    "demo": "start",
    "evidence": "counts",
    "metrics": "metrics",
    "models": "models",
    "lexicon": "lexicon",
    "comparison": "people",
    "judgments": "people",
    "estimator": "estimator",
    "consensus": "consensus",
    "report": "report",
    "cli": "command-line",
}
FETCHED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?\b(?:src|data)=[\"']?([^\"'\s>]+)"
    r"|<link\b[^>]*?\bhref=[\"']?([^\"'\s>]+)"
    r"|url\([\"']?([^\"')]+)"
    r"|@import\s+[\"']([^\"']+)"
)
LINK = re.compile(r"<a\b[^>]*?\bhref=[\"']?([^\"'\s>]+)")
IDENTITY = re.compile(r"\bid=[\"']?([^\"'\s>]+)")


class Site(NamedTuple):
    """The folder of the site, and the output of the build."""

    folder: Path
    log: str

    def page(self, name: str) -> str:
        return (self.folder / f"{name}.html").read_text(encoding="utf-8")

    def text(self, name: str) -> str:
        """The words of a page, without its markup."""
        body = re.sub(r"<(script|style)\b.*?</\1>", "", self.page(name), flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", "", body)).split())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return Site(folder, done.stdout + done.stderr)


@pytest.fixture(scope="module")
def website() -> Iterator[Any]:
    """The modules that make the pages."""
    sys.path.insert(0, str(WEBSITE))
    try:
        yield SimpleNamespace(**{name: importlib.import_module(name) for name in MODULES})
    finally:
        sys.path.remove(str(WEBSITE))
        for name in MODULES:
            del sys.modules[name]


def plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


# ------------------------------------------------------------------ the whole


def test_the_build_has_no_warnings(site: Site) -> None:
    assert not re.search(r"warning|error|deprecat|│", site.log, re.IGNORECASE), site.log


def test_nothing_is_fetched_from_the_network(site: Site) -> None:
    files = [p for p in site.folder.rglob("*") if p.suffix in (".html", ".css", ".svg")]
    assert len(files) > 80
    for path in files:
        for found in FETCHED.findall(path.read_text(encoding="utf-8")):
            assert not re.match(r"(?:https?:)?//", "".join(found)), f"{path}: {found}"


def test_no_internal_link_is_dead(site: Site) -> None:
    pages = {p: p.read_text(encoding="utf-8") for p in site.folder.rglob("*.html")}
    identities = {path: set(IDENTITY.findall(text)) for path, text in pages.items()}
    followed = 0
    for path, text in pages.items():
        for link in LINK.findall(text):
            target, _, anchor = html.unescape(link).partition("#")
            if path.name == "404.html" or re.match(r"\w+:|//", target):
                continue
            goal = (path.parent / target).resolve() if target else path
            assert goal.exists(), f"{path.name} links to {link}"
            assert not anchor or anchor in identities.get(goal, ()), f"{path.name}: {link}"
            followed += 1
    assert followed > 5000


def test_every_package_has_a_guide(site: Site) -> None:
    rows = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)
    assert len(packages) >= 12
    index = site.page("index")
    for package in packages:
        assert f'href="{GUIDES[package]}.html"' in index, package


def test_the_page_on_the_report_names_its_parts() -> None:
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    sections = (ROOT / "src" / "tealeaves" / "report" / "sections").glob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in sections)
    titles = re.findall(r'^_(?:TITLE|OF_MODELS) = "(.+)"$', code, re.MULTILINE)
    assert len(titles) >= 10
    rows = " ".join(re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE))
    for title in titles:
        assert title in rows


def test_search_needs_no_server_and_no_network(site: Site) -> None:
    assert "assets/iframe-worker.js" in site.page("index")
    assert (site.folder / "assets" / "iframe-worker.js").exists()
    assert (site.folder / "search" / "search_index.js").exists()


# ------------------------------------------------------------------ metrics


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_a_complete_page(site: Site, name: str) -> None:
    metric = METRICS[name]
    page, text = site.page(f"metric/{name}"), site.text(f"metric/{name}")
    assert page.count("<math") >= 1
    # LaTeX that the converter does not know stays LaTeX
    assert not re.search(r"\\|<merror", "".join(re.findall(r"<math.*?</math>", page)))
    assert f"Better{'↑ higher' if metric.better == 'higher' else '↓ lower'}" in text
    assert plain(metric.source) in text
    assert plain(metric.cite) in text
    assert metric.misleads
    assert plain(metric.misleads) in text
    for paragraph in re.split(r"\n\s*\n", metric.details):
        assert plain(paragraph) in text
    for parameter in metric.parameters:
        assert f"<code>{parameter.name}</code>" in page
        assert plain(parameter.meaning) in text
    assert all(alias in text for alias in metric.aliases)
    assert f'<a href="{name}.html"><code>{name}</code></a>' in site.page("metric/index")


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ((-1.0, 1.0), "−1 to 1"),
        ((0.0, float("inf")), "0 or more"),
        ((float("-inf"), 0.0), "0 or less"),
        ((float("-inf"), float("inf")), "any number"),
    ],
)
def test_bounds_are_shown(website: Any, bounds: tuple[float, float], said: str) -> None:
    assert bounds_text(*bounds) == said
    assert f"<dd>{said}</dd>" in website.metric_pages.metric_page(replace(npmi, bounds=bounds))


def test_each_row_of_the_people_results_is_on_the_page_of_its_metric(site: Site) -> None:
    with (ROOT / "benchmarks" / "people" / "results.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        rows = list(csv.DictReader(file))
    pages = {name: site.page(f"metric/{name}") for name in METRICS}
    row = re.compile(r"<td>(?:topic|model)</td>")
    assert sum(len(row.findall(page)) for page in pages.values()) == len(rows)
    for label in {r["metric"] for r in rows}:
        name = re.split(r"[^a-z_]", label)[0]
        count = sum(r["metric"] == label for r in rows)
        assert pages[name].count(f"<td><code>{html.escape(label)}</code></td>") == count


def test_coefficients_are_those_of_the_table(site: Site) -> None:
    text = re.sub(r"\s+", " ", re.sub(r"</?(?:td|code)[^>]*>", " ", site.page("metric/c_v")))
    line = "c_v own texts 20 Newsgroups, 15 words topic 1,100 .71 (.66 to .76) .71 (.65 to .75)"
    assert line in text
    lower = re.sub(r"\s+", " ", re.sub(r"</?(?:td|code)[^>]*>", " ", site.page("metric/jaccard")))
    assert "topic 1,100 −.03 (−.13 to .05) −.02 (−.12 to .09)" in lower


def test_every_set_has_a_name(website: Any) -> None:
    rows = (ROOT / "benchmarks" / "people" / "results.csv").read_text(encoding="utf-8").splitlines()
    sets = {row["set"] for row in csv.DictReader(rows)}
    assert sets == set(website.people_results.SETS)


def test_a_metric_without_measurements_says_so(site: Site) -> None:
    said = site.text("metric/perplexity")
    assert "We did not measure how well it agrees with people: no topic-word matrix." in said
    assert "We did not measure" not in site.text("metric/npmi")
    assert "benchmarks/people.html#across-languages" in site.page("metric/mta")


def test_a_metric_of_another_package_may_leave_fields_empty(website: Any) -> None:
    mine = replace(npmi, name="mine", formula="", misleads="", details="", aliases=())
    page = website.metric_pages.metric_page(mine)
    for title in ("## Formula", "## When it misleads", "## What it computes", "Also called"):
        assert title not in page
    assert "We did not measure how well it agrees with people." in page
    assert "# <code>mine</code>" in page


def test_text_of_a_metric_is_never_markup(website: Any) -> None:
    markdown = pytest.importorskip("markdown")
    said = "<script>x</script> *a* _b_ [c](d) {: .e } | # f ![g](h)"
    mine = replace(npmi, details=said, misleads=said, summary=said, cite=said, aliases=("<i>",))
    page = website.metric_pages.metric_page(mine)
    _, head, page = page.split("---\n", 2)
    assert "<" not in head
    made = markdown.markdown(page, extensions=["admonition", "attr_list", "tables"])
    for sign in ("<script", "<em>", "<i>", 'class="e"', 'href="d"', "<img"):
        assert sign not in made
    assert html.escape(said, quote=False) in made


def test_metrics_of_all_families_are_in_the_index(website: Any) -> None:
    page = website.metric_pages.index_page()
    for name in METRICS:
        assert page.count(f"]({name}.md)") == 1 + (name == "consensus")
    used = {website.metric_pages.family_of(one) for one in METRICS.values()}
    assert used == set(website.metric_pages.FAMILIES)


def test_the_guide_of_each_family_names_its_metrics(website: Any) -> None:
    # pages of metrics are generated, so the guide of a family need not name all of them
    for family in website.metric_pages.FAMILIES:
        guide = (ROOT / "docs" / family.guide).read_text(encoding="utf-8")
        coded = " ".join(re.findall(r"`([^`\n]+)`", guide))
        metrics = [one for one in METRICS.values() if website.metric_pages.family_of(one) == family]
        named = [one for one in metrics if re.search(rf"(?<!\w){one.name}(?!\w)", coded)]
        assert named, family


# ------------------------------------------------------------------ the Python API


def test_every_public_name_has_a_page(site: Site, website: Any) -> None:
    index = site.page("api/index")
    pages = {id(one.object): one for one in website.api_pages.public_names()}
    public = [
        value
        for package in website.api_pages.PACKAGES
        for value in map(package_attribute(package), importlib.import_module(package).__all__)
        if inspect.isclass(value) or inspect.isfunction(value)
    ]
    assert len(public) > 120
    for value in public:
        one = pages[id(value)]
        name = one.page.removesuffix(".md")
        assert f'href="{name.removeprefix("api/")}.html"' in index, one.path
        page, text = site.page(name), site.text(name)
        assert f'id="{one.identifier}"' in page
        assert one.path in text
        start = re.split(r"`|:\w+:", one.summary)[0]  # before code and roles
        assert start, one.path
        assert " ".join(start.split()) in text, one.path


def package_attribute(package: str) -> Any:
    return partial(getattr, importlib.import_module(package))


def test_pages_differ_in_more_than_the_case_of_letters(site: Site) -> None:
    paths = [p.relative_to(site.folder).as_posix() for p in site.folder.rglob("*")]
    assert len(paths) > 200
    assert len({path.lower() for path in paths}) == len(paths)


def test_long_signatures_have_several_lines(site: Site) -> None:
    signature = re.compile(r'class="[^"]*doc-signature.*?<code>(.*?)</code>', re.DOTALL)
    found = 0
    for path in (site.folder / "api").rglob("*.html"):
        for code in signature.findall(path.read_text(encoding="utf-8")):
            lines = html.unescape(re.sub(r"<[^>]+>", "", code)).splitlines()
            assert max(map(len, lines)) <= 120, f"{path.name}: {lines[0]}"
            found += 1
    assert found > 500


def test_every_package_with_public_names_is_in_the_api(website: Any) -> None:
    source = ROOT / "src"
    found = {
        ".".join(path.parent.relative_to(source).parts)
        for path in (source / "tealeaves").rglob("__init__.py")
        if re.search(r"^__all__ = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found == set(website.api_pages.PACKAGES)


def test_docstrings_come_out_as_text_and_links(site: Site) -> None:
    for path in (site.folder / "api").rglob("*.html"):
        text = site.text(path.relative_to(site.folder).as_posix().removesuffix(".html"))
        assert not re.search(r":(?:func|class|meth|mod|data|attr|exc|obj):", text), path
        assert "-----" not in text, path
        # an example that is not in a code block is a quotation
        assert "<blockquote>" not in path.read_text(encoding="utf-8"), path
    score = site.page("api/functions/tealeaves.score")
    assert 'href="../classes/tealeaves.Sources.html#tealeaves.Sources"' in score
    assert "&gt;&gt;&gt; " in score


def test_errors_have_one_page(site: Site) -> None:
    page = site.page("api/tealeaves.errors")
    for name in ("TealeavesError", "InputError", "MissingExtraError", "EvidenceError"):
        assert f'id="tealeaves.errors.{name}"' in page
    assert "did_you_mean" not in page


@pytest.mark.parametrize(
    ("role", "path", "link"),
    [
        (":func:`tealeaves.score`", "tealeaves", "[`tealeaves.score`][tealeaves.score]"),
        (":meth:`Corpus.open`", "tealeaves.text", "[`Corpus.open`][tealeaves.Corpus.open]"),
        (":func:`evaluate`", "tealeaves.lexicon.x", "[`evaluate`][tealeaves.lexicon.evaluate]"),
        (":func:`evaluate`", "tealeaves.metrics.x", "[`evaluate`][tealeaves.evaluate]"),
        (":meth:`Corpus.nothing`", "tealeaves.text", "`Corpus.nothing`"),
        (":func:`no_such_function`", "tealeaves.text", "`no_such_function`"),
        (":mod:`.windows`", "tealeaves.evidence", "`windows`"),
    ],
)
def test_roles_lead_to_public_names(website: Any, role: str, path: str, link: str) -> None:
    assert website.docstrings.with_links(f"See {role}.", path) == f"See {link}."


def test_paragraphs_after_parameters_are_moved(website: Any) -> None:
    text = "A.\n\nParameters\n----\na, b\n    C.\n\nD.\n\n>>> 1\n1\n\nReturns\n----\nE"
    arranged = website.docstrings.arranged(website.docstrings.with_single_parameters(text))
    assert arranged == (
        "A.\n\nD.\n\nParameters\n----\na\n    C.\nb\n    See ``a``.\n\nReturns\n----\nE\n\n"
        "Examples\n--------\n>>> 1\n1"
    )
    assert website.docstrings.arranged("A.\n\n>>> 1\n1") == "A.\n\n```pycon\n>>> 1\n1\n```"


# ------------------------------------------------------------------ the modules


@pytest.mark.parametrize("name", MODULES)
def test_doctests_of_the_website(website: Any, name: str) -> None:
    assert doctest.testmod(getattr(website, name)).failed == 0


@pytest.mark.parametrize(
    ("link", "source", "target"),
    [
        ("docs/python.md#optional-requests", "CONTRIBUTING.md", "python.md#optional-requests"),
        ("../benchmarks/lexicon/RESULTS.md", "docs/lexicon.md", "benchmarks/lexicon.md"),
        ("results.svg", "benchmarks/speed/RESULTS.md", "speed.svg"),
        ("../../README.md", "docs/how-to/gensim.md", "../index.md"),
        (
            "../../../../docs/consensus.md",
            "src/tealeaves/consensus/shipped/CARD.md",
            "consensus.md",
        ),
        ("../topics.md", "docs/how-to/gensim.md", "../topics.md"),
        ("../src/tealeaves/errors.py", "docs/python.md", "../src/tealeaves/errors.py"),
        ("https://example.org/a.md", "docs/python.md", "https://example.org/a.md"),
        ("#optional-requests", "docs/python.md", "#optional-requests"),
    ],
)
def test_links_lead_to_pages(website: Any, link: str, source: str, target: str) -> None:
    assert website.repository.relinked(f"[a]({link})", source) == f"[a]({target})"


def test_links_in_code_are_left_alone(website: Any) -> None:
    text = "```text\n[a](../README.md)\n```\n[b](../README.md)"
    assert website.repository.relinked(text, "docs/a.md") == (
        "```text\n[a](../README.md)\n```\n[b](index.md)"
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a\n- b\n- c", "<p>a</p><ul><li>b</li><li>c</li></ul>"),
        ("- b\n  more\n- c", "<ul><li>b more</li><li>c</li></ul>"),
        ("- b\n  - c\n- d", "<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul>"),
        ("1. b\n\n   c\n2. d", "<ol><li><p>b</p><p>c</p></li><li><p>d</p></li></ol>"),
        ("in\n2015. b", "<p>in 2015. b</p>"),
    ],
)
def test_lists_are_converted(website: Any, written: str, read: str) -> None:
    markdown = pytest.importorskip("markdown")
    made = markdown.markdown(website.dialect.as_python_markdown(written))
    assert re.sub(r" ?(<[^>]+>) ?", r"\1", " ".join(made.split())) == read


def test_code_is_left_as_it_is(website: Any) -> None:
    code = "```text\na\n- b\n1. c\n   d\n```\n"
    assert website.dialect.as_python_markdown(code) == code
    inside = "1. a\n\n   ```text\n   - b\n   ```\n"
    assert website.dialect.as_python_markdown(inside) == inside.replace("   ", "    ")


def test_a_formula_is_split_only_outside_brackets(website: Any) -> None:
    lines = website.metric_pages.formula_lines
    assert lines(r"a,\quad b") == ["a,", "b"]
    assert lines(r"\left( a,\quad b \right)") == [r"\left( a,\quad b \right)"]
    assert lines(r"f\{a,\quad b\}") == [r"f\{a,", r"b\}"]
    assert lines(r"x_{a,\quad b} \rightarrow c") == [r"x_{a,\quad b} \rightarrow c"]
