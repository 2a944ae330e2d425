"""330 calls on tables with columns of odd types: each gives rows, or says which column has no distance."""

import warnings

import duckdb
import pytest

from synthpriv_sql import errors

VALUES = """
1::TINYINT
1::UTINYINT
1::SMALLINT
1::USMALLINT
1::UINTEGER
1::UBIGINT
1::HUGEINT
1::UHUGEINT
170141183460469231731687303715884105727::HUGEINT
1.5::DECIMAL(4, 1)
1.5::DECIMAL(38, 37)
1::DECIMAL(38, 0)
1.5::FLOAT
'nan'::FLOAT
'-0.0'::DOUBLE
1e308
5e-324
true
NULL
NULL::INTEGER
''
'a' || chr(11)
'a' || chr(0) || 'b'
repeat('x', 100000)
'a'::ENUM ('a', 'b')
'a'::BLOB
''::BLOB
'101'::BIT
'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID
DATE '2024-02-29'
DATE '0044-03-15 (BC)'
DATE 'infinity'
DATE '9999-12-31'
TIME '24:00:00'
TIME '10:00:00'
'10:00:00+02'::TIMETZ
TIMESTAMP '2024-02-29 10:00:00'
TIMESTAMP '-infinity'
TIMESTAMP '290000-01-01'
TIMESTAMP_S '2024-02-29 10:00:00'
TIMESTAMP_MS '2024-02-29 10:00:00'
TIMESTAMP_NS '2024-02-29 10:00:00.123456789'
TIMESTAMPTZ '2024-02-29 10:00:00+02'
INTERVAL 1 MONTH
INTERVAL '-3' SECOND
[1, 2]
[1.5, NULL]
[]::INTEGER[]
[]::DOUBLE[]
[[1, 2], [3]]
['a', 'b']
[DATE '2024-02-29']
[1, 2]::INTEGER[2]
[1.5, 2.5]::DOUBLE[2]
{'a': 1}
{'a': {'b': [1]}}
{'a': NULL}
MAP {'k': 1}
MAP {1: [2]}
union_value(n := 1)
union_value(s := 'x')
'{"a": 1}'::JSON
'null'::JSON
[{'a': 1, 'b': 'x'}]
1::BIGINT
'ä' || chr(8238) || 'b'
""".strip().splitlines()
FUNCTIONS = {
    "dcr": ("synthetic", "train"),
    "copies": ("synthetic", "train"),
    "screen": ("synthetic", "train"),
    "fidelity": ("synthetic", "train"),
    "scaling": ("train",),
}


def test_there_are_330():
    assert len(VALUES) * len(FUNCTIONS) == 330


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_read_or_refused(shared, value):
    rows = f"(SELECT {value} AS odd, i AS n FROM range(6) AS t(i) UNION ALL SELECT NULL, 7)"
    try:
        shared.connection.sql(rows[1:-1]).fetchall()
    except duckdb.Error:
        return  # this DuckDB has no such value
    except (OverflowError, ValueError):
        pass  # Python has none
    for name, sides in FUNCTIONS.items():
        with warnings.catch_warnings(action="ignore"):
            try:
                result = shared.call(name, **dict.fromkeys(sides, rows))
            except errors.EngineError as error:
                pytest.fail(f"{name}: raw {error}")
            except errors.SynthprivError as error:
                if 'column "odd"' not in str(error):
                    pytest.fail(f"{name}: {error}")
                continue
            result.fetchall()
            assert repr(result)
            assert result._repr_html_()
            result.to_pandas()
