"""Synthetic tables of published generators, with the people whom each saw: a zoo that others can evaluate as well.

``make generated`` runs it in environments of its own (requirements/generators*.txt). Of each set of real people three
disjoint parts are drawn: a generator sees `train`; `holdout` are people whom it did not see. Every table is a Parquet
file with its seed in the name, and is made once: what is there already is kept. A generator that fails, or takes longer
than ``--limit``, is written down with the reason, and is not tried again. ``make bench CASES=generators`` evaluates
all. The noise of dpmm comes from the system, without a seed: its tables are as private, but other ones, when made anew.
"""

import argparse
import json
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from benchmarks import zoo

FOLDER = Path(__file__).parent / "generated"
SIZES = (1_000, 5_000)
SOURCES = ("adult", "acs", "midst", "cancer")
SPLITS = 3
LIMIT = 600
"""Seconds of the processor that a generator may take for all releases of one table, by default."""
RELEASES = 2
"""How many tables of one model are written: several releases of the same people."""


@dataclass(frozen=True)
class Generator:
    """A generator with its settings; ``epsilon`` is what it promises, if it is differentially private."""

    name: str
    fit: Callable[[pd.DataFrame, int, pd.DataFrame], Callable[[int, int], pd.DataFrame]]
    """From train, a seed, and the whole table, whose range is public, to a function that draws rows by a seed."""
    needs: str | None = None
    """The module that it is in; a generator whose module is missing is left out."""
    epsilon: float | None = None


def _by_draw(draw):
    """A generator of this repository, which draws a table from people at once."""

    def fit(train, seed, public):
        def sample(rows, number):
            random = np.random.default_rng([seed, number])
            synthetic = draw(random, zoo.People(train, train, train, train))[0]
            return synthetic.sample(rows, replace=rows > len(synthetic), random_state=seed).reset_index(drop=True)

        return sample

    return fit


def _noise(random, p):
    moved = {c: p.train[c] + random.normal(0, p.train[c].std(), len(p.train)) for c in zoo.numbers(p.train)}
    return (p.train.assign(**moved).iloc[random.integers(0, len(p.train), len(p.train))],)


def _ctgan(model, epochs):
    """CTGAN and TVAE, of the package ctgan."""

    def fit(train, seed, public):
        import ctgan
        import torch

        torch.manual_seed(seed)
        np.random.seed(seed)
        words = [column for column in train if column not in zoo.numbers(train)]
        fitted = getattr(ctgan, model)(epochs=epochs, enable_gpu=False)
        fitted.fit(train, discrete_columns=words)

        def sample(rows, number):
            torch.manual_seed(seed * 1_000 + number)
            np.random.seed(seed * 1_000 + number)
            return fitted.sample(rows)

        return sample

    return fit


def _forest(delta):
    """Adversarial random forests, of the package arfpy."""

    def fit(train, seed, public):
        from arfpy import arf

        numbers = zoo.numbers(train)
        table = train.astype({c: float if c in numbers else str for c in train})
        fitted = arf.arf(x=table, random_state=seed, delta=delta, verbose=False)
        fitted.forde()

        def sample(rows, number):
            np.random.seed(seed * 1_000 + number)
            drawn = fitted.forge(n=rows)
            return _as(drawn[list(train)], train)

        return sample

    return fit


def _private(model, epsilon, **settings):
    """MST, AIM and PrivBayes, of the package dpmm: a tenth of epsilon for the bins of numbers, the rest for the model.

    With its 5,000 iterations MST takes two minutes for 1,000 people; without a limit of size AIM did not end in two.

    What is public are the categories, and the smallest and the largest number, of the whole table.
    """

    def fit(train, seed, public):
        import dpmm.pipelines

        pipeline = getattr(dpmm.pipelines, f"{model}Pipeline")(
            epsilon=0.9 * epsilon, delta=1e-5, proc_epsilon=0.1 * epsilon, n_jobs=1, **settings
        )
        domain = {
            column: {"lower": float(values.min()), "upper": float(values.max())}
            if pd.api.types.is_numeric_dtype(values)
            else {"categories": sorted(values.dropna().unique())}
            for column, values in public.items()
        }
        pipeline.fit(train, domain=domain, random_state=seed)
        return lambda rows, number: _as(pipeline.generate(rows, random_state=seed * 1_000 + number), train)

    return fit


def _language(epochs):
    """TabularARGN, of the package mostlyai-engine.

    By default it trains on four fifths, and stops when the others are no longer better predicted. With `epochs` it
    trains on all people, who are also those that it is tested on: it goes on while it learns them by heart.
    """

    def fit(train, seed, public):
        from mostlyai import engine

        folder = TemporaryDirectory()
        engine.set_random_state(seed)
        kept_aside = {} if epochs is None else {"trn_val_split": lambda keys: (keys, keys)}
        engine.split(tgt_data=train, workspace_dir=folder.name, **kept_aside)
        engine.analyze(workspace_dir=folder.name)
        engine.encode(workspace_dir=folder.name)
        limits = {} if epochs is None else {"max_epochs": epochs}
        engine.train(workspace_dir=folder.name, device="cpu", **limits)

        def sample(rows, number):
            engine.set_random_state(seed * 1_000 + number)
            engine.generate(workspace_dir=folder.name, sample_size=rows, device="cpu")
            parts = sorted((Path(folder.name) / "SyntheticData").glob("*.parquet"))
            return _as(pd.concat([pd.read_parquet(part) for part in parts], ignore_index=True), train)

        return sample

    return fit


