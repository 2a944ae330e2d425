"""Texts by nearness, and runs of words: they are compared beside PostgreSQL, as in DuckDB."""

import pytest
import texts
from calls import assert_same_rows, rows_of

import synthpriv_sql


@pytest.mark.slow
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
        ):
            found, expected = (rows_of(getattr(one, function)(*tables[:sides], **options)) for one in (pg, here))
            assert expected, function
            assert_same_rows(found, expected)
