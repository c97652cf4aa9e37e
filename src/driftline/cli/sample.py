"""`driftline sample`: write a bundled corpus to files."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from driftline.cli.common import Workers, positive, progress, whole_option

if TYPE_CHECKING:
    from driftline.text.corpus import Corpus


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
    kind: Annotated[
        Literal["jsonl", "txt"],
        typer.Option("--format", help="A .jsonl file, or a folder of .txt files with a sentence a line."),
    ] = "jsonl",
    documents: Annotated[
        int | None, whole_option("Write so many new documents instead, as .jsonl shards.", parser=positive)
    ] = None,
    shards: Annotated[int, whole_option("Into how many files.", parser=positive)] = 1,
    workers: Workers = 1,
) -> None:
    """Write a bundled (synthetic) corpus: train, dev and test, and the pairs with summaries where there are any."""
    from driftline.model.description import counted
    from driftline.samples.corpora import SPLITS, sample_corpus
    from driftline.samples.shards import write_shards

    if documents is not None:
        with progress("Writing"):
            write_shards(domain, output, documents, shards, workers)
        print(f"{output}: {documents:,} synthetic documents in {counted(shards, 'shard')}")
        return
    for split in SPLITS:
        if split == "pairs" and domain != "earthquakes":
            continue
        corpus = sample_corpus(domain, split)  # type: ignore[arg-type]
        path = _write_lines(output, split, corpus) if kind == "jsonl" else _write_texts(output / split, corpus)
        print(f"{path}: {len(corpus)} synthetic documents, {corpus.n_sentences:,} sentences")


def _write_lines(folder: Path, name: str, corpus: "Corpus") -> Path:
    import msgspec

    from driftline.files import make_folder, write_atomically

    make_folder(folder)
    lines = [msgspec.json.encode({k: v for k, v in asdict(d).items() if v is not None}) for d in corpus]
    write_atomically(folder / f"{name}.jsonl", b"".join(line + b"\n" for line in lines))
    return folder / f"{name}.jsonl"


def _write_texts(folder: Path, corpus: "Corpus") -> Path:
    from driftline.files import make_folder, write_atomically

    make_folder(folder)
    for document in corpus:
        write_atomically(folder / f"{document.id}.txt", "\n".join(document.sentences) + "\n")
    return folder
