"""The labels that people gave to states, if they gave any."""

from driftline.storage.packing import Arrays, pack_texts, unpack_texts

_NAME = "given_labels"


def pack_labels(labels: tuple[str, ...]) -> Arrays:
    """Store a label a state; nothing for a model whose states have the labels that were learned."""
    return pack_texts(_NAME, labels) if any(labels) else {}


def unpack_labels(arrays: Arrays, n_states: int) -> tuple[str, ...]:
    """Take the labels out again."""
    if f"{_NAME}.bytes" not in arrays:
        return ()
    labels = unpack_texts(_NAME, arrays)
    if len(labels) != n_states:
        raise ValueError(f"there are {len(labels)} labels for {n_states} states")
    return labels