def _diffusion(rounds):
    """TabDDPM, of the package synthcity: a diffusion model, as those of MIDST. A round is a pass over all people."""

    def fit(train, seed, public):
        import torch
        from synthcity.plugins.core.dataloader import GenericDataLoader
        from synthcity.plugins.generic.plugin_ddpm import TabDDPMPlugin

        torch.set_num_threads(1)
        with TemporaryDirectory() as folder:
            plugin = TabDDPMPlugin(n_iter=rounds, random_state=seed, workspace=Path(folder))
            plugin.fit(GenericDataLoader(train))

        def sample(rows, number):
            drawn = plugin.generate(rows, random_state=seed * 1_000 + number).dataframe()
            return _as(drawn[list(train)], train)

        return sample

    return fit


def _as(drawn, train):
    """The types of train: integers stay integers."""
    out = drawn.reset_index(drop=True)
    for column, dtype in train.dtypes.items():
        if pd.api.types.is_integer_dtype(dtype):
            out[column] = pd.to_numeric(out[column]).round().astype("Int64")
        elif pd.api.types.is_float_dtype(dtype):
            out[column] = pd.to_numeric(out[column]).astype(float)
    return out


GENERATORS = (
    Generator("Gaussian copula", _by_draw(zoo.copula)),
    Generator("CART, leaves of 5", _by_draw(zoo.cart(5))),
    Generator("CART, leaves of 1", _by_draw(zoo.cart(1))),
    Generator("SMOTE", _by_draw(zoo.smote)),
    Generator("bootstrap with noise of one deviation", _by_draw(_noise)),
    Generator("adversarial random forest", _forest(0.0), "arfpy"),
    Generator("CTGAN", _ctgan("CTGAN", 300), "ctgan"),
    Generator("TVAE", _ctgan("TVAE", 300), "ctgan"),
    Generator("TVAE, 800 rounds", _ctgan("TVAE", 800), "ctgan"),
    Generator("TabularARGN", _language(None), "mostlyai"),
    Generator("TabularARGN, 200 rounds on all", _language(200), "mostlyai"),
    Generator("TabDDPM", _diffusion(1_000), "synthcity"),
    Generator("TabDDPM, 8,000 rounds", _diffusion(8_000), "synthcity"),
    *(
        Generator(f"{name}, epsilon {epsilon:g}", _private(model, epsilon, **settings), "dpmm", epsilon)
        for name, model, settings in (
            ("MST, 1,000 iterations", "MST", {"gen_kwargs": {"n_iters": 1_000}}),
            ("PrivBayes, 1,000 iterations", "PrivBayes", {"gen_kwargs": {"n_iters": 1_000}}),
            ("AIM of 1 MB, 100 iterations", "AIM", {"max_model_size": 1, "gen_kwargs": {"n_iters": 100}}),
        )
        for epsilon in (0.5, 2.0, 10.0, 100.0)
    ),
)


@contextmanager
def _limited(seconds):
    """Raise TimeoutError when the process has computed for so long, however often it had to wait."""

    def stop(number, frame):
        raise TimeoutError(f"more than {seconds:g} s of the processor")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def made(source, size, split, generator, folder=FOLDER, limit=LIMIT):
    """Write the tables of one generator, unless they are there; return the path of the description.

    Where it fails, the description has the reason as `failed`, and there are no tables.
    """
    name = f"{source}-{size}-{split}-{generator.name}".replace(",", "").replace(" ", "_")
    about = folder / f"{name}.json"
    if about.exists():
        return about
    random = np.random.default_rng([zoo.SEED, split])
    people = zoo.people(source, size, random)
    folder.mkdir(exist_ok=True)
    for side in ("train", "holdout", "others"):
        path = folder / f"{source}-{size}-{split}-{side}.parquet"
        if not path.exists():
            getattr(people, side).to_parquet(path)
    facts = {"source": source, "size": len(people.train), "asked": size, "split": split, "generator": generator.name}
    facts |= {"epsilon": generator.epsilon, "releases": RELEASES, "tables": name, "failed": None}
    start = time.process_time()
    try:
        with warnings.catch_warnings(), _limited(limit):
            warnings.simplefilter("ignore")
            sample = generator.fit(people.train, split, zoo.source(source))
            for number in range(RELEASES):
                sample(len(people.train), number).to_parquet(folder / f"{name}-{number}.parquet")
    except Exception as error:  # one that fails on a table is no reason to leave out all others
        facts["failed"] = f"{type(error).__name__}: {error}".splitlines()[0]
    about.write_text(json.dumps(facts | {"seconds": time.process_time() - start}, indent=2) + "\n")
    return about


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generators", description=__doc__)
    parser.add_argument("--source", nargs="*", default=SOURCES, choices=SOURCES)
    parser.add_argument("--size", nargs="*", type=int, default=SIZES)
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--only", nargs="*", help="generators whose names begin so")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of the processor for each")
    options = parser.parse_args()
    wanted = [
        generator
        for generator in GENERATORS
        if not options.only or generator.name.startswith(tuple(options.only))
        if not generator.needs or find_spec(generator.needs)
    ]
    # All splits of a source at a time: what is finished can be cited, even where the rest never gets done.
    for size, source, split, generator in product(options.size, options.source, range(options.splits), wanted):
        about = made(source, size, split, generator, limit=options.limit)
        failed = json.loads(about.read_text())["failed"]
        print(f"{about.stem}: {failed}" if failed else about.stem, flush=True)


if __name__ == "__main__":
    main()
