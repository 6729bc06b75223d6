# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts distributions to the strings of the command line; they may be frozen distributions of scipy.stats."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arguments import is_scalar, shown, values_of


@dataclass(frozen=True)
class _Family:
    """A distribution of Sporos that corresponds to one of scipy.stats."""

    name: str
    parameters: Callable[..., tuple[float, ...]]  # function of SciPy's shapes, loc and scale
    only_loc: float | None = None  # the only loc that Sporos supports, unless it supports any
    only_scale: float | None = None  # the only scale that Sporos supports, unless it supports any


_families = {
    "norm": _Family("normal", lambda loc, scale: (loc, scale)),
    "uniform": _Family("uniform", lambda loc, scale: (loc, loc + scale)),
    "triang": _Family("triangular", lambda c, loc, scale: (loc, loc + c * scale, loc + scale)),
    "expon": _Family("exponential", lambda loc, scale: (1 / scale,), 0),
    "gamma": _Family("gamma", lambda a, loc, scale: (a, scale), 0),
    "erlang": _Family("gamma", lambda a, loc, scale: (a, scale), 0),
    "chi2": _Family("gamma", lambda df, loc, scale: (df / 2, 2 * scale), 0),
    "weibull_min": _Family("weibull", lambda c, loc, scale: (c, scale), 0),
    "lognorm": _Family("lognormal", lambda s, loc, scale: (math.log(scale), s), 0),
    "randint": _Family("uniform-integer", lambda low, high, loc, scale: (low + loc, high + loc - 1)),
    "poisson": _Family("poisson", lambda mu, loc, scale: (mu,), 0),
    "geom": _Family("geometric", lambda p, loc, scale: (p,), -1),  # SciPy counts from 1
    "beta": _Family("beta", lambda a, b, loc, scale: (a, b), 0, 1),
    "t": _Family("student", lambda df, loc, scale: (df, loc, scale)),
    "pareto": _Family("pareto", lambda b, loc, scale: (b, scale), 0),
    "fisk": _Family("log-logistic", lambda c, loc, scale: (c, scale), 0),
    "burr12": _Family("burr", lambda c, d, loc, scale: (c, d, scale), 0),
    "johnsonsu": _Family("johnson-su", lambda a, b, loc, scale: (a, b, loc, scale)),
    "johnsonsb": _Family("johnson-sb", lambda a, b, loc, scale: (a, b, loc, scale)),
    "truncnorm": _Family("truncated-normal", lambda a, b, loc, scale: (loc, scale, loc + a * scale, loc + b * scale)),
    "binom": _Family("binomial", lambda n, p, loc, scale: (n, p), 0),
    "nbinom": _Family("negative-binomial", lambda n, p, loc, scale: (n, p), 0),
    "hypergeom": _Family("hypergeometric", lambda M, n, N, loc, scale: (M, n, N), 0),
}


def distribution_text(name: str, value: Any) -> str:
    """Returns a string such as "normal(0, 1)" for a string or a frozen distribution of scipy.stats.

    Raises ValueError, with the reason, if Sporos has no distribution that corresponds to a frozen one.
    """
    if isinstance(value, str):
        return value
    if not all(hasattr(value, attribute) for attribute in ("dist", "args", "kwds")):
        expected = "a string such as 'normal(0, 1)' or a frozen distribution such as scipy.stats.norm(0, 1)"
        raise TypeError(f"{name} is {shown(value)}, expected {expected}")
    shapes, loc, scale = value.dist._parse_args(*value.args, **value.kwds)
    parameters = (*shapes, loc, scale)
    if any(np.ndim(parameter) > 0 for parameter in parameters):
        raise ValueError(f"{name} has arrays as parameters, expected numbers: give a list of distributions")
    if hasattr(value.dist, "xk"):
        pairs = zip(np.ravel(value.dist.xk), np.ravel(value.dist.pk))
        return "discrete(" + ", ".join(f"{float(x + loc)!r}:{float(p)!r}" for x, p in pairs) + ")"
    called = f"scipy.stats.{value.dist.name}"
    family = _families.get(value.dist.name)
    if family is None:
        raise ValueError(f"{name} is {called}, which Sporos does not support: expected one of "
                         f"{', '.join(_families)}, or rv_discrete with values")
    if family.only_loc not in (None, loc):
        raise ValueError(f"{name} is {called} with loc {float(loc)!r}, expected loc {family.only_loc}: Sporos does not "
                         f"shift {family.name} distributions")
    if family.only_scale not in (None, scale):
        raise ValueError(f"{name} is {called} with scale {float(scale)!r}, expected scale {family.only_scale}: Sporos does "
                         f"not scale {family.name} distributions")
    if not scale > 0:
        raise ValueError(f"{name} is {called} with scale {float(scale)!r}, expected a positive number")
    return f"{family.name}({', '.join(repr(float(number)) for number in family.parameters(*parameters))})"


def is_distribution(value: Any) -> bool:
    """Returns whether a value is a string or a frozen distribution rather than a number."""
    return isinstance(value, str) or hasattr(value, "dist")


def distribution_texts(name: str, values: Any) -> list[str]:
    """Returns the strings for one distribution or a list of distributions."""
    if is_scalar(values):
        return [distribution_text(name, values)]
    return [distribution_text(f"{name}[{i}]", value) for i, value in enumerate(values_of(name, values))]
