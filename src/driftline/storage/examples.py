"""The example sentences that a model keeps for display."""

import numpy as np

from driftline.model.examples import Example
from driftline.storage.packing import Arrays, pack_texts, unpack_texts

Examples = tuple[tuple[Example, ...], ...]


def pack_examples(examples: Examples) -> Arrays:
    """Store the examples of all states."""
    kept = [(state, example) for state, row in enumerate(examples) for example in row]
    places = [(state, example.sentence) for state, example in kept]
    return {
        **pack_texts("example_texts", [example.text for _, example in kept]),
        **pack_texts("example_documents", [example.document for _, example in kept]),
        "example_places": np.array(places, dtype=np.int64).reshape(-1, 2),
    }


def unpack_examples(arrays: Arrays, n_states: int) -> Examples:
    """Take the examples of each state out again."""
    examples: list[list[Example]] = [[] for _ in range(n_states)]
    texts, documents = unpack_texts("example_texts", arrays), unpack_texts("example_documents", arrays)
    if (arrays["example_places"][:, 0] >= n_states).any():
        raise ValueError("an example has a state that is out of range")
    for (state, sentence), text, document in zip(arrays["example_places"].tolist(), texts, documents, strict=True):
        examples[state].append(Example(document, sentence, text))
    return tuple(map(tuple, examples))
