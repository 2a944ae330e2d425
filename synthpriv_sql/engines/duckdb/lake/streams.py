"""A table outside of DuckDB that DuckDB reads as a stream of batches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from synthpriv_sql.errors import UnknownTable

if TYPE_CHECKING:
    import pyarrow as pa

Read = Callable[[Sequence[str]], "Iterable[pa.RecordBatch]"]


class Stream:
    """A table that is read from the start at every scan.

    Parameters
    ----------
    given
        The user's argument.
    label
        Its name in messages.
    schema
        Its columns.
    read
        Returns the batches of the given columns, in order; called at the start of a scan.

    Attributes
    ----------
    failed
        The error that stopped a scan. DuckDB would report it as text with a traceback.
    """

    def __init__(self, given: Any, label: str, schema: pa.Schema, read: Read) -> None:
        self.given = given
        self.label = label
        self.schema = schema
        self.failed: UnknownTable | None = None
        self._read = read

    def select(self, columns: Collection[str]) -> None:
        """From now on, read only these columns."""
        import pyarrow as pa

        self.schema = pa.schema([field for field in self.schema if field.name in columns])

    def __arrow_c_schema__(self) -> Any:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        import pyarrow as pa

        return pa.RecordBatchReader.from_batches(self.schema, self._batches()).__arrow_c_stream__(requested_schema)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        try:
            for batch in self._read(self.schema.names):
                yield batch.cast(self.schema)
        except Exception as error:
            self.failed = unreadable(self.label, error)
            raise


def unreadable(label: str, error: BaseException) -> UnknownTable:
    """Return the error for a table that its library cannot read, with the library's message."""
    return UnknownTable(f"{label} cannot be read: {str(error).strip() or type(error).__name__}")
