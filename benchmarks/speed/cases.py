"""The cases. To add a measure: a row in ``SCORINGS``; other work: one more ``Case`` below."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from benchmarks.processes import run
from benchmarks.speed.case import Contender, Goal, SpeedCase, read_drawn, read_nothing, read_rows
from benchmarks.speed.linked import FILES, TOPICS, bible, make_linked
from benchmarks.speed.texts import (
    FILES as FOLDER,
)
from benchmarks.speed.texts import (
    FORMATS,
    HERE,
    LARGE_BYTES,
    MIDDLE_BYTES,
    PREPARED,
    SIZES,
    in_format,
    longest,
    raw_texts,
)
from benchmarks.speed.tools import Tools

OURS, GENSIM, TOMOTOPY, SCIPY, STREAM = "tealeaves", "gensim", "tomotopy", "scipy", "STREAM"
TOPICA, TOPICA_WARP, TOPICA_TUPLES = "topica", "topica, WarpLDA", "topica, two languages"
SINGLE, AUTOGRAD, CHEFER = "one by one", "autograd", "Chefer et al."
PLAIN, IMPROVED, BOTH = "LRP", "Improved LRP", "both in one pass"
PLAINLY = "a plain script"
MANY, PASS = "100 models of 25 topics", "the reading for 1 model"
TUPLES, PLAIN_LDA = "two languages", "one language"
ONE, TWO, FLOOR = "1 thread", "2 threads", "read and sum"
LINES = "its lines"
DEMO = FOLDER / "demo"
REPORT = FOLDER / "report.html"
PEOPLE = FOLDER / "people"
LARGE_TOPICS = str(HERE / "topics" / "ng_k500.txt")
_STEADY_REPEATS, _WARM_REPEATS = "9", "5"
_CLASS, _CLASS_SECONDS = 50, 1 / 7  # topics, and what MALLET takes with them
_HEADLESS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--virtual-time-budget=60000", "--dump-dom"),
)
_FOLLOWED = "32 texts of 128 word pieces, MiniLM"
_CORRELATED = "1,100 topics, 20 metrics, Pearson and Spearman"


@dataclass(frozen=True)
class Runs:
    """How many times each is timed."""

    ours: int = 5
    theirs: int = 2
    steady: int = 1


@dataclass(frozen=True)
class Scoring:
    """Topics scored on 20 Newsgroups, by us and by the peers.

    Parameters
    ----------
    name
        As shown in the tables.
    topics
        File in ``topics/``, one topic a line.
    measure
        Our name of the measure; timed is its exact default, compared its ``compat=gensim``.
    gensim
        gensim's name of the coherence.
    window
        gensim's window in tokens; ``"document"`` is a window as long as the longest document,
        which is how gensim counts documents. ``None`` for measures without a window.
    tomotopy
        tomotopy's name of the coherence; none where it would take too long.
    whole, steady
        How many times faster than gensim whole processes must be, and the steady state.
    seconds
        How many seconds our whole process may take.
    """

    name: str
    topics: str
    measure: str
    gensim: str
    window: int | Literal["document"] | None
    tomotopy: str | None = None
    whole: float = 0.0
    steady: float = 0.0
    seconds: float = 0.0

    @property
    def topic_file(self) -> str:
        """The topics, one a line."""
        return str(HERE / "topics" / self.topics)

    @property
    def gensim_window(self) -> str:
        """The window as a number of tokens."""
        return str(longest(PREPARED) if self.window == "document" else self.window or 0)


SCORINGS = (
    Scoring(
        "c_npmi, 500 topics", "ng_k500.txt", "c_npmi", "c_npmi", 10, "c_npmi", whole=100,
        steady=200, seconds=0.5,
    ),
    Scoring(
        "document NPMI, 500 topics", "ng_k500.txt", "npmi", "c_npmi", "document", whole=40,
        steady=200,
    ),
    Scoring("c_v, 50 topics", "ng_k50.txt", "c_v", "c_v", 110, "c_v", whole=30, steady=200),
    Scoring("umass, 500 topics", "ng_k500.txt", "umass", "u_mass", None),
)  # fmt: skip


@dataclass(frozen=True)
class TopicaScoring:
    """Topics scored on 20 Newsgroups, by us and by topica, both exactly.

    Parameters
    ----------
    name
        As shown in the tables.
    topics
        File in ``topics/``, one topic a line.
    measure
        Our expression of the measure, as it is timed.
    alike
        The expression that is compared. topica puts ``eps`` where two words are never together, we
        add it to every joint probability; with an ``eps`` that adds nothing the two are the same.
    topica, window
        topica's name of the coherence, and its window in tokens; 0 counts documents.
    whole, warm
        How many times faster than topica whole processes must be, and scoring from memory.
    """

    name: str
    topics: str
    measure: str
    alike: str
    topica: str
    window: int
    whole: float = 0.0
    warm: float = 0.0

    @property
    def topic_file(self) -> str:
        """The topics, one a line."""
        return str(HERE / "topics" / self.topics)


_TOPICA_EPS, _NOTHING = "1e-12", "1e-300"  # what topica takes by default; what adds nothing
TOPICA_SCORINGS = (
    TopicaScoring(
        "c_npmi, 500 topics", "ng_k500.txt", "c_npmi", f"c_npmi(eps={_NOTHING})", "c_npmi", 10,
        whole=4, warm=6,
    ),
    TopicaScoring(
        "c_v, 500 topics", "ng_k500.txt", "c_v", f"c_v(eps={_NOTHING})", "c_v", 110
    ),
    TopicaScoring("c_v, 50 topics", "ng_k50.txt", "c_v", f"c_v(eps={_NOTHING})", "c_v", 110),
    TopicaScoring(
        "document NPMI, 500 topics", "ng_k500.txt", "npmi", f"npmi(eps={_NOTHING})", "c_npmi", 0
    ),
    TopicaScoring(
        "umass, 500 topics", "ng_k500.txt", "umass(smooth=1, aggregate=sum)",
        "umass(smooth=1, aggregate=sum)", "u_mass", 0,
    ),
)  # fmt: skip


def all_cases(tools: Tools, runs: Runs) -> Iterator[SpeedCase]:
    """Yield all cases, in the order in which they are run."""
    for one in SCORINGS:
        yield _whole(one, tools, runs)
        yield _steady(one, tools, runs)
    for peer in TOPICA_SCORINGS:
        yield _topica_whole(peer, tools, runs)
        yield from _topica_warm(peer, tools)
    for size in SIZES:
        yield _growth(size, tools, runs)
    yield _formats(tools, runs)
    yield from _many(tools)
    yield _people(tools, runs)
    yield from _vectors(tools)
    yield from _relevance(tools)
    yield from _stored(tools)
    yield _linked(tools, runs)
    yield from _topic_models(tools)
    yield from _alone(tools, runs)
    yield from _limits(tools)
    yield from _helps(tools, runs)


def score_command(tools: Tools, one: Scoring | TopicaScoring, metric: str) -> tuple[str, ...]:
    """Return the command line that scores each topic from the prepared texts."""
    texts = ("--corpus", str(PREPARED), "--tokens", "tokens")
    shown = ("--by-topic", "--format", "jsonl", "--quiet")
    return tools.program("score", one.topic_file, *texts, "--metrics", metric, *shown)


def _goals(peer: str, least: float, seconds: float = 0.0) -> tuple[Goal, ...]:
    ratio = (Goal(OURS, peer, least=least),) if least else ()
    return (*ratio, Goal(OURS, most=seconds)) if seconds else ratio


def _whole(one: Scoring, tools: Tools, runs: Runs) -> SpeedCase:
    """Start, import, read, count, score, print."""
    timed, alike = f"{one.measure}@10", f"{one.measure}(compat=gensim)@10"
    files = one.topic_file, str(PREPARED)
    theirs = tools.script("peers.gensim", one.gensim, one.gensim_window, *files, "whole")
    contenders = [
        Contender(
            OURS, score_command(tools, one, timed), runs.ours, read_rows,
            check=score_command(tools, one, alike),
        ),
        Contender(GENSIM, theirs, runs.theirs, slow=True),
    ]  # fmt: skip
    if one.tomotopy:
        command = tools.script("peers.tomotopy", one.tomotopy, *files)
        contenders.append(Contender(TOMOTOPY, command, 1, slow=True, equal=False))
    goals = _goals(GENSIM, one.whole, one.seconds)
    return SpeedCase(one.name, "whole", tuple(contenders), goals)


def _steady(one: Scoring, tools: Tools, runs: Runs) -> SpeedCase:
    """From bytes in memory, in a process that has done the same before."""
    files = one.topic_file, str(PREPARED)
    theirs = tools.script("peers.gensim", one.gensim, one.gensim_window, *files, "steady")
    timed, alike = f"{one.measure}@10", f"{one.measure}(compat=gensim)@10"
    contenders = (
        Contender(
            OURS, tools.script("work.steady", "bytes", *files, timed, _STEADY_REPEATS), 2,
            check=tools.script("work.steady", "bytes", *files, alike, "1"),
        ),
        Contender(GENSIM, theirs, runs.steady, slow=True),
    )  # fmt: skip
    goals = _goals(GENSIM, one.steady)
    return SpeedCase(f"{one.name}, steady", "steady", contenders, goals, inside=True)


def _topica_whole(one: TopicaScoring, tools: Tools, runs: Runs) -> SpeedCase:
    """Start, import, read, count, score, print."""
    files = one.topic_file, str(PREPARED)

    def theirs(eps: str) -> tuple[str, ...]:
        return tools.script("peers.topica", one.topica, str(one.window), eps, *files, "0")

    contenders = (
        Contender(
            OURS, score_command(tools, one, f"{one.measure}@10"), runs.ours, read_rows,
            check=score_command(tools, one, f"{one.alike}@10"),
        ),
        Contender(TOPICA, theirs(_TOPICA_EPS), runs.ours, check=theirs(_NOTHING)),
    )  # fmt: skip
    goals = _goals(TOPICA, one.whole)
    return SpeedCase(f"{one.name}, against topica", "topica", contenders, goals)


def _topica_warm(one: TopicaScoring, tools: Tools) -> Iterator[SpeedCase]:
    """From texts in memory, in a process that has done the same before."""
    files = one.topic_file, str(PREPARED)

    def theirs(eps: str, repeats: str) -> tuple[str, ...]:
        return tools.script("peers.topica", one.topica, str(one.window), eps, *files, repeats)

    for start, warm in (("bytes", one.warm), ("lists", 0.0)):
        name = f"{one.name}, warm, from {'bytes' if start == 'bytes' else 'token lists'}"
        timed, alike = f"{one.measure}@10", f"{one.alike}@10"
        contenders = (
            Contender(
                OURS, tools.script("work.steady", start, *files, timed, _STEADY_REPEATS), 2,
                check=tools.script("work.steady", start, *files, alike, "1"),
            ),
            Contender(
                TOPICA, theirs(_TOPICA_EPS, _WARM_REPEATS), 2, check=theirs(_NOTHING, "0")
            ),
        )  # fmt: skip
        goals = _goals(TOPICA, warm)
        yield SpeedCase(f"{name}, against topica", "topica warm", contenders, goals, inside=True)


def _growth(size: int, tools: Tools, runs: Runs) -> SpeedCase:
    """Raw text to counts, and the least that reading it takes."""
    texts = str(raw_texts(size))
    contenders = (
        Contender(TWO, tools.script("work.count", texts, LARGE_TOPICS, "2"), runs.ours),
        Contender(ONE, tools.script("work.count", texts, LARGE_TOPICS, "1"), runs.ours),
        Contender(FLOOR, tools.script("work.floor", texts), runs.ours, equal=False),
    )
    goals = (Goal(TWO, FLOOR, most=2.5),)
    megabytes = size / 1e6
    return SpeedCase(
        f"raw text to counts, {megabytes:.0f} MB", "growth", contenders,
        goals if size == max(SIZES) else (), inside=True, megabytes=megabytes,
    )  # fmt: skip


def _formats(tools: Tools, runs: Runs) -> SpeedCase:
    """The same texts in each format."""
    contenders = tuple(
        Contender(
            f".{form}", tools.script("work.count", str(in_format(form)), LARGE_TOPICS, "2"),
            max(2, runs.ours // 2),
        )
        for form in FORMATS
    )  # fmt: skip
    return SpeedCase("formats", "formats", contenders, inside=True, megabytes=MIDDLE_BYTES / 1e6)


def _many(tools: Tools) -> Iterator[SpeedCase]:
    """All metrics of word lists for 100 models, against one reading of the texts for one."""
    for texts, size, goal in (
        (raw_texts(LARGE_BYTES // 4), LARGE_BYTES // 4, Goal(MANY, PASS, most=3)),
        (in_format("jsonl.gz"), MIDDLE_BYTES, Goal(MANY, PASS, most=2, aim=True)),
    ):
        one, many = (
            Contender(
                name, tools.script("work.many", LARGE_TOPICS, str(texts), how), 1, equal=False
            )
            for name, how in ((PASS, "pass"), (MANY, "score"))
        )
        yield SpeedCase(
            f"every metric of word lists, {texts.name}", "many", (many, one),
            (goal,), inside=True, megabytes=size / 1e6,
        )  # fmt: skip


def _people(tools: Tools, runs: Runs) -> SpeedCase:
    """Coefficients, intervals and p of many metrics, from scores and judgments in memory."""
    contenders = (
        Contender(OURS, tools.script("work.people"), runs.ours),
        Contender(SCIPY, tools.script("peers.scipy"), runs.theirs, slow=True),
    )
    name = f"correlations with people, {_CORRELATED}"
    return SpeedCase(name, "people", contenders, (Goal(OURS, most=10),), inside=True)


def _vectors(tools: Tools) -> Iterator[SpeedCase]:
    """Metrics of word vectors from vectors that are kept, and embedding itself; MiniLM for all."""
    yield SpeedCase(
        "six metrics of word vectors, 1,100 topics",
        "vectors",
        (
            Contender(OURS, tools.script("work.vectors"), 2),
            Contender(STREAM, tools.script("peers.stream"), 1, slow=True),
        ),
        (Goal(OURS, most=2), Goal(OURS, STREAM, least=50)),
        inside=True,
        tolerance=1e-5,  # STREAM rounds
    )
    yield SpeedCase(
        "embedding 600 words, MiniLM",
        "encoding",
        (
            Contender(OURS, tools.script("work.encoding", "batched"), 3),
            Contender(SINGLE, tools.script("work.encoding", "single"), 2),
        ),
        (Goal(OURS, SINGLE, least=5),),
        inside=True,
        tolerance=1e-5,  # single precision
    )


def _relevance(tools: Tools) -> Iterator[SpeedCase]:
    """Texts through a network and back: against others' ways, and our ways against each other."""
    for name, how, peer in ((PLAIN, "lrp", AUTOGRAD), (IMPROVED, "improved", CHEFER)):
        contenders = tuple(
            Contender(who, tools.script(script, how), 2, check=tools.script(script, how, "exact"))
            for who, script in ((OURS, "work.relevance"), (peer, "peers.relevance"))
        )
        yield SpeedCase(
            f"relevance by {name}, {_FOLLOWED}", how, contenders, inside=True, tolerance=1e-6
        )
    ways = tuple(
        Contender(name, tools.script("work.relevance", how), 2, equal=False)
        for name, how in ((IMPROVED, "improved"), (PLAIN, "lrp"), (BOTH, "both"))
    )
    goals = (Goal(IMPROVED, PLAIN, most=3.7), Goal(IMPROVED, PLAIN, most=2.5, aim=True))
    yield SpeedCase(
        f"relevance by {IMPROVED} and {PLAIN}, {_FOLLOWED}", "ways", ways, goals, inside=True
    )


