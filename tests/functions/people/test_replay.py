"""Values of single people that come back: against a plain count, by kind, planted, and told from numbers of rows."""

import itertools
import uuid
import warnings

import numpy as np
import oracle_people
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trios

from examples import some
from synthpriv_sql.errors import EmptyTable, SynthprivWarning, UnitError


def found(session, *tables, **options):
    rows = session.replay(*tables, **options).to_arrow().to_pylist()
    return {row.pop("column_name"): row for row in rows}


@some
@given(
    trio=trios(),
    held=st.booleans(),
    persons=st.none() | st.lists(st.integers(0, 7), min_size=24, max_size=24),
)
def test_it_is_what_the_oracle_counts(shared, trio, held, persons):
    sides = ("synthetic", "train", "holdout")[: 2 + held]
    tables, options = {side: trio.arrow(side) for side in sides}, {}
    if persons:
        rows = {side: len(tables[side]) for side in sides[1:]}
        persons, left = persons[: sum(rows.values())], iter(persons)
        for side, n in rows.items():
            tables[side] = tables[side].append_column("who is it", pa.array(list(itertools.islice(left, n))))
        options = {"unit": "who is it", "shared_units": True}
    rows = found(shared, *tables.values(), **options)
    expected = oracle_people.replay(trio.synthetic, trio.train, trio.holdout if held else None, persons)
    assert list(rows) == list(expected)
    for name, wanted in expected.items():
        counted = {k: v for k, v in rows[name].items() if k not in {"kind", "told_by"}}
        assert counted == pytest.approx(wanted, abs=1e-9), name


def card(i):
    """A number of 16 digits that is valid by Luhn."""
    digits = [int(d) for d in f"4111{i:011d}"]
    doubled = [sum(divmod(2 * d, 10)) if place % 2 == 0 else d for place, d in enumerate(digits)]
    return "".join(map(str, digits)) + str(-sum(doubled) % 10)


def iban(country, account):
    """An account number with the check digits of ISO 13616."""
    rest = int("".join(str(int(letter, 36)) for letter in f"{account}{country}00")) % 97
    return f"{country}{98 - rest:02d}{account}"


KINDS = {
    "email": lambda i: f"anna.b+{i}@mail-{i % 7}.example.org",
    "url": lambda i: f"https://example.org/people/{i}?x=1",
    "uuid": lambda i: str(uuid.UUID(int=i * 7919**9 % 2**128)),
    "ip": lambda i: f"10.{i % 200}.{i // 200}.{i % 251}" if i % 3 else f"2001:db8::{i:x}:1",
    "iban": lambda i: [
        iban("DE", f"37040044{i:010d}"),
        iban("GB", f"WEST{i:014d}"),
        iban("MT", f"MALT01100{i:05d}CAST001S"),
    ][i % 3],
    "card": lambda i: " ".join(card(i)[k : k + 4] for k in range(0, 16, 4)),
    "phone": lambda i: [f"+49 30 {i:07d}", f"(030) {i:06d}-1", f"555-{i % 900 + 100}-{i:04d}"][i % 3],
    "date": lambda i: f"{1900 + i % 120}-{i % 12 + 1:02d}-{i % 28 + 1:02d}",
    "number": lambda i: f"{i * 37}.{i:03d}",
    "name-like": lambda i: f"{'ABCDÄ'[i % 5]}nna-{chr(97 + i % 26)}{chr(97 + i // 26)} {'von ' * (i % 2)}O'Müller",
    "text": lambda i: f"was seen on day {i}, and not again",
    "other": lambda i: f"x{i}y",
}


def test_kinds_are_those_of_most_values(session):
    rows = 150
    real = pa.table({kind: [look(i) if i % 9 else f"?{i}" for i in range(rows)] for kind, look in KINDS.items()})
    real = real.append_column("A number", pa.array(np.arange(rows) * 1.5))
    real = real.append_column("cards", pa.array([int(card(i)) for i in range(rows)]))
    real = real.append_column("day", pa.array(np.arange(rows).astype("M8[D]")))
    real = real.append_column("one", pa.array([1] * rows))
    got = {name: row["kind"] for name, row in found(session, real, real).items()}
    kinds = {kind: kind for kind in KINDS}
    assert got == kinds | {"A number": "number", "cards": "card", "day": "date", "one": "number"}


def test_account_numbers_and_cards_are_told_by_their_check_digits(session):
    def kind(*values):
        table = pa.table({"x": list(values)})
        return found(session, table, table)["x"]["kind"]

    published = ["DE89370400440532013000", "GB82WEST12345698765432", "FR1420041010050500013M02606"]
    assert kind(*published) == kind(*(" ".join(p[k : k + 4] for k in range(0, len(p), 4)) for p in published)) == "iban"
    changed = [p[:-1] + str((int(p[-1]) + 1) % 10) for p in published]
    swapped = [p[:5] + p[6] + p[5] + p[7:] for p in ("DE81370400440532013000", "NL91ABNA0417164300")]
    assert kind(*changed) == kind(*swapped) == "other"
    assert [kind("4111111111111111"), kind("4111111111111112")] == ["card", "number"]


