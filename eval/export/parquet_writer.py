"""Write Parquet files, one per table, in row groups."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from eval.export.extras import load_extra
from eval.export.parquet_tables import ColumnKind, ParquetTable

_GROUP: Final = 20_000
"""Buffered rows per table."""


class TableWriter:
    """Writer of one table's rows, with the table's columns and types."""

    def __init__(self, path: Path, table: ParquetTable) -> None:
        """Open the file."""
        self._table = table
        self._arrow = load_extra("pyarrow")
        self._schema = _schema(self._arrow, table)
        parquet = load_extra("pyarrow.parquet")
        self._file: Any = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._held: list[Mapping[str, object]] = []
        self.rows = 0

    def add(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Add rows."""
        self.rows += len(rows)
        self._held += rows
        if len(self._held) >= _GROUP:
            self._flush()

    def close(self) -> None:
        """Write the buffered rows and the file's footer."""
        if self._held:
            self._flush()
        self._file.close()

    def _flush(self) -> None:
        names = [column.name for column in self._table.columns]
        # A missing or extra column in a row is a bug and must fail.
        wrong = next(
            (row.keys() ^ set(names) for row in self._held if row.keys() ^ set(names)), None
        )
        assert wrong is None, f"table {self._table.name!r} and its rows differ in {wrong}"
        self._file.write_table(self._arrow.Table.from_pylist(self._held, schema=self._schema))
        self._held = []


@contextmanager
def open_tables(
    folder: Path, tables: Sequence[ParquetTable]
) -> Generator[Mapping[str, TableWriter]]:
    """Yield a writer per table, by name."""
    with ExitStack() as stack:
        writers = {
            table.name: TableWriter(folder / table_file_name(table), table) for table in tables
        }
        for writer in writers.values():
            stack.callback(writer.close)
        yield writers


def table_file_name(table: ParquetTable) -> str:
    """Return the name of a table's file."""
    return f"{table.name}.parquet"


def _schema(arrow: Any, table: ParquetTable) -> Any:
    types: dict[ColumnKind, Any] = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "truth": arrow.bool_(),
        "texts": arrow.list_(arrow.string()),
        "integers": arrow.list_(arrow.int64()),
    }
    return arrow.schema([(column.name, types[column.kind]) for column in table.columns])
