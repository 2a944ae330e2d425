"""Quantiles of distributions for which SQL has no function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

BETA_SQL = "DOUBLE"


def beta(share: Any, a: Any, b: Any) -> Any:
    """``synthpriv_beta_quantile(share, a, b)``: the quantile of beta distributions.

    Parameters
    ----------
    share
        Arrow array of doubles from 0 to 1: the probability below the quantile.
    a, b
        Arrow arrays of doubles above 0: the parameters of each distribution.

    Returns
    -------
    pyarrow.Array
        Doubles from 0 to 1; null if any argument is null.
    """
    from scipy.special import betaincinv  # slow to import, and rarely needed

    columns = [pa.table([column], ["x"])["x"].combine_chunks() for column in (share, a, b)]
    x = betaincinv(*(columns[i].to_numpy(zero_copy_only=False) for i in (1, 2, 0)))
    return pa.array(x, pa.float64(), mask=np.isnan(x))