def _stored(tools: Tools) -> Iterator[SpeedCase]:
    """Scoring from relevance that was gathered before, and reading it."""
    for name, how, goals in (
        ("five metrics of 50 models from stored relevance", "score", (Goal(OURS, most=1),)),
        ("reading that relevance from its file", "load", ()),
    ):
        command = tools.script("work.relevance", how, str(FOLDER / "made.relevance"))
        yield SpeedCase(name, "stored", (Contender(OURS, command, 2),), goals, inside=True)


def _linked(tools: Tools, runs: Runs) -> SpeedCase:
    """CNPMI in the chapters of two Bibles, from the files of verses."""
    topics = str(make_linked())
    texts = [part for name in FILES for part in ("--corpus", f"{name}={bible(name)}")]
    shown = ("--by-topic", "--format", "jsonl", "--quiet")
    ours = tools.program("score", topics, *texts, "--metrics", "cnpmi@10", *shown)
    contenders = (
        Contender(OURS, ours, runs.ours, read_rows),
        Contender(PLAINLY, tools.script("peers.linked", topics), runs.theirs),
    )
    name = f"CNPMI of {TOPICS} topics over a pair of Bibles"
    return SpeedCase(name, "linked", contenders, (Goal(OURS, most=2),))


def _topic_models(tools: Tools) -> Iterator[SpeedCase]:
    """Sweeps of the polylingual topic model and of LDA, in two languages and in one."""
    for k, least in ((50, 0.75), (500, 1)):
        contenders = tuple(
            Contender(name, tools.script(*command, str(PREPARED)), runs, slow=True, equal=False)
            for name, runs, command in (
                (TUPLES, 3, ("work.pltm", str(k), "2")),
                (
                    TOPICA_TUPLES,
                    3 if k == _CLASS else 1,
                    ("peers.topica_models", "polylingual", str(k)),
                ),
                (PLAIN_LDA, 3, ("work.pltm", str(k), "1")),
                (TOPICA, 3, ("peers.topica_models", "sparse", str(k))),
                (TOPICA_WARP, 3, ("peers.topica_models", "warp", str(k))),
                (TOMOTOPY, 3, ("peers.lda", str(k))),
            )
        )
        goals = [Goal(name, TOMOTOPY, least=least) for name in (TUPLES, PLAIN_LDA)]
        if k == _CLASS:
            goals += [Goal(name, most=_CLASS_SECONDS) for name in (TUPLES, PLAIN_LDA)]
        yield SpeedCase(
            f"pltm, {k} topics: a sweep over a million tokens", "pltm", contenders, tuple(goals),
            inside=True,
        )  # fmt: skip


