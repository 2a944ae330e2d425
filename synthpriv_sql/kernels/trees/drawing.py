"""Random numbers inside compiled functions: the state is one number of 64 bits (SplitMix64, Steele et al. 2014)."""

from typing import Any

from numba import uint64

from synthpriv_sql.kernels.jit import I64, U64, inner

_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@inner
def uniform(state: U64) -> Any:
    """A number from 0 to below 1, of 53 bits."""
    state[0] += uint64(_STEP)
    bits = state[0]
    bits = (bits ^ (bits >> uint64(30))) * uint64(_FIRST)
    bits = (bits ^ (bits >> uint64(27))) * uint64(_SECOND)
    return float((bits ^ (bits >> uint64(31))) >> uint64(11)) * (1.0 / 9007199254740992.0)


@inner
def draw(items: I64, place: int, state: U64) -> Any:
    """Exchange the item at a place with a random one from there on, and return it."""
    other = place + int(uniform(state) * (len(items) - place))
    found = items[other]
    items[other] = items[place]
    items[place] = found
    return found
