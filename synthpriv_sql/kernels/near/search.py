"""Nearly equal texts, by several threads. Equal texts have one number, and are no answer here."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.jit import I32, I64, U8
from synthpriv_sql.kernels.near import bags, deletions, grams, halves, hashes, limits, lookup
from synthpriv_sql.kernels.near.distance import BAND
from synthpriv_sql.kernels.near.judging import ALONE, COUNTED, PAIRED, RETURNING, Asked
from synthpriv_sql.kernels.near.limits import Texts
from synthpriv_sql.kernels.simd.signs import EIGHT
from synthpriv_sql.kernels.threads import SearchOptions, Workers

_CHUNK = 512  # queries that a thread takes at a time
_ROOM = 1 << 12  # pairs that a thread finds before it hands them over
_BEGINNING = 8  # characters by which texts are ordered
_INDEXED = 1 << 26  # rests, or characters, of the part of the reference that is indexed at a time
_LENGTHS = {
    limits.SHORT: (limits.SHORTEST, deletions.END),
    limits.HALVES: tuple(map(int, halves.LENGTHS[0])),
    limits.LONGER_HALVES: tuple(map(int, halves.LENGTHS[1])),
    limits.FAR: (limits.LONG, limits.LONGEST + 1),
}
"""The lengths of texts that take part in each way of a search, up to the second one."""
_ALL = int(np.iinfo(np.int64).max)
_NOTHING: dict[str, Any] = {
    "owners": np.zeros(0, np.int32), "found": np.zeros(0, np.uint8), "hit": np.zeros(0, np.uint8),
    "wide": np.zeros(0, np.uint8), "weights": np.zeros(0, np.int64), "sums": np.zeros(0, np.int64),
    "enough": _ALL, "most": limits.MOST,
}  # fmt: skip


class Search:
    """Texts that are compared.

    Parameters
    ----------
    texts
        All of them, equal ones once.
    options
        Progress counts queries.
    """

    def __init__(self, texts: Texts, options: SearchOptions = SearchOptions()) -> None:
        self._texts = texts
        self._size = len(texts.starts) - 1
        self._options = options
        self._counted: U8 | None = None

    def alone(self, numbers: I32, owners: I32) -> NDArray[np.bool_]:
        """Say which texts are one owner's: no text of anybody else is near.

        Parameters
        ----------
        numbers : int32
            The texts.
        owners : int32 (texts,)
            The owner of each text; -1 for several, whose text is nobody's own.

        Returns
        -------
        bool, by place in `numbers`.
        """
        found = np.zeros(self._size, np.uint8)
        found[owners < 0] = 1
        self._run(ALONE, Asked(numbers, numbers, **{**_NOTHING, "owners": owners, "found": found}))
        return np.equal(found[numbers], 0)

    def returning(
        self, numbers: I32, reference: I32, wide: NDArray[np.bool_], most: int = limits.MOST
    ) -> tuple[U8, U8]:
        """Say which texts have one near them, or equal, in the reference, and of which `wide` ones these are.

        Texts that differ by more than `most` edits are not near.

        Returns
        -------
        uint8 by place in `numbers`, and by place in `reference`.
        """
        found, asked_widely = np.zeros(self._size, np.uint8), np.zeros(self._size, np.uint8)
        asked_widely[numbers] = wide
        found[numbers] = np.isin(numbers, reference)
        hit = np.isin(reference, numbers[wide]).astype(np.uint8)
        more = {"found": found, "hit": hit, "wide": asked_widely, "most": most}
        if most:
            self._run(RETURNING, Asked(numbers, reference, **{**_NOTHING, **more}))
        return found[numbers], hit

    def counted(self, numbers: I32, reference: I32, weights: I64, enough: int = _ALL) -> I64:
        """Return the sum of the weights of all texts of the reference that are near each text, or equal to it.

        A sum beyond `enough` may be less than that of all.
        """
        sums = np.zeros(self._size, np.int64)
        np.add.at(sums, reference, weights)
        more = {"weights": weights, "sums": sums, "enough": enough}
        self._run(COUNTED, Asked(numbers, reference, **{**_NOTHING, **more}))
        return sums[numbers]

    def pairs(self, numbers: I32, reference: I32) -> tuple[I32, I32]:
        """Return pairs of numbers of texts that are near, but not equal: of `numbers` and of the reference, ordered."""
        found = self._run(PAIRED, Asked(numbers, reference, **_NOTHING))
        both = np.concatenate([np.zeros((0, 2), np.int32), *found])
        one, other = both[:, 0], reference[both[:, 1]]
        order = np.lexsort((other, one))
        return one[order], other[order]

    def _run(self, question: int, asked: Asked) -> list[I32]:
        """Compare with a part of the reference after the other, so that an index takes bounded memory."""
        lengths = np.diff(self._texts.starts)
        of_queries, of_reference = lengths[asked.queries], lengths[asked.reference]
        found: list[I32] = []
        for way, (low, high) in _LENGTHS.items():
            queries = asked.queries[(of_queries >= low) & (of_queries < high)]
            queries = queries[self._by_beginning(queries)]
            there = (of_reference >= low) & (of_reference < high)
            # Rests at most, or characters.
            sizes = 1 + of_reference * (of_reference + 1) // 2 if way == limits.SHORT else 2 * of_reference
            parts = np.cumsum(np.where(there, sizes, 0)) // _INDEXED
            for part in np.unique(parts[there]) if len(queries) else ():
                places = np.flatnonzero(there & (parts == part))
                places = places[self._by_beginning(asked.reference[places])]
                found += self._ask(question, asked._replace(queries=queries), places, way)
        return found

    def _by_beginning(self, numbers: I32) -> NDArray[np.intp]:
        """Return an order of texts in which those that begin alike follow each other, and so are found together."""
        points, key = self._texts.points, np.zeros(len(numbers), np.uint64)
        for p in range(_BEGINNING if len(points) else 0):
            places = np.minimum(self._texts.starts[numbers] + p, len(points) - 1)
            key = (key << np.uint64(8)) | (points[places].astype(np.uint64) & np.uint64(255))
        return np.argsort(key, kind="stable")

    def _ask(self, question: int, asked: Asked, places: NDArray[np.intp], way: int) -> list[I32]:
        """Compare all queries with the given places of the reference, in one of the ways."""
        reference = asked.reference[places]
        hit = asked.hit[places] if len(asked.hit) else asked.hit
        weights = asked.weights[places] if len(asked.weights) else asked.weights
        here = asked._replace(reference=reference, hit=hit, weights=weights)
        longest = int(np.diff(self._texts.starts)[np.concatenate([here.queries, reference])].max())
        index = self._index(here, way, longest)
        workers, lock, found = Workers(self._options), Lock(), list[I32]()

        def worker() -> Callable[[int, int], None]:
            seen = np.full(len(index.pieces.firsts) * (way != limits.SHORT) + len(reference), -1, np.int32)
            room = lookup.Scratch(seen, *_hashes(way, longest), np.zeros((3, BAND), np.int32))
            end = np.zeros(1, np.int64)
            pairs = np.zeros((_ROOM if question == PAIRED else 0, 2), np.int32)

            def work(begin: int, stop: int) -> None:
                nonlocal pairs
                while begin < stop:
                    last = begin
                    begin = lookup.search(
                        question, self._texts, here, index, begin, stop, room, pairs, end, workers.stop
                    )
                    if end[0]:
                        one, other = pairs[: end[0]].T
                        with lock:
                            found.append(np.column_stack([one, places[other]]).astype(np.int32))
                        end[0] = 0
                    elif begin == last:
                        pairs = np.zeros((2 * len(pairs), 2), np.int32)  # one text has more

            return work

        total = len(asked.queries)
        workers.run_chunks(total, _CHUNK, worker, here=total <= _CHUNK)
        if len(asked.hit):
            asked.hit[places] = hit
        return found

    def _index(self, here: Asked, way: int, longest: int) -> lookup.Index:
        pieces, used, entries = lookup.Pieces(here.reference), grams.unused(), 0
        size = len(here.reference)
        if way == limits.SHORT:
            lengths = np.diff(self._texts.starts)[here.reference]
            entries = int((1 + lengths * (lengths + 1) // 2).sum())
        elif way == limits.FAR:
            pieces = self._runs(here, longest, used)
            size = entries = len(pieces.hashes)
        else:
            pieces = self._halves(here, way - limits.HALVES)
            size, entries = len(pieces.texts), int(halves.rests(way - limits.HALVES)[pieces.kinds].sum())
        bits = max(entries.bit_length(), 4)
        heads, known = np.zeros((1 << bits) + 1, np.int32), np.zeros((1 << (bits + lookup.FILTER)) // 64 + 1, np.uint64)
        prefixes, out, *_ = _hashes(way, longest)
        lookup.count(self._texts, pieces, size, here.most, way, 64 - bits, heads, prefixes, out)
        np.cumsum(heads, out=heads)
        index = lookup.Index(
            heads, np.zeros(int(heads[-1]), np.uint64), known, 64 - bits, way, pieces, used, self._bags(way)
        )
        lookup.fill(self._texts, size, here.most, index, heads.copy(), prefixes, out)
        return index

    def _halves(self, here: Asked, way: int) -> lookup.Pieces:
        """Return the beginnings and ends that are kept, equal ones once."""
        texts, reference, prefixes = self._texts, here.reference, np.zeros(hashes.LONGEST, np.uint64)
        sketch, kinds = np.zeros(1 << halves.SKETCH, np.uint32), np.zeros((len(reference), 2), np.uint8)
        sampled = here.queries[:: 1 + len(here.queries) // halves.SAMPLE].copy()
        halves.frequencies(texts, sampled, way, prefixes, sketch)
        halves.choose(texts, reference, way, sketch, prefixes, np.zeros((2, 2 * halves.KINDS), np.int64), kinds)
        found = np.zeros((len(reference), 2), np.uint64)
        halves.pieces(texts, reference, way, kinds, prefixes, found)
        _, one, number = np.unique(found.ravel(), return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(one))  # in the order of the texts
        one, number = np.sort(one), rank[number.ravel()]
        order = np.argsort(number, kind="stable")
        members, signs = (order // 2).astype(np.int32), np.zeros(len(order) + EIGHT, np.uint64)
        halves.sign_members(
            texts, reference, members, way, (order % 2).astype(np.uint8), kinds.ravel()[order],
            np.zeros(halves.SIGNS, np.uint64), signs,
        )  # fmt: skip
        return lookup.Pieces(
            reference[one // 2], (one % 2).astype(np.uint8), kinds.ravel()[one], members=members, signs=signs,
            firsts=np.concatenate([[0], np.cumsum(np.bincount(number))]).astype(np.int64),
        )  # fmt: skip

    def _runs(self, here: Asked, longest: int, used: I64) -> lookup.Pieces:
        """Return the runs that are kept, equal ones once, and say which lengths they have in which texts."""
        lengths = np.diff(self._texts.starts)
        sketch, prefixes = np.zeros(1 << grams.SKETCH, np.uint32), np.zeros(longest + 1, np.uint64)
        sampled = here.queries[:: 1 + int(lengths[here.queries].sum()) // grams.SAMPLE].copy()
        grams.frequencies(self._texts, sampled, prefixes, sketch)
        room = int(np.minimum(lengths[here.reference] // 10, limits.MOST).sum() + len(here.reference))
        kept, places = np.zeros(room, np.uint64), np.zeros(room, np.int32)
        size = grams.keep(
            self._texts, here.reference, sketch, prefixes, np.zeros(longest + 1, np.uint64),
            np.zeros((3, longest + 1), np.int64), np.zeros((grams.RUNS, longest + 1), np.uint8), kept, places, used,
        )  # fmt: skip
        order = np.argsort(kept[:size])
        kept, members = kept[order], places[order]
        offsets, kept = (kept & grams.OFFSET).astype(np.int32), kept & ~grams.OFFSET
        firsts = np.append(np.flatnonzero(np.diff(kept, prepend=~kept[:1])), size)
        return lookup.Pieces(
            here.reference, hashes=kept[firsts[:-1]], offsets=offsets, members=members, firsts=firsts,
        )  # fmt: skip

    def _bags(self, way: int) -> U8:
        """Return the characters of all texts, counted; short ones are compared without."""
        if way == limits.SHORT:
            return np.zeros((0, bags.BAG), np.uint8)
        if self._counted is None:
            self._counted = np.zeros((self._size, bags.BAG), np.uint8)
            bags.count_characters(self._texts, self._counted)
        return self._counted


def _hashes(way: int, longest: int) -> tuple[Any, Any, Any, Any]:
    """Return room for the hashes of beginnings of a text, of what is looked up, its offsets, and signs."""
    size = 2 * len(grams.SIZES) * longest if way == limits.FAR else max(deletions.RESTS, halves.RESTS)
    offsets = np.zeros(size if way == limits.FAR else 0, np.int32)
    return (
        np.zeros(max(longest + 1, hashes.LONGEST), np.uint64), np.zeros(size, np.uint64), offsets,
        np.zeros(halves.SIGNS, np.uint64),
    )  # fmt: skip