def _alone(tools: Tools, runs: Runs) -> Iterator[SpeedCase]:
    """What has no peer: start, the demo, first runs, many models from loaded counts."""
    topics = sorted(str(path) for path in DEMO.glob("topics/en/*.json"))
    demo = tools.program("score", *topics, "--corpus", str(DEMO / "en.jsonl"))
    large = score_command(tools, SCORINGS[0], f"{SCORINGS[0].measure}@10")
    load = (str(tools.ours), "-c", "import tealeaves")
    yield _single("`import tealeaves`, start of Python included", load, runs.ours, 0.3)
    yield _single("`tealeaves --help`", tools.program("--help"), runs.ours, 0.3)
    yield _single("`tealeaves score` on the demo, first run", demo, 3, 2, fresh=True)
    yield _single("`tealeaves score` on the demo, later runs", demo, runs.ours, 1)
    yield _single(f"{SCORINGS[0].name}, first run", large, 3, 1.5, fresh=True)
    files = str(PEOPLE / "scores.jsonl"), "--human", str(PEOPLE / "judgments.csv")
    asked = "--coefficient", "pearson,spearman", "--quiet"
    correlate = tools.program("correlate", *files, *asked)
    yield _single(f"`tealeaves correlate` from files, {_CORRELATED}", correlate, runs.ours, 10)
    counts = str(FOLDER / "models.counts")
    models = tools.script("work.models", SCORINGS[0].topic_file, str(PREPARED), counts)
    name = "100 models of 50 topics from loaded counts, npmi and c_v"
    yield SpeedCase(
        name, "alone", (Contender(OURS, models, 1, slow=True),), (Goal(OURS, most=1),), inside=True
    )


