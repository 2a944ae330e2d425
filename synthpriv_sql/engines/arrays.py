"""NumPy arrays and lists of rows as Arrow tables."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from synthpriv_sql.errors import UnknownTable

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def as_table(parameter: str, value: Any) -> Any:
    """Convert arrays and lists to an Arrow table, pandas intervals and periods to text; return other values unchanged.

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
        return _of_frame(value)
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


def _of_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert intervals (from `pandas.cut`) and periods, which databases lack, to text."""
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
    return frame


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
