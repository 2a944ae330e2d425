"""Columns of JSON, structs, maps and lists as columns of one level, against tables that were made so by hand."""

import json
import warnings

import pandas as pd
import pytest
import texts

import synthpriv_sql
from synthpriv_sql.errors import NotInDialect, OptionError, RoleError, SynthprivWarning, UnknownColumn

ODD = ["a/b", "", "~1", "0", 'q"x', "$.z", "Größe", "it's"]


def person(n):
    """A record: what its JSON holds, and the columns that this has to become."""
    there = {"city": ["Bern", "Rome", None][n % 3], "n": n, "x": n / 4 if n % 2 else n, "ok": n % 5 == 0}
    there |= {"tags": ["b", "a", "b"][: n % 4], "deep": {"k": [n % 2]}} if n % 7 else {}
    there |= {key: f"v{n % 2}" for key in ODD if (n + len(key)) % 3}
    flat = {"city": None, "n": None, "x": None, "ok": None, "tags": None, "deep": None} | dict.fromkeys(ODD)
    flat |= there
    if flat["tags"] is not None:
        flat["tags"] = json.dumps(sorted(set(flat["tags"])), separators=(",", ":"))
        flat["deep"] = json.dumps(flat["deep"], separators=(",", ":"))
    return there, {f"details_{key}": value for key, value in sorted(flat.items())}


def tables(first, rows):
    """A table with a column of JSON and one of lists, and the same made by hand."""
    made = [person(n) for n in range(first, first + rows)]
    lists = [[["x", "y", "x"], ["y", "x"], [], None][n % 4] for n in range(rows)]
    sets = ['["x","y"]', '["x","y"]', "[]", None]
    nested = pd.DataFrame({"id": range(rows), "details": [json.dumps(one) for one, _ in made], "likes": lists})
    flat = pd.DataFrame([one for _, one in made]).astype({"details_n": "Int64", "details_x": "float"})
    flat.insert(0, "id", range(rows))
    flat["likes"] = [sets[n % 4] for n in range(rows)]
    return nested, flat


@pytest.fixture(scope="module")
def there():
    """A session with JSON, structs and text, and the tables that were made by hand."""
    with synthpriv_sql.connect() as session, warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        for name, first, rows in (("synthetic", 3, 24), ("train", 0, 30)):
            for kind, made in zip(("", "_flat"), tables(first, rows), strict=True):
                session.connection.register("given", made)
                cast = "" if kind else "REPLACE (CAST(details AS JSON) AS details, CAST(likes AS VARCHAR[]) AS likes)"
                session.connection.execute(f"CREATE TABLE {name}{kind} AS SELECT * {cast} FROM given ORDER BY id")
        yield session


def rows(result):
    return result.to_arrow().to_pylist()


@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_they_are_the_columns_made_by_hand(there):
    for function, names, options in (
        ("dcr", "all", {"key": "id"}),
        ("copies", ["DETAILS", "likes"], {"exclude": ["id", "details_n"]}),
    ):
        found = rows(getattr(there, function)("synthetic", "train", json=names, **options))
        assert found == rows(getattr(there, function)("synthetic_flat", "train_flat", **options)), function
    assert rows(there.scaling("train", json="all")) == rows(there.scaling("train_flat"))
    safe = there.safe("synthetic", "train", json="all", key="id", dcr_below=0)
    assert safe.to_pandas().equals(there.safe("synthetic_flat", "train_flat", key="id", dcr_below=0).to_pandas())
    by = {"json": "all", "group_by": "details_city", "columns": ["details_x"]}
    expected = rows(there.dcr("synthetic_flat", "train_flat", **{**by, "json": None}))
    assert rows(there.dcr("synthetic", "train", **by)) == expected


@pytest.mark.again
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_on_each_surface_and_of_each_type(there, tmp_path):
    expected = rows(there.dcr("synthetic_flat", "train_flat", key="id", exclude=["likes"]))
    inside = "FROM synthpriv.dcr('synthetic', 'train', key := 'id', json := ['details'], exclude := ['likes'])"
    assert there.connection.sql(inside).to_arrow_table().to_pylist() == expected
    frames = [there.connection.table(name).df().drop(columns="likes") for name in ("synthetic", "train")]
    assert rows(there.dcr(*frames, key="id", json="details")) == expected  # text with JSON
    paths = [tmp_path / "s.csv", tmp_path / "t.csv"]
    for frame, path in zip(frames, paths, strict=True):
        frame.to_csv(path, index=False)
    assert rows(there.dcr(*map(str, paths), key="id", json="details")) == expected
    run = there.dcr(*map(str, paths), key="id", json="details").run
    assert (run.options["json"], run.tables["train"]) == (["details"], str(paths[1]))
    plain = there.sql("copies", synthetic="synthetic", train="train", json="all", dialect="duckdb")
    assert there.connection.sql(plain).fetchall() == there.copies("synthetic_flat", "train_flat").fetchall()
    structs = "(SELECT id, {'a b': id % 3, 'c': {'d': 1}} AS s, MAP {'k': id % 2 = 0} AS m FROM train)"
    flat = '(SELECT id, id % 3 AS "s_a b", \'{"d":1}\' AS s_c, id % 2 = 0 AS m_k FROM train)'
    assert rows(there.scaling(structs, json="all")) == rows(there.scaling(flat))


