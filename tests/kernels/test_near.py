"""Nearly equal texts, against all pairs and the full table of distances."""

import random

import numpy as np
import pytest
from numba import njit
from oracle_text import edits, is_near

from synthpriv_sql.kernels.near.limits import texts
from synthpriv_sql.kernels.near.search import Search
from synthpriv_sql.kernels.simd.signs import EIGHT, next_within
from synthpriv_sql.kernels.threads import Cancelled, SearchOptions

LENGTHS = [0, 1, 4, 5, 6, 9, 10, 11, 19, 20, 21, 22, 28, 29, 30, 31, 32, 33, 39, 40, 42, 43, 61, 130, 220]
ALPHABET = "abab c\N{GRINNING FACE}\N{COMBINING ACUTE ACCENT}\N{HEBREW LETTER ALEF}"


def edited(draw, text, times):
    points = list(text)
    for _ in range(times):
        place, kind = draw.randrange(len(points) + 1), draw.randrange(4)
        if kind == 0:
            points.insert(place, draw.choice(ALPHABET))
        elif kind == 1:
            points[place : place + 1] = []
        elif kind == 2:
            points[place : place + 1] = draw.choice(ALPHABET)
        else:
            points[place : place + 2] = reversed(points[place : place + 2])
    return "".join(points)


def drawn(draw, lengths, more):
    """Texts of some length, with others that differ by about as many edits as near ones may."""
    known = ["".join(draw.choices(ALPHABET, k=length)) for length in lengths]
    return sorted({*known, *(edited(draw, t, draw.randint(1, edits(len(t)) + 1)) for t in known for _ in range(more))})


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
def test_it_is_what_all_pairs_say(seed):
    draw = random.Random(seed)
    values = drawn(draw, LENGTHS if seed > 1 else draw.sample(LENGTHS, 12), 3)
    size = len(values)
    near = np.array([[i != j and is_near(a, b) for j, b in enumerate(values)] for i, a in enumerate(values)])
    search, everything = Search(texts(values), SearchOptions(2)), np.arange(size, dtype=np.int32)
    assert list(zip(*search.pairs(everything, everything), strict=True)) == list(zip(*np.nonzero(near), strict=True))
    weights = np.arange(size) + 1
    assert search.counted(everything, everything, weights).tolist() == (weights + near @ weights).tolist()
    owners = np.array(draw.choices([-1, 0, 1, 2], k=size), np.int32)
    others = owners[:, None] != owners
    assert (
        search.alone(everything, owners).tolist() == ((owners >= 0) & ~(near & (others | (owners < 0))).any(1)).tolist()
    )
    numbers, reference = everything[::2].copy(), everything[1::3].copy()
    wide, same = np.arange(len(numbers)) % 2 == 0, near | np.eye(size, dtype=bool)
    found, hit = search.returning(numbers, reference, wide)
    assert found.tolist() == same[np.ix_(numbers, reference)].any(1).tolist()
    assert hit.tolist() == same[np.ix_(numbers[wide], reference)].any(0).tolist()


@pytest.mark.again
@pytest.mark.parametrize("few", [20, pytest.param(150, marks=pytest.mark.nightly)])
def test_texts_of_middle_length_that_begin_or_end_alike(few):
    """Halves of texts are candidates: edits anywhere, swaps where halves end, and domains that all have."""
    draw = random.Random(few)
    letters, values = "abcdefghijklmnopqrstuvwxyz0123456789.", []
    for _ in range(few):
        text = "maria." + "".join(draw.choices(letters, k=draw.randint(2, 25))) + "@example.org"
        values += [text, *(edited(draw, text, draw.randint(1, 4)) for _ in range(3))]
        values += [text[:p] + text[p + 1] + text[p] + text[p + 2 :] for p in draw.sample(range(len(text) - 1), 2)]
    values = sorted(set(values))
    everything = np.arange(len(values), dtype=np.int32)
    expected = [(i, j) for i, a in enumerate(values) for j, b in enumerate(values) if i != j and is_near(a, b)]
    assert list(zip(*Search(texts(values), SearchOptions(2)).pairs(everything, everything), strict=True)) == expected


def test_many_near_texts_and_parts_of_the_reference(monkeypatch):
    monkeypatch.setattr("synthpriv_sql.kernels.near.search._INDEXED", 700)
    monkeypatch.setattr("synthpriv_sql.kernels.near.search._ROOM", 2)
    values = [f"{i:05d}" for i in range(80)] + [f"account number {'x' * 20}{i:03d}" for i in range(40)]
    everything = np.arange(len(values), dtype=np.int32)
    expected = [(i, j) for i, a in enumerate(values) for j, b in enumerate(values) if i != j and is_near(a, b)]
    assert list(zip(*Search(texts(values)).pairs(everything, everything), strict=True)) == expected


def test_few_texts_very_long_ones_and_an_end():
    none = np.zeros(0, np.int32)
    search = Search(texts([]))
    assert search.alone(none, none).tolist() == search.counted(none, none, none.astype(np.int64)).tolist() == []
    long = "ab c" * 2_500
    values = [long, long[1:], "x" + long, "y" + long, ""]
    one, other = Search(texts(values)).pairs(*[np.arange(5, dtype=np.int32)] * 2)
    # Beyond 10,000 characters, only equal texts are near.
    assert (one.tolist(), other.tolist()) == ([0, 1], [1, 0])
    many = np.arange(2_000, dtype=np.int32)
    with pytest.raises(Cancelled):
        Search(texts([f"{i:029d}" for i in many]), SearchOptions(cancelled=lambda: True)).pairs(many, many)


def test_the_next_sign_within_a_few_bits_and_none_beyond_the_end():
    @njit
    def found(signs, begin, end, sign, most):
        return next_within(signs, begin, end, sign, most)

    draw = np.random.default_rng(1)
    sign, end = np.uint64(0x8000_0000_F0F0_0001), 43
    # Beyond the end all are equal to the sign.
    signs = np.full(end + EIGHT, sign)
    for place in range(end):
        for bit in draw.integers(0, 64, draw.integers(0, 9)):
            signs[place] ^= np.uint64(1) << np.uint64(bit)
    alone = [max((int(sign) & ~int(s)).bit_count(), (int(s) & ~int(sign)).bit_count()) for s in signs]
    for most in range(4):
        for begin in range(end + 1):
            expected = next((place for place in range(begin, end) if alone[place] <= most), end)
            assert found(signs, begin, end, sign, most) == expected, (begin, most)
