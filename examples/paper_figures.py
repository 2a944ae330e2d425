"""Draw figures 1, 4 and 5 of the 2018 paper on minimum distance accumulation, for a real table.

    python examples/paper_figures.py figures/ --rows 3000

writes figure_1.svg, figure_4.svg and figure_5.svg into the folder. The table is the training half of UCI Adult if
../shared/data has it, otherwise the diabetes table of scikit-learn. Everything is computed by the SQL
in paper_figures.sql; this script reads the tables it leaves, checks them, and draws. Needs matplotlib.
"""

import argparse
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

import synthpriv_sql

HERE = Path(__file__).resolve().parent
ADULT = HERE.parents[1] / "shared" / "data" / "adult_trn.csv.gz"
COLORS = ("#3b6ea8", "#c8553d", "#5b8c5a")
THRESHOLDS = (0.1, 0.5)
SHARES = (0.1, 0.5, 0.9)
MEASURES = {"privacy_area": "privacy area (0 is perfect)", "resemblance": "resemblance (1 is perfect)"}


def load(connection, rows):
    """Create the table `train` with at most so many rows; return the name of the data."""
    if ADULT.exists():
        connection.read_csv(str(ADULT)).limit(rows).to_table("train")
        return "Adult"
    diabetes = load_diabetes(as_frame=True, scaled=False).frame
    connection.from_df(diabetes).limit(rows).to_table("train")
    return "diabetes"


def check(sweep):
    """Raise an error unless both measures fall with p: no drawn line rises, and those of figure 4 end lower."""
    for threshold in sorted({row["threshold"] for row in sweep}):
        for measure in MEASURES:
            drawn = [r for r in sweep if r["threshold"] == threshold and (threshold in THRESHOLDS or r["p"] in SHARES)]
            values = [row[measure] for row in drawn]
            assert values == sorted(values, reverse=True), f"{measure} at threshold {threshold} rises: {values}"
            assert values[0] > values[-1] or threshold not in THRESHOLDS, (
                f"{measure} at threshold {threshold} does not fall: {values}"
            )


def figure_1(curve, areas):
    """Draw the share of records within each distance, split by the threshold into two areas."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    theta = [0.0, *(row["theta"] for row in curve), 1.0]
    share = [0.0, *(row["accumulation"] for row in curve), 1.0]
    cut = areas["threshold"]
    at_cut = max((s for t, s in zip(theta, share, strict=True) if t <= cut), default=0.0)
    left = [(t, s) for t, s in zip(theta, share, strict=True) if t < cut] + [(cut, at_cut)]
    right = [(cut, at_cut)] + [(t, s) for t, s in zip(theta, share, strict=True) if t > cut]
    for part, color, measure in ((left, COLORS[1], "privacy_area"), (right, COLORS[0], "resemblance")):
        label = f"{measure.replace('_', ' ')} {areas[measure]:.3f}"
        axes.fill_between(*zip(*part, strict=True), step="post", color=color, alpha=0.25, linewidth=0, label=label)
    axes.step(theta, share, where="post", color="#222222", linewidth=1.2)
    axes.axvline(cut, color="#222222", linestyle=":", linewidth=1)
    axes.set(xlabel="θ: distance / largest distance", ylabel="F(θ): share of records", xlim=(0, 1), ylim=(0, 1.02))
    axes.legend(loc="lower right", frameon=False)
    return figure


def lines(sweep, along, across, chosen):
    """Draw both measures along p or the threshold, with a line for each chosen value of the other."""
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.0), layout="constrained")
    for axes, (measure, title) in zip(panels, MEASURES.items(), strict=True):
        for value, color in zip(chosen, COLORS, strict=False):
            rows = [row for row in sweep if row[across] == value]
            label = f"{across} {value:g}"
            axes.plot([r[along] for r in rows], [r[measure] for r in rows], "o-", color=color, ms=3.5, label=label)
        axes.set(title=title, xlabel=along)
    panels[0].set_ylim(0, 1.02)
    panels[0].legend(frameon=False)
    return figure


def main():
    """Compute, check and draw the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder for the figures")
    parser.add_argument("--rows", type=int, default=3000, help="rows of the table to use (default: %(default)s)")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "synthpriv", "axes.spines.top": False, "axes.spines.right": False}
    with synthpriv_sql.connect() as session:
        connection = session.connection
        name = load(connection, given.rows)
        connection.execute((HERE / "paper_figures.sql").read_text(encoding="utf-8"))
        curve, areas, sweep = (connection.table(t).to_arrow_table().to_pylist() for t in ("curve", "areas", "sweep"))
    check(sweep)
    figures = {
        "figure_1": figure_1(curve, areas[0]),
        "figure_4": lines(sweep, "p", "threshold", THRESHOLDS),
        "figure_5": lines(sweep, "threshold", "p", SHARES),
    }
    for file, figure in figures.items():
        figure.suptitle(f"{file.replace('_', ' ').capitalize()}: random forest baseline of {name}", fontsize=11)
        figure.savefig(given.folder / f"{file}.svg", metadata={"Date": None})
        print(given.folder / f"{file}.svg")


if __name__ == "__main__":
    main()
