"""Other tools on the same tables. Each returns its seconds and the sum of the distances found."""

import importlib.metadata
import time

import numpy as np
import pandas as pd
import pyarrow as pa

PACKAGES = ("faiss-cpu", "scikit-learn", "sdmetrics", "syntheval", "gower", "splink")


def versions():
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = None
    return found


def one_hot(queries, reference):
    """float32 tables whose squared euclidean distance is ours: numbers over the standard deviation of the
    reference, a differing category 1. Missing numbers are 0 here, with a column of their own."""
    parts = []
    for name in reference.columns:
        a, b = queries[name], reference[name]
        if pd.api.types.is_numeric_dtype(b):
            spread = b.std(ddof=0) or 1.0
            parts.append([((c - b.mean()) / spread).fillna(0).to_numpy(np.float32)[:, None] for c in (a, b)])
            if a.isna().any() or b.isna().any():
                parts.append([c.isna().to_numpy(np.float32)[:, None] for c in (a, b)])
        else:
            codes, _ = pd.factorize(pd.concat([a, b]), use_na_sentinel=False)
            width = codes.max() + 1
            hot = np.zeros((len(codes), width), np.float32)
            hot[np.arange(len(codes)), codes] = np.sqrt(0.5)
            parts.append(np.split(hot, [len(a)]))
    return [np.ascontiguousarray(np.hstack([part[side] for part in parts])) for side in (0, 1)]


def vectors(queries, reference):
    """float32 tables of the vectors of the only column, scaled by the root of the sum of component variances."""
    a, b = (np.stack(frame.iloc[:, 0]).astype(np.float64) for frame in (queries, reference))
    scale = np.sqrt(b.var(axis=0).sum())
    return [np.ascontiguousarray(side / scale, np.float32) for side in (a, b)]


def faiss_vectors(queries, reference, k, threads):
    return faiss_flat(queries, reference, k, threads, vectors)


def faiss_flat(queries, reference, k, threads, prepare=one_hot):
    import faiss

    faiss.omp_set_num_threads(threads)
    a, b = prepare(queries, reference)

    def run():
        start = time.perf_counter()
        index = faiss.IndexFlatL2(b.shape[1])
        index.add(b)
        squares, _ = index.search(a, k)
        seconds = time.perf_counter() - start
        return seconds, float(np.sqrt(np.maximum(squares, 0, dtype=np.float64)).sum())

    return run


def faiss_in_tables(connection, k, threads):
    """The same for numbers only, from tables in the database to a table in the database, like this package."""
    import faiss

    faiss.omp_set_num_threads(threads)

    def numbers(table):
        return np.column_stack(list(connection.execute(f"FROM {table}").fetchnumpy().values()))

    def run():
        start = time.perf_counter()
        queries, reference = numbers("queries"), numbers("reference")
        center, spread = reference.mean(axis=0), reference.std(axis=0)
        a, b = (((table - center) / spread).astype(np.float32) for table in (queries, reference))
        index = faiss.IndexFlatL2(b.shape[1])
        index.add(b)
        squares, found = index.search(a, k)
        distances = np.sqrt(np.maximum(squares, 0, dtype=np.float64))
        columns = {"record": np.repeat(np.arange(len(a)), k), "neighbor": found.ravel(), "distance": distances.ravel()}
        connection.register("found", pa.table(columns))
        connection.execute("CREATE OR REPLACE TABLE peer AS FROM found")
        seconds = time.perf_counter() - start
        return seconds, float(distances.sum())

    return run


def sklearn_neighbors(queries, reference, k, threads):
    from sklearn.neighbors import NearestNeighbors

    a, b = one_hot(queries, reference)

    def run():
        start = time.perf_counter()
        distances, _ = NearestNeighbors(n_neighbors=k, n_jobs=threads).fit(b).kneighbors(a)
        return time.perf_counter() - start, float(distances.sum())

    return run


def sdmetrics_dcr(queries, reference, _k, _threads):
    from sdmetrics.single_table.privacy.dcr_utils import calculate_dcr

    numeric = {n for n in reference.columns if pd.api.types.is_numeric_dtype(reference[n])}
    metadata = {"columns": {n: {"sdtype": "numerical" if n in numeric else "categorical"} for n in reference.columns}}

    def run():
        start = time.perf_counter()
        distances = calculate_dcr(queries, reference, metadata)
        return time.perf_counter() - start, float(distances.sum())

    return run


def syntheval_gower(queries, reference, _k, _threads):
    from syntheval.utils.nn_distance import _knn_distance

    # As SynthEval prepares a table: categories as numbers, numbers scaled to [0, 1].
    both = pd.concat([queries, reference], ignore_index=True)
    texts = [n for n in both.columns if not pd.api.types.is_numeric_dtype(both[n])]
    for name in both.columns:
        if name in texts:
            both[name] = pd.factorize(both[name], use_na_sentinel=False)[0]
        else:
            low, high = reference[name].min(), reference[name].max()
            both[name] = (both[name] - low) / ((high - low) or 1)
    a, b = both.iloc[: len(queries)], both.iloc[len(queries) :]

    def run():
        start = time.perf_counter()
        (distances,) = _knn_distance(a, b, texts, 1, "gower")
        return time.perf_counter() - start, float(np.sum(distances))

    return run


def gower_package(queries, reference, _k, _threads):
    import gower

    texts = [not pd.api.types.is_numeric_dtype(reference[n]) for n in reference.columns]

    def run():
        start = time.perf_counter()
        matrix = gower.gower_matrix(queries, reference, cat_features=texts)
        return time.perf_counter() - start, float(matrix.min(axis=1).sum())

    return run