def people(random, first, rows, prefix):
    return pa.table(
        {
            "patient": list(range(first, first + rows)),
            "Pid": [f"P-{i:06d}" for i in range(first, first + rows)],
            'the "Mail"': [f"{prefix}{i}@example.org" for i in range(rows)],
            "income": random.lognormal(8, 1, rows).round(1),
            "age": random.integers(18, 90, rows),
        }
    )


def test_sixty_addresses_among_many_records_are_found_and_row_numbers_are_no_evidence(session):
    random = np.random.default_rng(1)
    train, holdout = people(random, 1, 700, "r"), people(random, 701, 600, "h")
    safe = people(random, 1, 5000, "s")
    mails = safe['the "Mail"'].to_pylist()
    mails[100:160] = train['the "Mail"'].to_pylist()[:60]
    leaky = safe.set_column(2, 'the "Mail"', pa.array(mails))
    rows = found(session, leaky, train, holdout)
    row = rows['the "Mail"']
    assert (row["kind"], row["replayed"], row["holdout_replayed"], row["records"]) == ("email", 60, 0, 60)
    assert row["p_adjusted"] < 1e-14
    for name in ("patient", "Pid"):
        assert (rows[name]["kind"], rows[name]["p_value"]) == ("running", None)
    assert rows["income"]["p_adjusted"] > 0.01
    careful = found(session, safe, train, holdout)
    assert all(row["p_adjusted"] is None or row["p_adjusted"] > 0.01 for row in careful.values())
    # Numbers of patients that come back verbatim do not fill their range.
    drawn = random.permutation(6000)
    train, holdout = (
        table.set_column(0, "patient", pa.array(drawn[part]))
        for table, part in ((train, slice(0, 700)), (holdout, slice(700, 1300)))
    )
    copied = safe.slice(0, 600).set_column(0, "patient", pa.array(drawn[:600]))
    row = found(session, copied, train, holdout)["patient"]
    assert (row["kind"], row["replayed"]) == ("number", 600)
    assert row["p_adjusted"] < 1e-14


def test_columns_that_are_left_out_are_looked_at(session):
    random = np.random.default_rng(2)
    train, holdout = people(random, 1, 120, "r"), people(random, 121, 120, "h")
    synthetic = people(random, 1, 200, "s").set_column(
        2, 'the "Mail"', pa.array([f"r{i}@example.org" for i in range(200)])
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        rows = session.evaluate(
            synthetic, train, holdout, exclude=['the "Mail"', "Pid"], key="patient",
            attack="distance", named_by="uniques",
        ).to_arrow().to_pylist()  # fmt: skip
    got = {(r["variant"], r["statistic"]): r for r in rows if r["section"] == "replay"}
    mail = {s: got['the "Mail"', s]["value"] for s in ("train", "replayed", "holdout_replayed", "running")}
    assert mail == {"train": 120, "replayed": 120, "holdout_replayed": 0, "running": 0}
    assert got['the "Mail"', "replayed"]["meaning"].endswith("They look like: email.")
    assert got['the "Mail"', "p_adjusted"]["value"] == got[None, "p_adjusted"]["value"] < 1e-14
    assert got["patient", "running"]["value"] == got["Pid", "running"]["value"] == 1
    assert 1 <= got[None, "columns"]["value"] <= 3  # incomes and ages may coincide


def test_few_rows_and_bad_input(session):
    one, none = pa.table({"a": ["x"]}), pa.table({"a": pa.array([], pa.string())})
    assert found(session, one, one)["a"] == {
        "kind": "other", "told_by": None, "train": 1, "replayed": 1, "holdout": None, "holdout_replayed": None,
        "excess": None, "p_value": None, "p_adjusted": None, "records": 1,
    }  # fmt: skip
    with pytest.raises(EmptyTable):
        found(session, none, one)
    with pytest.raises(UnitError):
        found(session, one, pa.table({"a": ["x"], "who": pa.array([None], pa.int64())}), unit="who")
    # Vectors, and columns that only one table has, are not looked at.
    wide = pa.table({"A": ["x"], "v": pa.array([[1.0, 2.0]]), "only": [1]})
    assert list(found(session, wide, pa.table({"a": ["y"], "v": pa.array([[1.0, 2.0]])}))) == ["A"]


def test_types_without_a_distance_are_looked_at_as_text(session):
    """No distance takes them, so that nothing else would see that they come back; vectors are compared by distance."""
    for name, start in (("s_odd", 0), ("t_odd", 0), ("h_odd", 500)):
        session.connection.execute(
            f"""CREATE OR REPLACE TABLE {name} AS SELECT i % 7 AS a, ('x' || (i * i + {start}))::BLOB AS bytes,
            {{'k': i * i + {start}}} AS struct, ['v' || (i * i + {start})] AS list, to_seconds(i * i + {start}) AS took,
            [i, 1]::DOUBLE[2] AS vector FROM range(120) AS r(i)"""
        )
    rows = session.replay("s_odd", "t_odd", "h_odd").to_arrow().to_pylist()
    found = {row["column_name"]: (row["train"], row["replayed"], row["holdout_replayed"]) for row in rows}
    assert found.pop("a") == (0, 0, 0)
    assert found.keys() == {"bytes", "struct", "list", "took"}
    assert all(back == train > 100 and held < 10 for train, back, held in found.values())
