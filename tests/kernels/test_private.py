"""What numba does not promise and is used nevertheless: a version that changes it fails here, by its name."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from llvmlite import binding
from numba import njit
from numba.core import config

from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.jit import I64


class Pair(NamedTuple):
    one: I64
    other: I64


def first(pair, i):
    return pair.one[i] + pair.other[i]


def through(pair, i):
    return first_compiled(pair, i)


first_compiled = njit(first)


def test_references_are_not_counted():
    pair = Pair(np.arange(3), np.arange(3))
    counted = {}
    for name, options in {"counting": {}, "not": private.UNCOUNTED}.items():
        compiled = njit(**options)(through)
        assert compiled(pair, 2) == 4
        (text,) = compiled.inspect_llvm().values()
        counted[name] = "NRT_incref" in text or "NRT_decref" in text
    assert counted == {"counting": True, "not": False}


@pytest.mark.skipif(bool(config.CPU_NAME), reason="numba compiles for another processor, as was asked for")
def test_features_are_those_of_this_processor():
    here = binding.get_host_cpu_features()
    assert {name: private.has_feature(name) for name in here} == dict(here)
    assert not private.has_feature("")
    assert not private.has_feature("no such feature")


@pytest.mark.parametrize("stamp", ["a", "b"])
def test_compiled_code_is_kept_where_numba_was_told(tmp_path, monkeypatch, stamp):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    compiled = njit(first)
    private.keep(compiled, first, lambda: stamp)
    name = f"{__name__.rpartition('.')[2]}.first"
    folder = private.folder_of(compiled)
    assert folder.is_relative_to(tmp_path)
    assert not private.has_index(folder)
    assert not private.has_code(tmp_path, name, 1)
    assert compiled(Pair(np.arange(3), np.arange(3)), 1) == 2
    assert private.has_index(folder)
    assert private.has_code(tmp_path, name, 1)
    assert not private.has_code(tmp_path, name + "x", 1)
    assert compiled.stats.cache_misses
    # The same function in another process, or after a change.
    for said, hits in ((stamp, 1), (stamp + "changed", 0)):
        again = njit(first)
        private.keep(again, first, lambda said=said: said)
        again(Pair(np.arange(3), np.arange(3)), 1)
        assert sum(again.stats.cache_hits.values()) == hits


def test_what_is_compiled_in_memory_has_no_folder():
    assert private.folder_of(njit(first)) is None


def test_code_kept_for_types_that_are_gone_is_compiled_anew(tmp_path, monkeypatch):
    """An older version of the package may have called its named tuples otherwise."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    class Gone(NamedTuple):
        one: I64
        other: I64

    Gone.__qualname__ = "Gone"  # as if it stood in the module
    monkeypatch.setitem(globals(), "Gone", Gone)
    compiled = njit(first)
    private.keep(compiled, first, lambda: "same")
    assert compiled(Gone(np.arange(3), np.arange(3)), 1) == 2
    monkeypatch.delitem(globals(), "Gone")
    for hits in (0, 1):
        again = njit(first)
        private.keep(again, first, lambda: "same")
        assert again(Pair(np.arange(3), np.arange(3)), 1) == 2
        assert len(again.stats.cache_hits) == hits


PRODUCTS = """
import numpy as np
from numba import njit
from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.simd import integer_dot
from synthpriv_sql.kernels.simd.signs import next_within
assert not integer_dot.available() and not private.has_feature("avx")
rng = np.random.default_rng(1)
words, blocks = 3, 2
rows, asked = (rng.integers(-(2**31), 2**31, size).astype(np.int32) for size in (blocks * words * 64, words * 6))
start = rng.integers(-1000, 1000, blocks * 64).astype(np.int32)
for bits, least in ((8, integer_dot.least_products_of_8), (16, integer_dot.least_products_of_16)):
    out = np.zeros(6 * 16, np.int32)
    njit(lambda rows, start, asked, out: least(rows, 0, 2, start, asked, 0, 3, out, 0, 16))(rows, start, asked, out)
    have = rows.view(np.uint8 if bits == 8 else np.int16).astype(np.int64).reshape(blocks, words, 64, -1)
    want = asked.view(np.int8 if bits == 8 else np.int16).astype(np.int64).reshape(words, 6, -1)
    sums = start.reshape(blocks, 1, 64) + np.einsum("bwrn,wqn->bqr", have, want)
    wrapped = ((sums + 2**31) % 2**32 - 2**31).reshape(blocks, 6, 4, 16)
    assert (out.reshape(6, 16) == wrapped.min(axis=(0, 2))).all(), bits
signs, end, one = rng.integers(0, 2**64, 51, np.uint64) & rng.integers(0, 2**64, 51, np.uint64), 43, 0xF0F0
found = njit(lambda signs, begin, end, sign, most: next_within(signs, begin, end, sign, most))
alone = [max((one & ~int(sign)).bit_count(), (int(sign) & ~one).bit_count()) for sign in signs]
for most in range(3, 20, 4):
    for begin in range(end + 1):
        first = next((place for place in range(begin, end) if alone[place] <= most), end)
        assert found(signs, begin, end, np.uint64(one), most) == first, (begin, most)
print("right")
"""


