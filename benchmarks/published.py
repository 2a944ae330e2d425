"""The tables of docs/benchmark.md on published generators: a line for each generator and source, over its splits."""

import re
from collections import Counter
from statistics import mean

from benchmarks.generators import GENERATORS

ATTACKS = ("distance", "density", "agreement", "agreement_near", "uniques", "kernel", "learned")
LEAKY = ("CART", "SMOTE", "bootstrap")
"""What the names of generators begin with that draw from the records of people by construction: a leak is there."""
PRIVATE_UP_TO = 2.0
"""With an epsilon of at most so much a table gives too little away for a verdict of `bad`."""
SOURCES = {
    "adult": "Adult",
    "cancer": "the breast cancer data",
    "midst": "MIDST's transactions",
    "acs": "the American Community Survey",
}

_JUDGED = re.compile(
    r"(?P<verdict>\w+); (?P<named>[\d,]+) named; at least (?P<at_least>[\d,]+)"
    r"(?:, with a second release (?P<with_a_second>[\d,]+))?; (?P<aucs>.*?); fidelity (?P<fidelity>[\d.]+); "
    r"placebo (?P<placebo>\w+); made in (?P<made_in>[\d.]+) s"
    r"(?:; epsilon at least (?P<epsilon_lower>[\d.]+) of (?P<epsilon>[\d.]+))?"
)
_FAILED = re.compile(r"none after (?P<made_in>\d+) s: (?P<failed>.*)")
_WHOLE = ("named", "at_least", "with_a_second")
_SHARES = ("fidelity", "made_in", "epsilon_lower", "epsilon")


def parsed(row):
    """The row of one table of a generator; the attacks with their AUC in columns of their own."""
    generator, size_of, split = row["who"].rsplit(", ", 2)
    people, _, of = size_of.partition(" of ")
    failed = _FAILED.fullmatch(row["note"])
    said = (failed or _JUDGED.fullmatch(row["note"])).groupdict()
    aucs = dict(found.rsplit(" ", 1) for found in said.get("aucs", "").split(", ") if found)
    return {
        "generator": generator, "tables": of, "people": int(people.replace(",", "")),
        "split": int(split.removeprefix("split ")), "failed": said.get("failed"), "verdict": said.get("verdict"),
        "placebo": said.get("placebo"), **{name: _number(said.get(name), int) for name in _WHOLE},
        **{f"auc_{attack}": _number(aucs.get(attack), float) for attack in ATTACKS},
        **{name: _number(said.get(name), float) for name in _SHARES},
        "seconds": None if failed else row["median"],
        "date": row["measured"]["date"], "commit": row["measured"]["commit"],
    }  # fmt: skip


def place(row):
    """The place of a row: people, table, generator, split."""
    names = [generator.name for generator in GENERATORS]
    return *_place((row["tables"], row["people"])), names.index(row["generator"]), row["split"]


def _number(text, kind):
    return None if text is None else kind(text.replace(",", ""))


def lines(rows):
    """The section of the page."""
    out = [
        "## Published generators",
        "",
        "Each line is on all splits that were made (1 to 3). Verdicts on the people whom a generator saw · on people",
        "whom it did not see (placebo); people named, and at least given away (in the first split: with a second table",
        "of the same model), mean; the AUC of the best attack in each split, lowest to highest; the mean AUC of each",
        "attack; fidelity; seconds of the processor to train and to draw two tables.",
    ]
    for tables, people in sorted({(row["tables"], row["people"]) for row in rows}, key=_place):
        of = [row for row in rows if (row["tables"], row["people"]) == (tables, people)]
        out += [
            "",
            f"### {people:,} people of {SOURCES[tables]}",
            "",
            "| generator | verdict · placebo | named | at least | best AUC | "
            f"{' · '.join(ATTACKS)} | fidelity | made in |",
            "| --- | --- | ---: | ---: | --- | --- | ---: | ---: |",
        ]
        for generator in dict.fromkeys(row["generator"] for row in of):
            out.append(_line(generator, [row for row in of if row["generator"] == generator]))
        out += _untried(of)
    return [*out, "", *_epsilons(rows), *_wrong(rows), ""]


def _untried(rows):
    """A line for each generator of `make generated` that was not measured on this table, its epsilons together."""
    names = {}
    for generator in GENERATORS:
        if generator.name not in {row["generator"] for row in rows}:
            name, _, epsilon = generator.name.partition(", epsilon ")
            names.setdefault(name, []).append(epsilon)
    epsilons = {name: f", epsilon {', '.join(given)}" if given[0] else "" for name, given in names.items()}
    return [f"| {name}{epsilons[name]} | not measured so far |{' |' * 6}" for name in names]