@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_all_tables_of_a_call_get_the_same_columns(there):
    """A key that one of them has, and a type that holds the values of all."""
    one, other = "(SELECT 1 AS a, JSON '{\"k\": 1}' AS j)", '(SELECT 1 AS a, JSON \'{"k": "x", "l": 2}\' AS j)'
    flat = ["(SELECT 1 AS a, '1' AS j_k, CAST(NULL AS BIGINT) AS j_l)", "(SELECT 1 AS a, 'x' AS j_k, 2 AS j_l)"]
    assert rows(there.dcr(one, other, json="j")) == rows(there.dcr(*flat))
    mixed = "(SELECT unnest([JSON '{\"k\": 1}', '[2, 1, 2]', '3', 'null', '{}', NULL]) AS j)"
    values = """(NULL, 1), ('["1","2"]', NULL), ('3', NULL), (NULL, NULL), (NULL, NULL), (NULL, NULL)"""
    flat = f"(SELECT j, CAST(j_k AS BIGINT) AS j_k FROM (VALUES {values}) AS given (j, j_k))"
    assert rows(there.scaling(mixed, json="j")) == rows(there.scaling(flat))


@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_addresses_inside_come_back(there):
    """Of train, in other case and with a letter less; of the holdout none."""
    train, holdout, synthetic = (texts.drawn(60, seed) for seed in (1, 2, 3))
    synthetic.loc[:7, "mail"] = train.mail[:8].str.upper()
    synthetic.loc[8:11, "mail"] = [mail[1:] for mail in train.mail[8:12]]
    made = [
        pd.DataFrame({"age": of.age, "inside": [json.dumps({"mail": mail}) for mail in of.mail]})
        for of in (synthetic, train, holdout)
    ]
    found = {row["column_name"]: row for row in rows(there.replay(*made, json="inside", near=True))}["inside_mail"]
    assert (found["kind"], found["replayed"], found["holdout_replayed"]) == ("email", 12, 0)


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_calls_that_consist_of_several(there):
    """Candidates, a remedy, until_safe, and children."""
    one, flat = ("synthetic", "train", "train"), ("synthetic_flat", "train_flat", "train_flat")
    options = {"attack": "distance", "key": "id"}
    both = [
        there.candidates({"s": s, "t": t}, train=t, holdout=h, json=json, **options)
        for (s, t, h), json in ((one, "all"), (flat, None))
    ]
    assert rows(both[0]) == rows(both[1])
    made = [there.remedied(*tables, json=json, exclude=["id"]) for tables, json in ((one, "all"), (flat, None))]
    assert made[0].to_pandas().equals(made[1].to_pandas())
    assert "flattened" in there.sql(
        "remedied", synthetic="synthetic", train="train", holdout="train", json="all", exclude=["id"]
    )
    safe = [
        there.safe(*tables, json=json, until_safe=True, key="id", dcr_below=0)
        for tables, json in ((one, "all"), (flat, None))
    ]
    assert rows(safe[0]) == rows(safe[1])
    visits = {
        json: [f"(SELECT id, {value} FROM {name})" for name, value in zip(("synthetic", "train"), values, strict=True)]
        for json, values in (
            ("all", ("JSON '{\"k\": 1}' AS j", "JSON '{\"k\": 2}' AS j")),
            (None, ("1 AS j_k", "2 AS j_k")),
        )
    }
    runs = {"unit": "details_ok", "order": "details_n", "shared_units": True, "length": 2}
    assert rows(there.uniques(*one, json="all", **runs)) == rows(there.uniques(*flat, **runs)) != []
    many = [f"(SELECT t.* FROM {name} AS t, range(10))" for name in one]
    drawn = there.evaluate(*many, json="all", sample=200, key="id", attack="distance", named_by="uniques")
    assert "sample" in str(drawn.verdict)
    options["shared_units"] = True
    parts = [
        rows(there.membership(*of, json=json, children={"visits": [*visits[json], visits[json][1], "id"]}, **options))
        for of, json in ((one, "all"), (flat, None))
    ]
    assert parts[0] == parts[1]


def test_what_cannot_be_read_is_an_error(there):
    some = "(SELECT 1 AS a, JSON '{\"K\": 1, \"k\": 2}' AS j, 'no json' AS t, JSON '{\"a\": 1}' AS b, 3 AS b_a)"
    for names, error, words in (
        (["nix"], UnknownColumn, '"json" names column "nix", which no table'),
        (["a"], RoleError, "which is INTEGER; it takes JSON"),
        (["t"], RoleError, '1 record is no JSON in column "t"'),
        (["j"], OptionError, 'key "k" of column "j" would become column "j_k", as key "K" of column "j" is called'),
        (["b"], OptionError, 'key "a" of column "b" would become column "b_a", as column "b_a" of'),
    ):
        with pytest.raises(error, match=words):
            there.scaling(some, json=names)
    many = "(SELECT 1 AS a, to_json(MAP(range(1001), range(1001))) AS j)"
    with pytest.raises(OptionError, match="more than 1,000 different keys"):
        there.scaling(many, json="j")
    with pytest.raises(NotInDialect, match='reads JSON in column "details"'):
        there.sql("copies", synthetic="synthetic", train="train", json="details", exclude=["likes"], dialect="trino")
    words = r"read as columns \(json=\['details', 'likes'\]\) or cast .* exclude_unsupported=True"
    with pytest.raises(RoleError, match=words):
        there.dcr("synthetic", "train")
