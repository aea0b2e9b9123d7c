"""``tealeaves relevance gather``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, MODEL, TEXTS, option
from tealeaves.cli.help import command as declare
from tealeaves.printing import echo, print_note

if TYPE_CHECKING:
    from tealeaves.topics.topics import Topics


class _Budget(click.ParamType[int | None]):
    """A number of texts, or all."""

    name = "budget"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | None:
        """Read ``500`` or ``all``."""
        if value in ("all", None):
            return None
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 1:
            self.fail(f"{value} is neither a number of texts nor all", param, ctx)
        return number


class GatherOptions(NamedTuple):
    """What is gathered, and how."""

    human: str | None
    classifier: str | None
    top: int | None
    all_pairs: bool
    by_head: bool
    budget: int | None
    no_improved: bool
    rules: str
    target: str
    head_sample: int
    heads_of: str | None
    device: str | None
    seed: int


_gather_options = shared.OptionFamily(
    "chosen",
    GatherOptions,
    option(
        "--human",
        heading=TEXTS,
        metavar="FILE",
        help="The topics that people judged, if their judgments have the words; instead of TOPICS "
        "or beside them.",
    ),
    option(
        "--classifier",
        heading=MODEL,
        metavar="FOLDER",
        help="Made by `tealeaves relevance fit`; or a classifier of Hugging Face, a folder or "
        "owner/name. Default: a probe on MiniLM, fitted to the texts.",
    ),
    option(
        "--top",
        heading=METRICS,
        type=click.IntRange(min=2),
        help="Only the first N words of topics.  [default: all]",
    ),
    option(
        "--all-pairs",
        heading=METRICS,
        is_flag=True,
        help="All pairs of the words, so that other topics of these words can be scored; heads are "
        "then kept only summed, unless --by-head.",
    ),
    option(
        "--by-head",
        heading=METRICS,
        is_flag=True,
        help="Keep each head by itself, with --all-pairs too.",
    ),
    option(
        "--budget",
        heading=METRICS,
        type=_Budget(),
        default="2000",
        metavar="N",
        help="How many texts with two words of a topic are used at most, drawn at random; or all.",
    ),
    option(
        "--no-improved",
        heading=METRICS,
        is_flag=True,
        help="Without Improved LRP: in a third of the time.",
    ),
    option(
        "--rules",
        heading=METRICS,
        excludes="--no-improved",
        type=click.Choice(["sizes", "chefer"]),
        default="sizes",
        help="How Improved LRP shares out relevance: by sizes, which is stable, or as published, "
        "in double precision and twice the time.",
    ),
    option(
        "--target",
        heading=METRICS,
        type=click.Choice(["predicted", "true"]),
        default="predicted",
        help="The class that is explained: the predicted one, or the label of the text.",
    ),
    option(
        "--head-sample",
        heading=METRICS,
        excludes="--heads-of",
        type=click.IntRange(min=1),
        default=128,
        help="From how many texts the heads are chosen.",
    ),
    option(
        "--heads-of",
        heading=METRICS,
        metavar="FILE",
        help="Take the heads of another file, to add to it.",
    ),
    shared.device_option,
    shared.seed_option,
)


@declare("gather")
@click.argument("topics", nargs=-1, metavar="[TOPICS]...")
@shared.classified_text_options
@_gather_options
@shared.separator_option
@shared.output_file("The file of the relevance.")
@shared.job_options
@shared.quiet_option
def command(
    topics: tuple[str, ...],
    corpus: shared.TextOptions,
    chosen: GatherOptions,
    job: shared.JobOptions,
    separator: str | None,
    output: str,
    *,
    quiet: bool,
) -> None:
    """Run texts through a classifier, once, for any number of later scorings.

    For each ordered pair of words of a topic FILE has, by layer and head, the attention and the
    relevance between them, summed over texts; `tealeaves score --relevance FILE` needs neither the
    texts nor the network. While it runs, FILE.partial holds what is done; --resume continues a run
    that was stopped. `tealeaves add` adds relevance of other texts. The texts are read with
    --tokens, by default with those that the classifier was fitted with.

    \b
    Examples:
      tealeaves relevance gather lda.json -c news.jsonl -o news.relevance
      tealeaves relevance gather lda.json nmf.json -c news.jsonl --classifier news.classifier \\
          --budget 500 -o news.relevance --resume
      tealeaves relevance gather lda.json -c may.jsonl --classifier news.classifier \\
          --heads-of april.relevance -o may.relevance
      tealeaves relevance gather --human ratings.jsonl -c news.jsonl -o judged.relevance
      tealeaves score lda.json nmf.json --relevance news.relevance -m "lrp_sum@10 cooccurrence@10"
    """
    files = filter(None, (chosen.heads_of, chosen.human))
    shared.check_not_input(output, [*topics, *corpus.required, *files])
    if not (topics or chosen.human):
        raise click.UsageError("give TOPICS, the files of models, or --human, judgments of them")
    from tealeaves.evidence.attention.topic_relevance import gather_file

    gathered = gather_file(
        [*shared.read_topic_files(topics, separator), *_judged_models(chosen.human)],
        corpus.corpus(),
        output,
        tokens=shared.one_for_all(corpus.tokens, "tokens"),
        classifier=chosen.classifier,
        top=chosen.top,
        all_pairs=chosen.all_pairs,
        improved=not chosen.no_improved,
        by_head=chosen.by_head or None,
        budget=chosen.budget,
        rules=chosen.rules,
        target=chosen.target,
        head_sample=chosen.head_sample,
        heads_of=chosen.heads_of,
        device=chosen.device,
        seed=chosen.seed,
        resume=job.resume,
        restart=job.restart,
        checkpoint=job.checkpoint,
        progress=shared.wants_progress(quiet=quiet),
        on_note=None if quiet else print_note,
    )
    if gathered.was_complete:
        echo(f"{gathered.path} is complete already", err=True)
    elif not quiet:
        echo(gathered, err=True)


def _judged_models(file: str | None) -> list[Topics]:
    """Return the models whose topics people judged."""
    if not file:
        return []
    from tealeaves.judgments.reading import read_judgments

    return read_judgments(file).topics_only.models()
