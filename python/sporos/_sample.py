# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates points of samplings, and variates."""

from __future__ import annotations

from typing import Any

from ._arguments import Array, Seed, given_texts, plain_text_of, range_text, texts_of, whole_of
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
    """Returns the points of a sampling, or variates computed from them by inversion.

    Parameters
    ----------
    sampling : str
        One of {samplings}.
    points : int
        Number of points.
    dimensions : int
        Number of coordinates of each point; default: 1.
    distribution : str or frozen distribution of scipy.stats, or a list with one for each dimension, optional
        Distribution of the variates, such as "exponential(1.5)", "normal(0, 1)" or ``scipy.stats.norm(0, 1)``. Each
        coordinate u is replaced by the quantile at u. Default: uniform on (0, 1).
    first : int
        Index of the first returned point in the sequence, for samplings without a fixed size; default: 0.
    mapping : str, optional
        Parallelization on a GPU: automatic, thread or warp. It does not change the points. Default: automatic.
    {options}

    Returns
    -------
    array of float64, shape (points, dimensions)
        Uniform numbers in the open interval (0, 1), or variates.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or does not fit the sampling.

    Examples
    --------
    >>> import sporos
    >>> sporos.sample("sobol", 4, 2).shape
    (4, 2)
    >>> bool((sporos.sample("sobol", 8, distribution="exponential(1.5)") > 0).all())
    True
    """
    plain_text_of("sampling", sampling)
    options = given_texts(sample, locals(), "distribution", "first", "primes")
    options |= texts_of({"points": points, "dimensions": dimensions, "primes": range_text("primes", primes)})
    distributions = [] if distribution is None else distribution_texts("distribution", distribution)
    drawn: Array = native(backend).sample(sampling, options, whole_of("first", first), distributions)
    return drawn
