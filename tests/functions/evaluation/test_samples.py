"""Option `sample` of evaluate: the numbers are those of the drawn records, and the verdict says what is lost."""

import numpy as np
import pyarrow as pa
import pytest
from calls import create

from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.evaluation import verdict_of

PRIME = 2147483647
SAMPLE = "A sample, 200 of 230 in synthetic, 200 of 260 in train: "
SIDES = ("synthetic", "train", "holdout")


def drawn(size, tables, place, seed, firsts):
    """The places of the drawn rows, by the first record of each row's person."""
    lots = {f: pow(((tables * f + place) * 48271 + (seed + 1) * 69621) % PRIME, 5, PRIME) for f in set(firsts)}
    kept = sorted(lots, key=lambda f: (lots[f], f))[:size]
    return [row for row, first in enumerate(firsts) if first in set(kept)]


def people(rows, seed):
    random = np.random.default_rng(seed)
    places = [None if i % 11 == 3 else place for i, place in enumerate(random.choice(list("abcdefg"), rows).tolist())]
    return pa.table({"id": [f"p{seed}-{i}" for i in range(rows)], 'Ort, "neu"': places, "n": random.normal(size=rows)})


@pytest.fixture(scope="module")
def tables():
    return dict(zip(SIDES, (people(230, 1), people(260, 2), people(200, 3)), strict=True))


@pytest.mark.slow
def test_its_numbers_are_those_of_the_drawn_records(session, tables):
    options = {"attack": ["uniques"], "named_by": ["uniques"], "key": "id", "seed": 5}
    create(session, **tables)
    found = session.evaluate(*SIDES, sample=200, **options)
    kept = {
        side: table.take(drawn(200, 3, place, 5, range(table.num_rows)))
        for place, (side, table) in enumerate(tables.items())
    }
    assert [table.num_rows for table in kept.values()] == [200, 200, 200]
    expected = session.evaluate(*kept.values(), **options)
    said = {(r["variant"], r["statistic"]): r["value"] for r in found if str(r["statistic"]).startswith("drawn")}
    sizes = {"synthetic": 230, "train": 260, "holdout": 200}
    assert said == {(s, "drawn"): 200 for s in SIDES} | {(s, "drawn_from"): n for s, n in sizes.items()}
    assert [r for r in found if not str(r["statistic"]).startswith("drawn")] == list(expected)

    assert found.verdict.headline.startswith(SAMPLE)


def test_the_verdict_says_what_a_sample_cannot_find(session, tables):
    given = {"attack": ["uniques"], "named_by": ["uniques"], "key": "id"}
    found = session.evaluate(*tables.values(), sample=200, **given)
    assert found.verdict.level == "good"  # six at the top of a list would have been noticed, seven who leaked
    assert found.verdict.headline.startswith(SAMPLE + "The attacks identify none of 200 people; a leak of fewer than 7")
    assert "neither" not in found.verdict.sentence
    rows = [dict(row) for row in found]
    whole = next(row for row in rows if (row["variant"], row["statistic"]) == ("synthetic", "drawn_from"))
    whole["value"] = 400.0  # of twelve who leaked, six are left: more than 5 in 100 people
    lost = verdict_of(rows)
    assert lost.level == "none"
    assert "The sample is too small: neither an attacker who is right 55" in lost.headline
    assert lost.next_steps[0] == "Evaluate the whole tables, or draw a larger sample."
    assert "in nine of ten cases; in this sample only one who is right 75" in lost.sentence


def test_persons_are_drawn_whole(session):
    persons = ["b", "a", "b", "c", "d", "a", "e", "c"]
    session.connection.execute('CREATE TABLE visits (person VARCHAR, x TIMESTAMP[], "Y" DECIMAL(9, 2))')
    session.connection.executemany("INSERT INTO visits VALUES (?, [NULL], ?)", [[p, i] for i, p in enumerate(persons)])
    firsts = [persons.index(p) for p in persons]
    for size, seed in ((1, 0), (2, 7), (3, 2**40), (5, 1), (9, 1)):
        given = {"data": "visits", "number": size, "tables": 2, "place": 1, "seed": seed, "unit": "person"}
        rows = session.call(catalog.file("sampled"), **given).fetchall()
        expected = drawn(size, 2, 1, seed % PRIME, firsts)
        assert [(row[0], float(row[2])) for row in rows] == [(persons[i], i) for i in expected]
    assert session.call(catalog.file("drawn_from"), data="visits", unit="person").fetchall() == [(5,)]
    assert session.call(catalog.file("drawn_from"), data="visits").fetchall() == [(8,)]


def test_what_cannot_be_drawn_from_is_refused(session, tables):
    create(session, **tables)
    for more, said in (
        ({"group_by": "n"}, "excludes group_by"),
        ({"scores": "train"}, "scores are those of all records"),
        ({"children": {"x": ["train", "train", "train", "id"]}}, "excludes children"),
        ({"sample": 10}, "must be at least 200"),
    ):
        with pytest.raises(errors.OptionError, match=said):
            session.evaluate(*SIDES, **{"sample": 200, **more})
    with pytest.raises(errors.OptionError, match="one synthetic table"):
        session.evaluate({"a": "synthetic", "b": "synthetic"}, "train", "holdout", sample=200)
