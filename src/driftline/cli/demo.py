"""`driftline demo`: the whole main job on a bundled corpus, in a minute."""

import sys
import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from driftline.cli.common import progress
from driftline.cli.fit import describe_fit
from driftline.cli.tag import tag_lines

_SHOWN = 14
_FIRST = 3  # a report of ordinary length


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline demo --domain accidents")(demo)


def demo(
    domain: Annotated[
        Literal["earthquakes", "clashes", "drugs", "finance", "accidents"],
        typer.Option(help="Which bundled corpus."),
    ] = "earthquakes",
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to save the model.")] = Path("demo.driftline"),
) -> None:
    """Fit a bundled (synthetic) corpus, show its topics and their flow, tag a document it has not seen."""
    from driftline.model.description import overview
    from driftline.model.fitting import fit
    from driftline.model.tagging import tag
    from driftline.model.topics import topics
    from driftline.samples.corpora import sample_corpus
    from driftline.storage import check_target

    check_target(output)
    train = sample_corpus(domain, "train")
    print(f"A synthetic corpus: {len(train)} {domain} reports, {train.n_sentences:,} sentences. One of them:\n")
    print("\n".join(f"  {sentence}" for sentence in train[_FIRST].sentences))
    started = time.perf_counter()
    with progress("Learning") as say:
        model = fit(train, on_progress=say)
    print("\n" + describe_fit(model.record, model.n_states, time.perf_counter() - started))
    explained = topics(model)
    print("\nThe largest topics, in the order in which they stand in a report, and what tends to follow each:\n")
    print("\n".join(overview(explained, most=_SHOWN)))
    unseen = sample_corpus(domain, "test")[0]
    print("\nA report that it has not seen, with the topic of each sentence and how sure the model is:\n")
    print("\n".join(tag_lines(unseen, tag(model, unseen), [topic.label for topic in explained])))
    model.save(output)
    print(
        f"\nThe model is saved in {output}. Next, try:\n"
        + "\n".join(f"  {program()} {command:<38} {what}" for command, what in _next_steps(output))
    )


def program() -> str:
    """Return what to type: `make demo` runs a program that is on nobody's path."""
    typed = Path(sys.argv[0])
    return str(typed) if typed.name == "driftline" and not typed.is_absolute() else "driftline"


def _next_steps(output: Path) -> list[tuple[str, str]]:
    return [
        (f"explore {output}", "all of it in a browser: flow, topics, a text of yours"),
        (f"show {output} --topic 0", "one topic in full: telling words, examples, neighbours"),
        (f"tag {output} report.txt", "the topics of a text of yours"),
        ("fit FOLDER -o my.driftline", "learn your own domain from a folder of .txt files"),
    ]
