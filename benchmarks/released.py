"""Evaluates the tables that `benchmarks.generators` made: what each attack finds, and what the verdict says."""

import json
import time
import warnings
from dataclasses import dataclass

import pandas as pd

import synthpriv_sql
from benchmarks.generators import FOLDER


@dataclass(frozen=True)
class Judged:
    """What was found in the tables of one generator.

    ``together`` is at least how many people two releases give away; ``placebo`` is the verdict on the same table where
    train are people whom the generator never saw.
    """

    who: str
    level: str
    aucs: dict[str, float]
    named: int
    at_least: int
    together: int
    fidelity: float
    epsilon_lower: float
    epsilon: float | None
    placebo: str
    seconds: float

    @property
    def note(self):
        aucs = ", ".join(f"{attack} {auc:.3f}" for attack, auc in self.aucs.items())
        epsilon = "" if self.epsilon is None else f"; epsilon at least {self.epsilon_lower:.2f} of {self.epsilon:g}"
        return (
            f"{self.level}; {self.named:,} named; at least {self.at_least:,}, with a second release "
            f"{self.together:,}; {aucs}; fidelity {self.fidelity:.3f}; placebo {self.placebo}{epsilon}"
        )


def judged(quick):
    """The tables of each generator; nothing where none were made."""
    with synthpriv_sql.connect() as session, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for about in sorted(FOLDER.glob("*.json")):
            facts = json.loads(about.read_text())
            if quick and (facts["split"] or facts["size"] > 1_000):
                continue
            yield _judged(session, facts)


def _judged(session, facts):
    real = {
        side: pd.read_parquet(FOLDER / f"{facts['source']}-{facts['asked']}-{facts['split']}-{side}.parquet")
        for side in ("train", "holdout", "others")
    }
    synthetic, *more = (pd.read_parquet(FOLDER / f"{facts['tables']}-{n}.parquet") for n in range(facts["releases"]))
    start = time.perf_counter()
    result = session.evaluate(synthetic, real["train"], real["holdout"], releases=more)
    seconds = time.perf_counter() - start
    placebo = session.evaluate(synthetic, real["others"], real["holdout"]).verdict.level
    values = {(row["metric"], row["variant"], row["statistic"]): row["value"] for row in result}
    attacks = [variant for metric, variant, statistic in values if (metric, statistic) == ("membership", "auc")]
    of_attacks = {
        name: {attack: values["membership", attack, name] for attack in attacks} for name in ("auc", "epsilon_lower")
    }
    fidelity = next(row for row in session.fidelity_summary(synthetic, real["train"]) if row["level"] == "overall")
    given = [int(values.get(("exposure", None, name)) or 0) for name in ("exposed", "at_least")]
    return Judged(
        f"{facts['generator']}, {facts['size']:,} of {facts['source']}, split {facts['split']}",
        session.evaluate(synthetic, real["train"], real["holdout"]).verdict.level,
        {attack: auc for attack, auc in of_attacks["auc"].items() if auc is not None},
        *given,
        int(values.get(("releases", "union", "at_least")) or 0),
        fidelity["mean"],
        max((value for value in of_attacks["epsilon_lower"].values() if value is not None), default=0.0),
        facts["epsilon"],
        placebo,
        seconds,
    )