def _place(of):
    return of[1] > 1_000, list(SOURCES).index(of[0])


def _line(generator, rows):
    made = [row for row in rows if not row["failed"]]
    if not made:
        reasons = " and ".join(_counted(row["failed"] for row in rows))
        return f"| {generator} | none: {reasons} | | | | | | {mean(row['made_in'] for row in rows):.0f} s |"
    best = [max(row[f"auc_{attack}"] or 0 for attack in ATTACKS) for row in made]
    second = next((f" ({row['with_a_second']:,})" for row in made if row["with_a_second"] is not None), "")
    verdicts = " · ".join(" ".join(_counted(row[what] for row in made)) for what in ("verdict", "placebo"))
    if len(made) < len(rows):
        verdicts += f"; {len(rows) - len(made)} failed"
    return (
        f"| {generator} | {verdicts} | {mean(row['named'] for row in made):,.0f} | "
        f"{mean(row['at_least'] for row in made):,.0f}{second} | {_range(best)} | "
        f"{' · '.join(_mean(row[f'auc_{attack}'] for row in made) for attack in ATTACKS)} | "
        f"{mean(row['fidelity'] for row in made):.3f} | {mean(row['made_in'] for row in made):,.0f} s |"
    )


def _counted(values):
    return [f"{value} {count}" for value, count in Counter(values).most_common()]


def _range(values):
    low, high = f"{min(values):.3f}", f"{max(values):.3f}"
    return low if low == high else f"{low}–{high}"


def _mean(values):
    known = [value for value in values if value is not None]
    return f"{mean(known):.3f}" if known else "–"


def _epsilons(rows):
    """What `audit` shows of epsilon, beside what is promised."""
    private = [row for row in rows if row["epsilon"] is not None]
    if not private:
        return []
    sources = sorted({(row["tables"], row["people"]) for row in private}, key=_place)
    out = [
        "### Epsilon",
        "",
        "The largest epsilon that `audit` shows, over the splits and the attacks agreement, uniques, kernel and",
        "learned (not adjusted for their number), beside that of the generator. 0 is no evidence against a promise.",
        "",
        f"| generator | epsilon | {' | '.join(f'{people:,} of {tables}' for tables, people in sources)} |",
        f"| --- | ---: |{' ---: |' * len(sources)}",
    ]
    for generator, epsilon in dict.fromkeys((row["generator"], row["epsilon"]) for row in private):
        cells = []
        for of in sources:
            shown = [
                r["epsilon_lower"] for r in private if (r["generator"], r["tables"], r["people"]) == (generator, *of)
            ]
            cells.append(f"{max(shown):.2f}" if shown else "–")
        out.append(f"| {generator.rpartition(', epsilon')[0]} | {epsilon:g} | {' | '.join(cells)} |")
    return [*out, ""]


def wrong(row):
    """Why a verdict is wrong by what is known of the generator; None where it is not."""
    if row["placebo"] == "bad":
        return "bad on people whom it never saw"
    if row["verdict"] == "good" and row["generator"].startswith(LEAKY):
        return "good, though it draws from the records of people"
    if row["verdict"] == "bad" and row["epsilon"] is not None and row["epsilon"] <= PRIVATE_UP_TO:
        return f"bad, with an epsilon of {row['epsilon']:g}"
    return None


def _wrong(rows):
    """Which verdicts were wrong, and how many could have been."""
    made = [row for row in rows if not row["failed"]]
    leaky = [row for row in made if row["generator"].startswith(LEAKY)]
    private = [row for row in made if row["epsilon"] is not None and row["epsilon"] <= PRIVATE_UP_TO]
    found = [(row, wrong(row)) for row in made if wrong(row)]
    out = [
        "### Wrong verdicts",
        "",
        f"Of {len(made):,} tables, each with its placebo. {len(leaky):,} are of generators that draw from records of",
        f"people (CART, SMOTE, bootstrap): their verdict must not be good. {len(private):,} have an epsilon of at most",
        f"{PRIVATE_UP_TO:g}: theirs must not be bad. Of the other generators nobody knows what they give away.",
        "",
    ]
    if not found:
        return [*out, "- none"]
    return out + [
        f"- {row['generator']}, {row['people']:,} of {row['tables']}, split {row['split']}: {why}" for row, why in found
    ]
