"""The search for replicated uniques against a plain count, where sieves collide and where keys are hashed."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.kernels.uniques import search
from synthpriv_sql.kernels.uniques.keys import Keys

CHOSEN = [(0,), (1,), (0, 1), (1, 2), (0, 1, 2), (0, 1, 2, 3)]


def drawn_keys(random, sizes, real, synthetic):
    codes = np.stack([random.integers(-1, size, real + synthetic) for size in sizes]).astype(np.int32)
    copied = random.integers(0, real, synthetic // 2)
    codes[:, real : real + synthetic // 2] = codes[:, copied]  # combinations of many columns repeat too
    return Keys(codes, np.array(sizes, np.int64), list(sizes), real)


def expected(keys, persons):
    """Scores by person and width; how often each was seen with a synthetic record, and its rows; by combination."""
    scores = np.zeros((persons.max() + 1, 4), np.int64)
    blamed, rows, found = defaultdict(Counter), defaultdict(Counter), {}
    for number, columns in enumerate(CHOSEN):
        listed = list(map(tuple, keys.codes[list(columns)].T.tolist()))
        owners, others = defaultdict(list), defaultdict(list)
        for row, key in enumerate(listed):
            if min(key) >= 0:
                (owners if row < keys.real else others)[key].append(row)
        for key, synthetic in others.items():
            who = {persons[row] for row in owners[key]}
            if len(who) == 1:
                (person,) = who
                scores[person, len(columns) - 1] += 1
                rows[person][owners[key][0]] += 1
                records = [row - keys.real for row in synthetic]
                blamed[person].update(records)
                found.setdefault(number, []).append((person, owners[key][0], records[0], len(records)))
    return scores, blamed, rows, found


def best(counted, count):
    return [min(counted[p], key=lambda one: (-counted[p][one], one), default=-1) for p in range(count)]


@pytest.mark.parametrize("dense", [0, 8])
@pytest.mark.parametrize("words", [None, 1, 16])
@pytest.mark.parametrize("sizes", [(3, 40, 5, 7), (900, 1500, 1000, 3), (2**20, 2**20, 2**20, 2)])
def test_uniques_are_those_of_a_plain_count(monkeypatch, dense, words, sizes):
    monkeypatch.setattr(search, "_DENSE", dense)
    if words:
        monkeypatch.setattr(search, "sieve_words", lambda synthetic, keys: words)
    random = np.random.default_rng(5)
    keys = drawn_keys(random, sizes, 2500, 1100)
    for persons in (np.arange(2500, dtype=np.int32), random.integers(0, 900, 2500).astype(np.int32)):
        scores, blamed, rows, smallest = expected(keys, persons)
        assert scores.any()
        found = search.search(keys, persons, CHOSEN, options=SearchOptions(2))
        assert (found.scores == scores).all()
        assert found.records.tolist() == best(blamed, len(scores))
        assert found.rows.tolist() == best(rows, len(scores))
        assert list(zip(*(part.tolist() for part in found.pairs), strict=True)) == sorted(
            (person, record) for person, records in blamed.items() for record in records
        )
        least = np.where(scores > 0, np.arange(1, 5), 9).min(axis=1)
        listed = {
            number: [one[1:] for one in known if least[one[0]] == len(CHOSEN[number])]
            for number, known in smallest.items()
        }
        assert {
            one.combination: sorted(zip(*(part.tolist() for part in one[1:]), strict=True)) for one in found.smallest
        } == {number: sorted(known) for number, known in listed.items() if known}
        only = search.search(keys, persons, CHOSEN, options=SearchOptions(2), only_scores=True)
        assert (only.scores == scores).all()
        assert not only.smallest


@pytest.mark.parametrize("dense", [0, 8])
def test_ratios_are_asked_for_some_records(monkeypatch, dense):
    monkeypatch.setattr(search, "_DENSE", dense)
    keys = drawn_keys(np.random.default_rng(6), (30, 40, 5, 7), 600, 250)
    keys = keys._replace(codes=keys.codes + 1, sizes=keys.sizes + 1)
    asked = np.array([0, 3, 4, 77, 599])
    whole = search.mean_ratios(keys, CHOSEN, options=SearchOptions(2))
    assert (search.mean_ratios(keys, CHOSEN, rows=asked, options=SearchOptions(2)) == whole[asked]).all()
    expected = np.zeros(600)
    for columns in CHOSEN:
        listed = list(map(tuple, keys.codes[list(columns)].T.tolist()))
        real, synthetic = Counter(listed[:600]), Counter(listed[600:])
        expected += [np.log((synthetic[key] + 0.5) / 251) - np.log((real[key] - 0.5) / 600) for key in listed[:600]]
    assert whole == pytest.approx(expected / len(CHOSEN), abs=1e-12)
