"""Measure driftline beside its peers, in one run, and say which targets are met: `make bench`.

Every row is a ratio: how many times better than the peer that is named in it.
"""

import argparse
import json
import time
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from measure import Result, Row, signature

TOPICS = (
    "start_up",
    "fitting",
    "decoding",
    "clustering",
    "recovery",
    "masking",
    "ordering",
    "summaries",
    "workers",
    "limits",
)


def main() -> None:
    """Run the chosen topics, print a table of each, and write all figures as JSON where that is asked for."""
    options = _options()
    print(signature())
    results: dict[str, Result] = {}
    for name in options.only or TOPICS:
        topic = import_module(name)
        start = time.perf_counter()
        results[name] = topic.run(options.corpora)
        title = (topic.__doc__ or name).partition("\n")[0]
        print(f"\n{name}: {title}  [{time.perf_counter() - start:.0f} s]\n{_table(results[name])}", flush=True)
    rows = [row for result in results.values() for row in result.rows]
    verdicts = [row.verdict for row in rows if row.verdict]
    if verdicts:
        print(f"\n{verdicts.count('ok')} of {len(verdicts)} targets met")
    if options.json:
        options.json.write_text(json.dumps(_as_json(results), indent=2) + "\n", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, help="a folder of real corpora, each with train.jsonl and dev.jsonl")
    parser.add_argument("--only", choices=TOPICS, action="append", help="run this topic alone; may stand repeatedly")
    parser.add_argument("--json", type=Path, help="write all figures to this file too")
    options = parser.parse_args()
    if options.corpora and not options.corpora.is_dir():
        parser.error(f"--corpora: expected a folder, got {options.corpora}")
    return options


def _table(result: Result) -> str:
    """Lay out the rows in columns as wide as they need to be, and the notes below."""
    if not result.rows:
        return "\n".join(result.notes)
    cells = [("", "driftline", "beside", "", "ratio", "target", "")]
    cells += [_cells(row) for row in result.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    flush_left = {0, 2, 6}
    lines = [
        "  ".join(
            c.ljust(w) if i in flush_left else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    ]
    return "\n".join([*map(str.rstrip, lines), *result.notes])


def _cells(row: Row) -> tuple[str, ...]:
    target = "" if row.target is None else f"{row.target:g}"
    ours, theirs = (_quantity(value, row.unit) for value in (row.ours, row.theirs))
    return (row.what, ours, row.peer, theirs, f"{row.ratio:.2f}", target, row.verdict)


def _quantity(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3f} {unit}".rstrip()


def _as_json(results: dict[str, Result]) -> dict[str, object]:
    topics = {
        name: {
            "rows": [asdict(row) | {"ratio": row.ratio, "verdict": row.verdict} for row in result.rows],
            "notes": result.notes,
        }
        for name, result in results.items()
    }
    return {"signature": signature(), "topics": topics}


if __name__ == "__main__":
    main()
