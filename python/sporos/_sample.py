# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Points of samplings, and variates."""

from __future__ import annotations

from collections.abc import Sequence

from ._arguments import Array, range_text, texts_of
from ._backends import native


def sample(
    sampling: str,
    points: int,
    dimensions: int = 1,
    *,
    distribution: str | Sequence[str] | None = None,
    first: int = 0,
    set: int | None = None,  # as the command line calls it
    seed: int | None = None,
    engine: str | None = None,
    primes: tuple[int, int] | str | None = None,
    mapping: str | None = None,
    backend: str | None = None,
) -> Array:
    """The points of a sampling, points × dimensions, each coordinate in (0, 1); or variates made of them.

    `sampling` is random, antithetic, descriptive, sobol, halton …, as `sporos sample` has them. Sets 0, 1, 2, … are
    independent randomizations under a `seed`. `first` is the number of points before those that are wanted, of samplings
    that go on. A `distribution`, such as "exponential(1.5)" or "normal(0, 1)", or one for each dimension, makes each
    coordinate u the quantile at u.

    >>> import sporos
    >>> sporos.sample("sobol", 4, 2).shape
    (4, 2)
    """
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
    distributions = [distribution] if isinstance(distribution, str) else list(distribution or ())
    drawn: Array = native(backend).sample(sampling, options, first, distributions)
    return drawn
