"""`driftline sample`: write a bundled corpus to files."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline sample earthquakes -o quakes && driftline fit quakes/train.jsonl -o m")(
        sample
    )


def sample(
    domain: Annotated[
        Literal["earthquakes", "clashes", "drugs", "finance", "accidents"],
        typer.Argument(help="Which bundled corpus."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to; it is made if need be.")],
) -> None:
    """Write a bundled (synthetic) corpus: train, dev and test, and the pairs with summaries where there are any."""
    import msgspec

    from driftline.errors import InputError
    from driftline.files import write_atomically
    from driftline.samples.corpora import Split, sample_corpus

    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{output}: cannot be made ({error.strerror})") from None
    for split in get_args(Split):
        if split == "pairs" and domain != "earthquakes":
            continue
        corpus = sample_corpus(domain, split)
        lines = [msgspec.json.encode({k: v for k, v in asdict(d).items() if v is not None}) for d in corpus]
        write_atomically(output / f"{split}.jsonl", b"".join(line + b"\n" for line in lines))
        print(f"{output / split}.jsonl: {len(corpus)} synthetic documents, {corpus.n_sentences:,} sentences")
