"""Texts by nearness, and runs of words: they are compared beside PostgreSQL, as in DuckDB."""

import pytest
import texts
from calls import assert_same_rows, rows_of

import synthpriv_sql
from synthpriv_sql.errors import RoleError


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_texts_are_compared_beside_postgres_as_in_duckdb(pg):
    """The same rows, with combining marks, emoji, quotes, missing and empty texts."""
    train, holdout, synthetic = (texts.drawn(60, seed)[["mail", "note"]] for seed in (1, 2, 3))
    synthetic = texts.with_phrases(texts.planted(synthetic, train, "mail", "one edit", 15), train, 9, 6)
    odd = ["e\N{COMBINING ACUTE ACCENT}milie o'neil", "\N{THUMBS UP SIGN} well done", "שלום עולם", "", None]
    listed = [list(table.itertuples(index=False, name=None)) for table in (synthetic, train, holdout)]
    for rows in listed[:2]:
        rows[50:55] = [(text, note) for text, (_, note) in zip(odd, rows[50:55], strict=True)]

    def written(text):
        return "NULL" if text is None else "'" + text.replace("'", "''") + "'"

    def query(rows):
        values = ", ".join(f"({i}, {', '.join(map(written, row))})" for i, row in enumerate(rows))
        return f'(SELECT * FROM (VALUES {values}) AS t (id, mail, "A note") ORDER BY id)'

    tables = [query(rows) for rows in listed]
    with synthpriv_sql.connect() as here:
        for function, sides, options in (
            ("replay", 3, {"near": True, "phrase": 4}),
            ("uniques", 3, {"phrase": 4, "exclude": ["id"]}),
            ("copies", 2, {"near": True, "columns": ["mail"]}),
            ("screen", 3, {"dcr_below": 0, "exclude": ["id"]}),
            ("exposure", 3, {"attack": "agreement_near", "exclude": ["id"]}),
            ("dcr", 2, {"text": "auto"}),
            ("evaluate", 3, {"key": "id", "attack": "agreement_near"}),
        ):
            found, expected = (rows_of(getattr(one, function)(*tables[:sides], **options)) for one in (pg, here))
            assert expected, function
            assert_same_rows(found, expected)
    assert {"near_replay", "phrase_replay"} <= {row["metric"] for row in found}


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_nested_columns_are_read_in_postgres_as_in_duckdb(pg):
    """Keys, lists and odd names; jsonb, json and arrays of text there, JSON and lists here."""
    details = [
        '{"a b": 1, "tags": ["b", "a", "b"], "x": 1.5, "ok": true}',
        '{"it\'s": "ü", "tags": [], "x": 2}',
        "[2, 1]",
    ]

    def query(array, kind, first):
        values = ", ".join(
            f"({n}, {n % 3}, CAST('{details[n % 3].replace(chr(39), chr(39) * 2)}' AS {kind}), {array[n % 2]})"
            for n in range(first, first + 20)
        )
        return f"(SELECT * FROM (VALUES {values}) AS t (id, n, details, likes) ORDER BY id)"

    there = [query(["ARRAY['y', 'x']", "CAST(ARRAY[] AS text[])"], kind, n) for kind, n in (("jsonb", 0), ("json", 7))]
    local = [query(["['x', 'y', 'x']", "CAST([] AS VARCHAR[])"], "JSON", n) for n in (0, 7)]
    with synthpriv_sql.connect() as here:
        for function, options in (
            ("dcr", {"key": "id"}),
            ("copies", {"exclude": ["id"]}),
            ("replay", {}),
            ("screen", {"key": "id", "dcr_below": 0}),
            ("evaluate", {"key": "id"}),
        ):
            named = {"json": "all", **options}
            found, expected = (
                rows_of(getattr(one, function)(*tables, **named)) for one, tables in ((pg, there), (here, local))
            )
            assert expected, function
            assert_same_rows(found, expected)
    with pytest.raises(RoleError, match="it takes JSON"):
        pg.dcr(*there, json=["n"])