def _limits(tools: Tools) -> Iterator[SpeedCase]:
    """What must not become slow: calls in a process that has done the same before."""
    for name, work, most in (
        ("a text of two million letters without a space, as HTML", "html", 0.5),
        ("a dictionary of 100,000 lines", "dictionary", 2),
        ("20,000 texts of as many sources", "sources", 5),
        ("agreement of the people of Khodorchenko et al.", "agreement", 10),
        ("ceiling of 160 people", "ceiling", 10),
        ("the report of 10 models of 50 topics", "report", 5),
    ):
        contender = Contender(OURS, tools.script("work.single", work), 1, slow=True)
        yield SpeedCase(name, "alone", (contender,), (Goal(OURS, most=most),), inside=True)
    verses, lines = (
        Contender(name, tools.script("work.single", work), 1, slow=True, equal=False)
        for name, work in ((OURS, "verses"), (LINES, "lines"))
    )
    name = "the verses of a Bible"
    yield SpeedCase(name, "alone", (verses, lines), (Goal(OURS, LINES, most=6),), inside=True)
    if browser := shutil.which("chromium"):
        shown = (browser, *_HEADLESS, f"--user-data-dir={FOLDER / 'chromium'}", REPORT.as_uri())
        page = Contender(OURS, shown, 3, read_drawn)
        name = "that report in Chromium, from its start to all charts drawn"
        yield SpeedCase(name, "alone", (page,), (Goal(OURS, most=8),))


def _helps(tools: Tools, runs: Runs) -> Iterator[SpeedCase]:
    """The help of each command."""
    listed = "from tealeaves.cli.main import COMMANDS; print(*COMMANDS)"
    for name in run((str(tools.ours), "-c", listed)).output.split():
        command = tools.program(name, "--help")
        yield _single(f"`tealeaves {name} --help`", command, runs.ours, 0.3)


def _single(
    name: str, command: tuple[str, ...], runs: int, most: float = 0.0, *, fresh: bool = False
) -> SpeedCase:
    contender = Contender(OURS, command, runs, read_nothing, fresh=fresh)
    return SpeedCase(name, "alone", (contender,), (Goal(OURS, most=most),) if most else ())
