"""Features for several releases of the same people: those of each, sorted by size, and those of all as one table.

The classifier is told neither names nor the order of releases. Each release is searched once, whatever the number of
sets of releases that are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.learned import combined, conditionals, features, nearness
from synthpriv_sql.learned.features import Evidence
from synthpriv_sql.learned.tables import Feature, Tables, joined
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf.encoded.releases import Releases

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I64  # imports numba


MAIN = ("alone", "before", "union")
"""The sets that are judged whatever the number of people; of many, to train for each further set takes too long."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What one set of releases says of real records.

    features : list of Feature; nearest : int64 (real,), the nearest synthetic record, as its position in all releases
    in order; tables : the real records, with the columns that these releases have.
    """

    features: list[Feature]
    nearest: I64
    tables: Tables


def members(chosen: str, releases: Releases) -> list[int]:
    """Return the positions of the releases in a set; see `synthpriv_sql.planner.columns.releases.places`."""
    every = range(max(1, len(releases.names)))
    named = {"alone": every[:1], "before": every[1:], "union": every}
    if chosen.startswith("only "):
        return [int(chosen.removeprefix("only "))]
    return list(named[chosen] if chosen in named else every[1 : int(chosen) + 1])


def steps(given: Tables, releases: Releases, sets: Sequence[str]) -> int:
    """Return the number of steps that `judged` reports."""
    shared = {i for chosen in sets for i in members(chosen, releases)}
    return len(shared) * features.steps(given)


def judged(
    given: Tables,
    synthetic: Sequence[Any],
    keys: Sequence[Any],
    releases: Releases,
    sets: Sequence[str],
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> dict[str, Judged]:
    """Compute the features of the selected records for each set of releases.

    Parameters
    ----------
    given
        The real tables, and no synthetic one.
    synthetic, keys
        The records of each release, and their keys, with all compared columns.
    releases
        Which of these columns each release lacks.
    sets
        Values of the option ``released``.
    progress, cancelled
        As in `features.evidence`.
    """
    of = {chosen: members(chosen, releases) for chosen in sets}
    known: dict[int, Evidence] = {}
    singly = [[i] for i in sorted({i for places in of.values() for i in places})]
    shared = _shared(given, synthetic, keys, releases, [*singly, *of.values()], cancelled)
    for (place,) in singly:
        alone = replace(_alone(given, synthetic, keys, releases, [place]), shared=shared.get((place,)))
        known[place] = features.evidence(alone, _after(progress, len(known), len(synthetic)), cancelled)
    starts = np.cumsum([0, *(table.rows for table in synthetic)])
    found = {}
    for chosen, places in of.items():
        tables = replace(_alone(given, synthetic, keys, releases, places), shared=shared.get(tuple(places)))
        nearest = _nearest([known[i] for i in places], [starts[i] for i in places])
        if len(places) == 1:
            features_of = known[places[0]].features
        else:
            lacks = Releases(list(map(str, places)), [_lacking(tables, given, releases.lacks[i]) for i in places])
            sizes = [synthetic[i].rows for i in places]
            leave_out = partial(lacks.without_absent, real=given.real.rows, sizes=sizes) if any(lacks.lacks) else None
            features_of = _several(tables, [known[i] for i in places], leave_out, cancelled)
        found[chosen] = Judged(features_of, nearest, replace(tables, synthetic=None, synthetic_keys=None))
    return found


def _alone(
    given: Tables, synthetic: Sequence[Any], keys: Sequence[Any], releases: Releases, places: Sequence[int]
) -> Tables:
    """The real tables and these releases as one, with the columns that one of these has."""
    count = len(given.options["columns"])
    columns = [c for c in range(count) if not all(c in releases.lacks[i] for i in places)]
    stacked = replace(
        given, synthetic=joined([synthetic[i] for i in places]), synthetic_keys=joined([keys[i] for i in places])
    )
    return stacked.among(columns)


def _shared(
    given: Tables,
    synthetic: Sequence[Any],
    keys: Sequence[Any],
    releases: Releases,
    sets: Sequence[Sequence[int]],
    cancelled: Callable[[], bool] | None,
) -> dict[tuple[int, ...], list[Feature]]:
    """The features of combinations of all sets of releases, counted together; none if their columns differ."""
    from synthpriv_sql.kernels.uniques import combinations, sharing

    every = sorted({i for places in sets for i in places})
    if len(every) == 1 or len(every) > sharing.MOST_TABLES or any(releases.lacks[i] for i in every):
        return {}
    tables = _alone(given, synthetic, keys, releases, every)
    counted = combined.countable(tables)
    if counted is None:
        return {}
    exact, binned = counted
    chosen_sets = list(dict.fromkeys(tuple(places) for places in sets))
    has = np.array([[i in places for i in every] for places in chosen_sets])
    table_of = np.repeat(np.arange(len(every), dtype=np.int32), [synthetic[i].rows for i in every])
    run = SearchOptions(tables.options["threads"], cancelled=cancelled)
    found: dict[tuple[int, ...], list[Feature]] = {places: [] for places in chosen_sets}
    for width in combined.WIDTHS:
        chosen, _ = combinations.choose(exact.distinct, [width], combined.COMBINATIONS)
        if not chosen:
            continue
        uniques = sharing.scores(exact, tables.persons, chosen, table_of, has, options=run)
        ratios = sharing.mean_ratios(binned, chosen, table_of, has, rows=tables.selected, options=run)
        for places, scores, shares in zip(chosen_sets, uniques, ratios, strict=True):
            found[places] += combined.of_width(tables, width, scores, shares)
    return found


def _lacking(tables: Tables, given: Tables, lacks: Sequence[int]) -> list[int]:
    """The columns that a release lacks, by their positions among those of several."""
    names = [given.options["columns"][c] for c in lacks]
    return [place for place, name in enumerate(tables.options["columns"]) if name in names]


def _after(progress: Progress | None, before: int, count: int) -> Progress | None:
    """Progress of one release after others."""
    if progress is None:
        return None
    report = progress
    return lambda done, total, label: report(done + before * total, total * count, label)


def _nearest(found: Sequence[Evidence], starts: Sequence[int]) -> I64:
    """The nearest record of all releases, of equally near ones that of the first."""
    first = ("gower", nearness.ALL)
    distances = np.stack([evidence.distances[first][:, 0] for evidence in found], axis=1)
    records = np.stack([evidence.nearest + start for evidence, start in zip(found, starts, strict=True)], axis=1)
    best: I64 = records[np.arange(len(records)), distances.argmin(axis=1)]
    return best


def _several(
    tables: Tables,
    found: Sequence[Evidence],
    leave_out: Callable[[Any, Sequence[int]], None] | None,
    cancelled: Callable[[], bool] | None,
) -> list[Feature]:
    """The features of each release, sorted by size, and of all as one table."""
    real_only = features.evidence(replace(tables, synthetic=None, synthetic_keys=None), None, cancelled).features
    by_label = [{f.label: f for f in evidence.features if f.uses_synthetic} for evidence in found]
    labels = dict.fromkeys(label for of_one in by_label for label in of_one)
    made = list(real_only)
    for label in labels:
        values = np.stack([_of(of_one, label).values for of_one in by_label], axis=1)
        values.sort(axis=1)
        made += [Feature(values[:, -1 - i], f"{label}, {_PLACE.format(i + 1)}") for i in range(len(found))]
    return [*made, *_united(tables, found, leave_out, cancelled)]


_PLACE = "release of rank {} by this feature"
_UNITED = "{}, all releases together"


def _of(features_of: Mapping[str, Feature], label: str) -> Feature:
    """A feature of a release; where it lacks the columns, the same of all its columns."""
    known = features_of.get(label)
    if known is not None:
        return known
    for metric, subset in ((m, s) for m in nearness.DISTANCE_METRICS for s in [label.rpartition(f"({m}, ")[2][:-1]]):
        other = features_of.get(label.replace(f"({metric}, {subset})", f"({metric}, {nearness.ALL})"))
        if other is not None:
            return other
    width = next(iter(features_of.values()))
    return Feature(np.zeros_like(width.values), label)


def _united(
    tables: Tables,
    found: Sequence[Evidence],
    leave_out: Callable[[Any, Sequence[int]], None] | None,
    cancelled: Callable[[], bool] | None,
) -> list[Feature]:
    """The features of all releases as one table; its nearest records are among the nearest of each."""
    made: list[Feature] = []
    of_label = {subset.label: subset for subset in nearness.subsets(tables)}
    for metric, label in dict.fromkeys(key for evidence in found for key in evidence.distances):
        subset = of_label.get(label)
        others = None if subset is None else tables.known.get(subset.key(metric, tables))
        if subset is None or others is None:
            continue
        own = [evidence.distances.get((metric, label), evidence.distances[metric, nearness.ALL]) for evidence in found]
        merged: F64 = np.sort(np.concatenate(own, axis=1), axis=1)[:, : max(subset.ranks)]
        made += nearness.of_distances(metric, subset, others, merged)
    bits = [evidence.bits for evidence in found if evidence.bits is not None]
    best = -np.sort(-np.concatenate(bits, axis=1), axis=1)[:, :2]
    made += features.of_agreement(tables.known["agreement", tuple(tables.options["columns"])], best)
    made += features.of_texts(tables, cancelled)
    made += combined.of_combinations(tables, cancelled, leave_out)
    if leave_out is None:  # a value that a release lacks would be foretold as missing
        made += conditionals.of_conditionals(tables, cancelled)
    return [f._replace(label=_UNITED.format(f.label)) for f in made if f.uses_synthetic]
