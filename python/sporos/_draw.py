# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The random numbers of a replication, as models in Python and models of Python functions use them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arguments import shown
from ._backends import native

MOST_INPUTS = 64
"""Largest number of input variables, as in python/bind_draws.cpp."""


class Draw:
    """The random numbers of one replication, by input variable.

    A model in Python and a function of `host_model` receive it. `draw("service")` is the next random number of the
    input "service", between 0 and 1. Each method takes the name of an input and draws a variate: the inverse
    distribution function at the next random number of that input.

    The numbers have the bits of compiled models. They depend only on the seed, the replication, the place of the input
    among the model's inputs, and the number of earlier draws from this input.

    Parameters
    ----------
    inputs : sequence of str
        Names of the input variables, at most 64.
    seed : int
        Seed of the random numbers.
    replication : int
        Number of the replication, from 0.

    Examples
    --------
    >>> import sporos
    >>> draw = sporos.Draw(["arrival", "service"], seed=1, replication=47)
    >>> 0 < draw("service") < 1, draw.exponential("arrival", rate=0.5) > 0
    (True, True)
    """

    def __init__(self, inputs: Sequence[str], seed: int, replication: int) -> None:
        self._places = {name: place for place, name in enumerate(inputs)}
        if len(self._places) > MOST_INPUTS:
            raise ValueError(f"there are {len(self._places)} inputs, expected at most {MOST_INPUTS}")
        self._seed: int | None = seed
        self._restart(replication)

    @classmethod
    def _of_kernel(cls, inputs: Sequence[str], draws: Any) -> Draw:
        """Returns the draws of a replication that a kernel runs, whose seed and number are unknown."""
        made = cls.__new__(cls)
        made._places = {name: place for place, name in enumerate(inputs)}
        made._seed, made._replication, made._native = None, None, draws
        return made

    def _restart(self, replication: int) -> None:
        """Continues with the draws of another replication, as long runs do."""
        self._native = native().functions.Draws(self._seed, replication)
        self._replication: int | None = replication

    def _variate(self, distribution: str, input: str, *parameters: float) -> float:
        place = self._places.get(input)
        if place is None:
            known = ", ".join(self._places) or "none"
            raise ValueError(f"draw from {shown(input)}, expected an input of the model: {known}")
        try:
            drawn: float = getattr(self._native, distribution)(place, *parameters)
        except TypeError:
            given = ", ".join(shown(one) for one in parameters)
            raise TypeError(
                f"{distribution} of {input} has the parameters {given}: expected numbers, and whole numbers for counts"
            ) from None
        return drawn

    def _count(self, distribution: str, input: str, *parameters: float) -> int:
        return int(self._variate(distribution, input, *parameters))

    def __call__(self, input: str) -> float:
        """Draws a random number in (0, 1), as `random` does."""
        return self._variate("random", input)

    def random(self, input: str) -> float:
        """Draws a random number in (0, 1)."""
        return self._variate("random", input)

    def uniform(self, input: str, low: float, high: float) -> float:
        """Draws a number between low and high."""
        return self._variate("uniform", input, low, high)

    def triangular(self, input: str, low: float, mode: float, high: float) -> float:
        """Draws a triangular variate."""
        return self._variate("triangular", input, low, mode, high)

    def exponential(self, input: str, rate: float = 1.0) -> float:
        """Draws an exponential variate with mean 1 / rate."""
        return self._variate("exponential", input, rate)

    def exponential_by_mean(self, input: str, mean: float) -> float:
        """Draws an exponential variate."""
        return self._variate("exponential_by_mean", input, mean)

    def weibull(self, input: str, shape: float, scale: float) -> float:
        """Draws a Weibull variate."""
        return self._variate("weibull", input, shape, scale)

    def normal(self, input: str, mean: float = 0.0, deviation: float = 1.0) -> float:
        """Draws a normal variate."""
        return self._variate("normal", input, mean, deviation)

    def lognormal(self, input: str, log_mean: float, log_deviation: float) -> float:
        """Draws e to the power of a normal variate."""
        return self._variate("lognormal", input, log_mean, log_deviation)

    def gamma(self, input: str, shape: float, scale: float) -> float:
        """Draws a gamma variate with mean shape * scale."""
        return self._variate("gamma", input, shape, scale)

    def gamma_by_rate(self, input: str, shape: float, rate: float) -> float:
        """Draws a gamma variate with mean shape / rate."""
        return self._variate("gamma_by_rate", input, shape, rate)

    def erlang(self, input: str, shape: int, rate: float) -> float:
        """Draws an Erlang variate with mean shape / rate."""
        return self._variate("erlang", input, shape, rate)

    def beta(self, input: str, alpha: float, beta: float) -> float:
        """Draws a beta variate."""
        return self._variate("beta", input, alpha, beta)

    def student(self, input: str, degrees: float, location: float, scale: float) -> float:
        """Draws a variate of Student's distribution."""
        return self._variate("student", input, degrees, location, scale)

    def pareto(self, input: str, shape: float, scale: float) -> float:
        """Draws a Pareto variate of at least scale."""
        return self._variate("pareto", input, shape, scale)

    def log_logistic(self, input: str, shape: float, scale: float) -> float:
        """Draws a log-logistic variate."""
        return self._variate("log_logistic", input, shape, scale)

    def burr(self, input: str, shape: float, tail: float, scale: float) -> float:
        """Draws a Burr XII variate."""
        return self._variate("burr", input, shape, tail, scale)

    def johnson_su(self, input: str, gamma: float, delta: float, location: float, scale: float) -> float:
        """Draws a Johnson SU variate."""
        return self._variate("johnson_su", input, gamma, delta, location, scale)

    def johnson_sb(self, input: str, gamma: float, delta: float, location: float, scale: float) -> float:
        """Draws a Johnson SB variate."""
        return self._variate("johnson_sb", input, gamma, delta, location, scale)

    def truncated_normal(self, input: str, mean: float, deviation: float, low: float, high: float) -> float:
        """Draws a normal variate between low and high."""
        return self._variate("truncated_normal", input, mean, deviation, low, high)

    def hyperexponential(self, input: str, probability: float, rate: float, other_rate: float) -> float:
        """Draws an exponential variate with rate with this probability, otherwise with other_rate."""
        return self._variate("hyperexponential", input, probability, rate, other_rate)

    def uniform_integer(self, input: str, low: int, high: int) -> int:
        """Draws one of low, ..., high."""
        return self._count("uniform_integer", input, low, high)

    def geometric(self, input: str, probability: float) -> int:
        """Draws the number of failures before the first success."""
        return self._count("geometric", input, probability)

    def poisson(self, input: str, mean: float) -> int:
        """Draws a Poisson variate."""
        return self._count("poisson", input, mean)

    def binomial(self, input: str, trials: int, probability: float) -> int:
        """Draws the number of successes in independent trials."""
        return self._count("binomial", input, trials, probability)

    def negative_binomial(self, input: str, successes: float, probability: float) -> int:
        """Draws the number of failures before a number of successes."""
        return self._count("negative_binomial", input, successes, probability)

    def hypergeometric(self, input: str, population: int, marked: int, drawn: int) -> int:
        """Draws the number of marked members among those drawn from a population."""
        return self._count("hypergeometric", input, population, marked, drawn)

    def of(self, input: str, distribution: Any) -> float:
        """Draws a variate of a distribution of SciPy, or any object with a method `ppf`. Only `host_model` offers it.

        The variate has the bits of that object, which may depend on the machine.
        """
        return float(distribution.ppf(self(input)))

    @property
    def replication(self) -> int:
        """The number of the replication, from 0. Only `simulate` and `Draw` know it."""
        return self._known("replication", self._replication)

    @property
    def generator(self) -> np.random.Generator:
        """A NumPy generator for random numbers that do not belong to an input. It restarts at each access.

        Only `simulate` and `Draw` offer it.
        """
        return np.random.default_rng([self._known("generator", self._seed), self.replication])

    def _known(self, name: str, number: int | None) -> int:
        if number is None:
            raise RuntimeError(f"draw.{name} exists only in sporos.simulate: take random numbers from an input, draw('input')")
        return number
