# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The draws of a replication, as models in Python use them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Draws:
    """The draws of one replication, by input variable.

    `replicate(self, draw)` of a model receives them. Each method draws a variate of a distribution for an input; the
    variate is the inverse distribution function at the next random number of that input.

    Examples
    --------
    >>> import sporos
    >>> def baking(draw: sporos.Draws) -> float:
    ...     return draw.exponential("baking", 0.5)
    """

    def __init__(self, native: Any, inputs: Sequence[str], seed: int, replication: int) -> None:
        self._made, self._seed = native.functions.Draws, seed
        self.restart(replication)
        self._places = {name: place for place, name in enumerate(inputs)}

    def restart(self, replication: int) -> None:
        """Continues with the draws of another replication."""
        self._native = self._made(self._seed, replication)

    def random(self, input: str) -> float:
        """Draws a random number in (0, 1)."""
        return float(self._native.random(self._places[input]))

    def uniform(self, input: str, low: float, high: float) -> float:
        """Draws a number between low and high."""
        return float(self._native.uniform(self._places[input], low, high))

    def triangular(self, input: str, low: float, mode: float, high: float) -> float:
        """Draws a triangular variate."""
        return float(self._native.triangular(self._places[input], low, mode, high))

    def exponential(self, input: str, rate: float) -> float:
        """Draws an exponential variate with mean 1 / rate."""
        return float(self._native.exponential(self._places[input], rate))

    def exponential_by_mean(self, input: str, mean: float) -> float:
        """Draws an exponential variate."""
        return float(self._native.exponential_by_mean(self._places[input], mean))

    def weibull(self, input: str, shape: float, scale: float) -> float:
        """Draws a Weibull variate."""
        return float(self._native.weibull(self._places[input], shape, scale))

    def normal(self, input: str, mean: float, deviation: float) -> float:
        """Draws a normal variate."""
        return float(self._native.normal(self._places[input], mean, deviation))

    def lognormal(self, input: str, log_mean: float, log_deviation: float) -> float:
        """Draws e to the power of a normal variate."""
        return float(self._native.lognormal(self._places[input], log_mean, log_deviation))

    def gamma(self, input: str, shape: float, scale: float) -> float:
        """Draws a gamma variate with mean shape * scale."""
        return float(self._native.gamma(self._places[input], shape, scale))

    def gamma_by_rate(self, input: str, shape: float, rate: float) -> float:
        """Draws a gamma variate with mean shape / rate."""
        return float(self._native.gamma_by_rate(self._places[input], shape, rate))

    def erlang(self, input: str, shape: int, rate: float) -> float:
        """Draws an Erlang variate with mean shape / rate."""
        return float(self._native.erlang(self._places[input], shape, rate))

    def beta(self, input: str, alpha: float, beta: float) -> float:
        """Draws a beta variate."""
        return float(self._native.beta(self._places[input], alpha, beta))

    def student(self, input: str, degrees: float, location: float, scale: float) -> float:
        """Draws a variate of Student's distribution."""
        return float(self._native.student(self._places[input], degrees, location, scale))

    def pareto(self, input: str, shape: float, scale: float) -> float:
        """Draws a Pareto variate of at least scale."""
        return float(self._native.pareto(self._places[input], shape, scale))

    def log_logistic(self, input: str, shape: float, scale: float) -> float:
        """Draws a log-logistic variate."""
        return float(self._native.log_logistic(self._places[input], shape, scale))

    def burr(self, input: str, shape: float, tail: float, scale: float) -> float:
        """Draws a Burr XII variate."""
        return float(self._native.burr(self._places[input], shape, tail, scale))

    def johnson_su(self, input: str, gamma: float, delta: float, location: float, scale: float) -> float:
        """Draws a Johnson SU variate."""
        return float(self._native.johnson_su(self._places[input], gamma, delta, location, scale))

    def johnson_sb(self, input: str, gamma: float, delta: float, location: float, scale: float) -> float:
        """Draws a Johnson SB variate."""
        return float(self._native.johnson_sb(self._places[input], gamma, delta, location, scale))

    def truncated_normal(self, input: str, mean: float, deviation: float, low: float, high: float) -> float:
        """Draws a normal variate between low and high."""
        return float(self._native.truncated_normal(self._places[input], mean, deviation, low, high))

    def hyperexponential(self, input: str, probability: float, rate: float, other_rate: float) -> float:
        """Draws an exponential variate with rate with this probability, otherwise with other_rate."""
        return float(self._native.hyperexponential(self._places[input], probability, rate, other_rate))

    def uniform_integer(self, input: str, low: int, high: int) -> int:
        """Draws one of low, ..., high."""
        return int(self._native.uniform_integer(self._places[input], low, high))

    def geometric(self, input: str, probability: float) -> int:
        """Draws the number of failures before the first success."""
        return int(self._native.geometric(self._places[input], probability))

    def poisson(self, input: str, mean: float) -> int:
        """Draws a Poisson variate."""
        return int(self._native.poisson(self._places[input], mean))

    def binomial(self, input: str, trials: int, probability: float) -> int:
        """Draws the number of successes in independent trials."""
        return int(self._native.binomial(self._places[input], trials, probability))

    def negative_binomial(self, input: str, successes: float, probability: float) -> int:
        """Draws the number of failures before a number of successes."""
        return int(self._native.negative_binomial(self._places[input], successes, probability))

    def hypergeometric(self, input: str, population: int, marked: int, drawn: int) -> int:
        """Draws the number of marked members among those drawn from a population."""
        return int(self._native.hypergeometric(self._places[input], population, marked, drawn))
