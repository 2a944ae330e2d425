"""NumPy arrays and lists of rows as Arrow tables."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from synthpriv_sql.errors import SynthprivWarning, UnknownTable

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def as_table(parameter: str, value: Any) -> Any:
    """Convert arrays, lists and frames of Python objects to an Arrow table; return other values unchanged.

    Parameters
    ----------
    parameter
        The parameter that the value was passed for.
    value
        An array of shape (rows, columns), whose columns are named column0, column1, and so on; a structured array of
        shape (rows,); a list of row arrays of equal length; or a list of dicts, one per row, where a column of mixed
        types becomes text. For the parameter ``classes`` an empty list means that there are no classes.

    Raises
    ------
    UnknownTable
        The value is an array or a list of another kind.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return _of_array(parameter, value)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return _of_frame(parameter, value)
    if not isinstance(value, (list, tuple)):
        return value
    if value and all(isinstance(row, Mapping) for row in value):
        import pyarrow as pa

        names = dict.fromkeys(str(name) for row in value for name in row)
        return pa.table({name: _column([row.get(name) for row in value]) for name in names})
    if not value and parameter == "classes":
        import pyarrow as pa

        return pa.table({"size": pa.array([], pa.int64())})
    if value and numpy is not None and all(isinstance(row, numpy.ndarray) and row.ndim == 1 for row in value):
        if len({(len(row), row.dtype.names) for row in value}) == 1:
            return _of_array(parameter, numpy.stack(value))
        raise _refused(parameter, "a list of arrays of several lengths")
    raise _refused(parameter, f"a {type(value).__name__} of {len(value)} values that are neither arrays nor dicts")


def _of_frame(parameter: str, frame: pd.DataFrame) -> Any:
    """Convert intervals (from `pandas.cut`) and periods, which databases lack, to text; objects to what they are."""
    import pandas as pd

    kinds = (pd.IntervalDtype, pd.PeriodDtype)
    texts: dict[int, Any] = {}
    for at, dtype in enumerate(frame.dtypes):
        column = frame.iloc[:, at]
        if isinstance(dtype, pd.CategoricalDtype) and isinstance(dtype.categories.dtype, kinds):
            texts[at] = column.cat.rename_categories(dtype.categories.astype(str))
        elif isinstance(dtype, kinds):
            texts[at] = column.astype(str).mask(column.isna(), None)
    if texts:
        frame = frame.copy(deep=False)
        for at, column in texts.items():
            frame.isetitem(at, column)
    return _without_objects(parameter, frame)


_TYPED = frozenset({"string", "empty", "bytes"})
"""Names in pandas of the types of object columns that are known without looking at the values."""


def _without_objects(parameter: str, frame: pd.DataFrame) -> Any:
    """Convert columns of objects by all of their values: DuckDB takes their types from a thousand."""
    import pandas as pd
    import pyarrow as pa

    numpy = sys.modules["numpy"]
    made: dict[int, Any] = {}
    for at, dtype in enumerate(frame.dtypes):
        column = frame.iloc[:, at]
        if (
            dtype.kind == "O"
            and isinstance(dtype, numpy.dtype)
            and pd.api.types.infer_dtype(column, skipna=True) not in _TYPED
        ):
            array = _of_objects(f'column "{frame.columns[at]}" of what is given as {parameter}', column)
            if array is not None:
                made[at] = array
    if not made:
        return frame
    try:
        arrays = [
            made[at] if at in made else pa.Array.from_pandas(frame.iloc[:, at]) for at in range(len(frame.columns))
        ]
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return frame  # of another column, which DuckDB knows
    return pa.table(arrays, names=[str(name) for name in frame.columns])


