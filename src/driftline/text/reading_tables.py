"""The rows of tables: .csv and .parquet files, one document a row."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftline.errors import InputError

if TYPE_CHECKING:
    from pyarrow import RecordBatch

_ROWS_AT_ONCE = 64  # so that a few packed bytes cannot become gigabytes of cells

Row = Mapping[str, Any]
"""A cell for each column; more cells than there are columns stand under None."""


@dataclass(frozen=True)
class Columns:
    """Which columns of a table make a document."""

    text: str
    id: str | None
    """None takes `id` where there is one."""

    def check(self, path: Path, names: Sequence[str]) -> None:
        """Refuse a table that lacks a column that was named."""
        for name in filter(None, (self.text, self.id)):
            if name not in names:
                have = ", ".join(map(repr, names)) or "none"
                raise InputError(
                    f"{path}: has no column {name!r} (columns: {have}); name one with --column (column= in Python)"
                )

    def values(self, row: Row) -> dict[str, Any]:
        """Return the `text` and `id` of a row, or say what is wrong with it."""
        if None in row:
            raise InputError("has more cells than the header has columns; a text with commas must stand in quotes")
        if row.get(self.text) is None:
            raise InputError(f"has nothing in the column {self.text!r}")
        name = row.get(self.id or "id")
        return {"text": row[self.text], "id": None if name == "" else name}


def csv_rows(path: Path, lines: Iterable[str], columns: Columns, max_cell: int) -> Iterator[Row]:
    """Read the rows of a .csv file, whose lines are given, up to the first that cannot be read."""
    before = csv.field_size_limit(max_cell)  # one for the whole process
    # strict: a quote that is never closed is an error, not the rest of the file in one cell.
    rows = csv.DictReader(lines, strict=True)
    try:
        columns.check(path, rows.fieldnames or ())
        yield from rows
    except csv.Error as error:
        raise InputError(f"{path}, line {rows.reader.line_num}: {error}") from None
    finally:
        csv.field_size_limit(before)


def parquet_rows(path: Path, columns: Columns, max_cell: int) -> Iterator[Row]:
    """Read the rows of a .parquet file: the columns that are needed, a few rows at a time."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise InputError(f"{path}: reading .parquet needs pyarrow; install driftline[data]") from None
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            columns.check(path, names)
            wanted = {columns.text, columns.id or "id"} & set(names)
            for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=sorted(wanted)):
                _check_cells(path, batch, max_cell)
                yield from batch.to_pylist()
    except (ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path}: is no readable Parquet file ({reason})") from None


def _check_cells(path: Path, batch: "RecordBatch", max_cell: int) -> None:
    """Refuse texts that are too long before they are unpacked into Python's strings."""
    from pyarrow import compute, types

    for cells in batch.columns:
        texts = cells.dictionary if types.is_dictionary(cells.type) else cells
        if not (types.is_string(texts.type) or types.is_large_string(texts.type)):
            continue
        longest = compute.max(compute.binary_length(texts)).as_py() or 0
        if longest > max_cell:
            raise InputError(f"{path}: one document of {longest:,} bytes; at most {max_cell:,} are read")
