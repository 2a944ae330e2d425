"""Evaluates the tables that `benchmarks.generators` made: what each attack finds, and what the verdict says."""

import json
import time
import warnings
from dataclasses import dataclass

import pandas as pd

import synthpriv_sql
from benchmarks.generators import FOLDER

BESIDE = ("kernel",)
"""Attacks that `evaluate` does not make."""
AUDITED = ("agreement", "uniques", "kernel", "learned")
"""The attacks from which `audit` computes what is shown of the epsilon of a differentially private generator."""


@dataclass(frozen=True)
class Judged:
    """What was found in the tables of one generator.

    ``together`` is at least how many people two releases give away, asked of the first split; ``placebo`` is the
    verdict on the same table where train are people whom the generator never saw. ``failed`` says why there is no
    table; all else is then None.
    """

    who: str
    seconds: float
    """Of the processor, for the evaluation of one table."""
    made_in: float
    """Seconds of the processor for the tables."""
    failed: str | None = None
    level: str | None = None
    aucs: dict[str, float] | None = None
    named: int | None = None
    at_least: int | None = None
    together: int | None = None
    fidelity: float | None = None
    epsilon_lower: float | None = None
    epsilon: float | None = None
    placebo: str | None = None

    @property
    def note(self):
        if self.failed:
            return f"none after {self.made_in:.0f} s: {self.failed}"
        aucs = ", ".join(f"{attack} {auc:.3f}" for attack, auc in self.aucs.items())
        together = "" if self.together is None else f", with a second release {self.together:,}"
        epsilon = "" if self.epsilon is None else f"; epsilon at least {self.epsilon_lower:.2f} of {self.epsilon:g}"
        return (
            f"{self.level}; {self.named:,} named; at least {self.at_least:,}{together}; {aucs}; "
            f"fidelity {self.fidelity:.3f}; placebo {self.placebo}; made in {self.made_in:.1f} s{epsilon}"
        )


def judged(quick):
    """The tables of each generator; nothing where none were made."""
    with synthpriv_sql.connect() as session:
        for about in sorted(FOLDER.glob("*.json")):
            facts = json.loads(about.read_text())
            if quick and (facts["split"] or facts["size"] > 1_000):
                continue
            yield judgment(session, facts)


def judgment(session, facts):
    """Evaluate the tables of one description."""
    who = f"{facts['generator']}, {facts['size']:,} of {facts['source']}, split {facts['split']}"
    if facts["failed"]:
        return Judged(who, 0.0, facts["seconds"], failed=facts["failed"])
    real = {
        side: pd.read_parquet(FOLDER / f"{facts['source']}-{facts['asked']}-{facts['split']}-{side}.parquet")
        for side in ("train", "holdout", "others")
    }
    synthetic, *more = (pd.read_parquet(FOLDER / f"{facts['tables']}-{n}.parquet") for n in range(facts["releases"]))
    asked = synthetic, real["train"], real["holdout"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        found = session.evaluate(*asked)
        seconds = time.process_time() - start
        placebo = session.evaluate(synthetic, real["others"], real["holdout"]).verdict.level
        fidelity = session.fidelity_summary(synthetic, real["train"])
        beside = {row["attack"]: row["auc"] for row in session.membership(*asked, attack=list(BESIDE))}
        shown = session.audit(*asked, attack=list(AUDITED)) if facts["epsilon"] else []
        # Once a source and generator: it takes as long as the rest together.
        together = session.evaluate(*asked, releases=more) if facts["split"] == 0 else []
    values = _values(found)
    aucs = {variant: value for (metric, variant, name), value in values.items() if (metric, name) == _AUC}
    named, at_least = (int(values.get(("exposure", None, name)) or 0) for name in ("exposed", "at_least"))
    return Judged(
        who,
        seconds,
        facts["seconds"],
        level=found.verdict.level,
        aucs={attack: auc for attack, auc in (aucs | beside).items() if auc is not None},
        named=named,
        at_least=at_least,
        together=int(_values(together).get(("releases", "union", "at_least")) or 0) if together else None,
        fidelity=next(row["mean"] for row in fidelity if row["level"] == "overall"),
        epsilon_lower=max((row["epsilon_lower"] or 0.0 for row in shown), default=None),
        epsilon=facts["epsilon"],
        placebo=placebo,
    )


_AUC = ("membership", "auc")


def _values(found):
    return {(row["metric"], row["variant"], row["statistic"]): row["value"] for row in found}