def test_products_and_signs_are_right_on_a_processor_without_instructions_for_them():
    here = os.environ | {"NUMBA_CPU_NAME": "generic"}
    command = [sys.executable, "-c", PRODUCTS]
    ran = subprocess.run(command, env=here, capture_output=True, text=True, timeout=300, check=False)
    assert (ran.stdout, ran.stderr) == ("right\n", "")


STEPS = """
import sys
from collections import namedtuple
import numpy as np
from numba import njit
from synthpriv_sql.kernels.simd import bytes, integer_dot
assert (bytes.available(), integer_dot.available()) == (sys.argv[1] != "plain", sys.argv[1] == "products"), sys.argv
rng = np.random.default_rng(1)
eights, complete = 5, 3
rows, asked = rng.integers(0, 256, (2, eights, 64, 8), np.uint8), rng.integers(0, 256, (2, eights, 8), np.uint8)
rows[0, :, 0], rows[0, :, 1], asked[1, ::2], asked[1, 1::2] = 0, 255, 255, 0
missing, lacking = rng.integers(0, 256, (2, eights, 64), np.uint8), rng.integers(0, 256, (2, eights), np.uint8)
missing[:, :complete] = lacking[:, :complete] = 0
holes = np.unpackbits(missing[..., None] | lacking[1, :, None, None], axis=-1, bitorder="little").astype(bool)
gaps = np.where(holes, 0, np.abs(rows.astype(np.int64) - asked[1, :, None])).transpose(0, 2, 1, 3)
whole = rows[:, :complete].astype(np.int64)
norms = (whole * (whole - 2 * bytes.MIDDLE)).sum(axis=(1, 3)).astype(np.int32)
norm = (asked[1, :complete].astype(np.int64) ** 2).sum()
Rows, Asked = namedtuple("Rows", "steps missing norms"), namedtuple("Asked", "steps lacking")
records = Rows(rows.reshape(-1), missing.reshape(-1), norms.reshape(-1)), Asked(asked.reshape(-1), lacking.reshape(-1))
for add, power in ((bytes.add_gaps, 1), (bytes.add_squares_of_gaps, 2)):

    @njit
    def run(rows, asked, complete, norm, limit, sums, add=add):
        return add(rows, asked, eights, eights, (0, complete, eights), 64, norm, np.float32(0.5), limit, sums)

    costs = 7 + 0.5 * (gaps[1] ** power).sum(axis=(1, 2))
    limit = np.float32(np.median(costs))
    for known in (complete, 0):
        sums = np.full(64, 7, np.float32)
        within = run(*records, known, norm, limit, sums)
        assert (sums == costs).all(), (power, known)
        assert [within >> row & 1 for row in range(64)] == (costs <= limit).tolist()
print("right")
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("form", ["products", "words", "plain"])
def test_steps_are_right_on_any_processor(form):
    """With products of bytes (AVX-512 VNNI), with products of words only (AVX-512BW), and with neither."""
    features = binding.get_host_cpu_features()
    if form != "plain" and not (features.get("avx512bw") and (form == "words" or features.get("avx512vnni"))):
        pytest.skip("this processor has no such instructions")
    here = dict(os.environ)
    if form == "words":
        features["avx512vnni"] = False
        here |= {"NUMBA_CPU_NAME": "skylake-avx512", "NUMBA_CPU_FEATURES": features.flatten()}
    elif form == "plain":
        here |= {"NUMBA_CPU_NAME": "generic"}
    command = [sys.executable, "-c", STEPS, form]
    ran = subprocess.run(command, env=here, capture_output=True, text=True, timeout=300, check=False)
    assert (ran.stdout, ran.stderr) == ("right\n", "")
