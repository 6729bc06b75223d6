# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Points of samplings, and variates."""

from __future__ import annotations

from typing import Any

from ._arguments import Array, Seed, plain_text_of, range_text, texts_of, whole_of
from ._backends import native
from ._distributions import distribution_texts
from ._documentation import documented


@documented("sample")
def sample(
    sampling: str,
    points: int,
    dimensions: int = 1,
    *,
    distribution: Any = None,
    first: int = 0,
    set: int | None = None,  # same name as on the command line
    seed: Seed = None,
    engine: str | None = None,
    primes: tuple[int, int] | str | None = None,
    mapping: str | None = None,
    backend: str | None = None,
) -> Array:
    """The points of a sampling, or variates made of them.

    Parameters
    ----------
    sampling : str
        One of {samplings}.
    points : int
        How many.
    dimensions : int
        Coordinates of each.
    distribution : str or frozen distribution of scipy.stats, or a list with one for each dimension, optional
        Such as "exponential(1.5)", "normal(0, 1)" or ``scipy.stats.norm(0, 1)``: each coordinate u becomes the quantile
        at u.
    first : int
        The number of points before those that are wanted, of samplings that go on.
    mapping : str, optional
        thread, warp or automatic; changes no bit of the points.
    {options}

    Returns
    -------
    array, shape (points, dimensions)
        Uniforms in the open interval (0, 1), or variates.

    Examples
    --------
    >>> import sporos
    >>> sporos.sample("sobol", 4, 2).shape
    (4, 2)
    """
    plain_text_of("sampling", sampling)
    options = texts_of(
        {
            "points": points,
            "dimensions": dimensions,
            "set": set,
            "seed": seed,
            "engine": engine,
            "primes": range_text("primes", primes),
            "mapping": mapping,
        }
    )
    distributions = [] if distribution is None else distribution_texts("distribution", distribution)
    drawn: Array = native(backend).sample(sampling, options, whole_of("first", first), distributions)
    return drawn