def _of_objects(label: str, column: pd.Series) -> pa.Array | None:
    """A column of Python objects in a type that holds all of them; None if DuckDB decides."""
    import pyarrow as pa

    values = [None if missing else value for value, missing in zip(column, column.isna(), strict=True)]
    kinds = {_kind(value) for value in values if value is not None}
    with suppress(pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        if "other" not in kinds:
            found = _of_one_kind(values, kinds)
            return _as_text(label, values, kinds) if found is None else found
        if all(isinstance(value, (list, tuple)) or hasattr(value, "dtype") for value in values if value is not None):
            return pa.array([value if value is None else list(value) for value in values])
    return None


def _of_one_kind(values: Sequence[Any], kinds: Set[str]) -> pa.Array | None:
    """Numbers, moments or objects of one kind; None if they are of several."""
    import pyarrow as pa

    if kinds <= {"whole", "float", "decimal"} and "float" in kinds:
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    if kinds == {"whole", "decimal"}:
        return pa.array([value if value is None else Decimal(str(value)) for value in values])
    if kinds == {"whole"}:
        most = max(abs(int(value)) for value in values if value is not None)
        return pa.array(values, pa.decimal128(38, 0) if most >= 2**63 else pa.int64())
    if kinds <= {"date", "moment", "zoned"} and kinds - {"date"}:
        return _of_moments(values, "zoned" in kinds)
    return pa.array(values) if len(kinds) == 1 else None


def _as_text(label: str, values: Sequence[Any], kinds: Set[str]) -> pa.Array:
    """Objects of several kinds as text, with a warning."""
    import pyarrow as pa

    counted = ", ".join(sorted({_KINDS[kind] for kind in kinds}))
    warnings.warn(
        f"{label} holds values of several kinds ({counted}), and is read as text; convert it, or exclude it",
        SynthprivWarning,
        stacklevel=2,
    )
    return pa.array([None if value is None else str(value) for value in values], pa.string())


_KINDS = {
    "truth": "truth values",
    "whole": "numbers",
    "float": "numbers",
    "decimal": "numbers",
    "zoned": "moments",
    "moment": "moments",
    "date": "dates",
    "time": "times of day",
    "text": "texts",
    "bytes": "bytes",
}


def _kind(value: Any) -> str:
    """The kind of a Python object, a key of `_KINDS`; or ``other``."""
    numpy = sys.modules["numpy"]
    if isinstance(value, (bool, numpy.bool_)):
        return "truth"
    if isinstance(value, (int, numpy.integer)):
        return "whole"
    if isinstance(value, (float, numpy.floating)):
        return "float"
    if isinstance(value, datetime):
        return "moment" if value.tzinfo is None else "zoned"
    by_type = {Decimal: "decimal", date: "date", time: "time", str: "text", bytes: "bytes"}
    return next((kind for type_, kind in by_type.items() if isinstance(value, type_)), "other")


def _of_moments(values: Sequence[Any], zoned: bool) -> pa.Array:
    """Dates and moments; those without a time zone are in UTC if others have one."""
    import pyarrow as pa

    def moment(value: Any) -> Any:
        if not isinstance(value, datetime):
            value = datetime(value.year, value.month, value.day)
        return value.replace(tzinfo=UTC) if zoned and value.tzinfo is None else value

    unit = "ns" if any(getattr(value, "nanosecond", 0) for value in values) else "us"
    moments = [None if value is None else moment(value) for value in values]
    return pa.array(moments, pa.timestamp(unit, "UTC" if zoned else None))


def _column(values: Sequence[Any]) -> pa.Array:
    """Return values as a column; values of mixed types become text."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except OverflowError:
        return _large(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        return pa.array([None if value is None else str(value) for value in values])


def _large(values: Sequence[Any]) -> pa.Array:
    """Return numbers of which some have more than 64 bits as decimals of up to 38 digits, or else as DOUBLE or text."""
    import pyarrow as pa

    whole = all(value is None or (isinstance(value, int) and abs(value) < 10**38) for value in values)
    try:
        if whole:
            return pa.array([None if value is None else Decimal(value) for value in values], pa.decimal128(38, 0))
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, ValueError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values])


def _of_array(parameter: str, array: Any) -> Any:
    import numpy as np
    import pyarrow as pa

    if array.dtype.names is not None and array.ndim == 1:
        columns = {name: array[name] for name in array.dtype.names}
    elif array.ndim == 2 and array.shape[1] and array.dtype.names is None:
        columns = {f"column{i}": array[:, i] for i in range(array.shape[1])}
    else:
        raise _refused(parameter, f"an array of shape {array.shape}")
    try:
        return pa.table(
            {
                name: pa.array(
                    np.ascontiguousarray(np.ma.getdata(column)),
                    mask=np.array(np.ma.getmaskarray(column)),
                    from_pandas=True,
                )
                for name, column in columns.items()
            }
        )
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        raise _refused(parameter, f"an array of type {array.dtype}, with values that no column can hold") from None


def _refused(parameter: str, what: str) -> UnknownTable:
    return UnknownTable(
        f"what is given as {parameter} is {what}; an array has a row for each record and a column for each value "
        "(two dimensions), a list an array or a dict for each record. A data frame has names and types as well."
    )
