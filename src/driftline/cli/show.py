"""`driftline show`: what a model has learned, in words."""

from typing import Annotated

import typer

from driftline.cli.common import Json, ModelPath, print_json, print_text, whole_option


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline show reports.driftline --topic 3")(show)


def show(
    model: ModelPath,
    topic: Annotated[int | None, whole_option("Only this topic.")] = None,
    json: Json = False,
) -> None:
    """Show the topics of a model: labels, examples, where they stand, what follows them."""
    from driftline.errors import InputError
    from driftline.model.description import describe
    from driftline.model.topics import etcetera_reason, topics
    from driftline.storage import load

    loaded = load(model)
    if not json:
        print_text(describe(loaded, topic))
        return
    explained = topics(loaded)
    if topic is not None and not 0 <= topic < loaded.n_states:
        raise InputError(f"topic: expected a number from 0 to {loaded.n_states - 1}, got {topic}")
    print_json(
        {
            "signature": loaded.signature,
            "n_states": loaded.n_states,
            "settings": loaded.settings.as_dict(),
            "record": loaded.record,
            "etcetera": etcetera_reason(loaded),
            "topics": explained if topic is None else [explained[topic]],
        }
    )
