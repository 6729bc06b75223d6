# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Analyses of one model: steady state, rare events, variance reduction, sensitivity and input uncertainty."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ._arguments import Seed, is_scalar, numbers, plain_text_of, range_text, shown, text_of, texts_of
from ._backends import native_of
from ._documentation import documented
from ._models import ModelArgument, named_model, options_suggested, parameter_texts
from ._progress import Elapsed, ProgressArgument, Watched
from ._result import Result


def _answer(function: Callable[..., Any], given: Mapping[str, Any], **about: str | list[str]) -> Result:
    """Returns the result of `function`, called with the arguments `given`. Its keywords and `about` are options."""
    keywords = [one.name for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY]
    question = function.__name__
    model, parameters = named_model(given["model"], given["parameters"])
    others = {"backend", "progress", *about}
    options = texts_of({name: given[name] for name in keywords if name not in others})
    options |= {name: text for name, text in about.items() if isinstance(text, str)}
    lists = {name: texts for name, texts in about.items() if isinstance(texts, list)}
    texts_of_parameters = parameter_texts(model, parameters)
    module = native_of(model, question, given["backend"])
    title = f"{question} {model}"
    watched: Watched | Elapsed = Watched(title, given["progress"]) if "progress" in given else Elapsed(title)
    with options_suggested(function), _failed_lines_explained(model), watched as watch:
        return Result(module.answer(question, model, options, lists, texts_of_parameters, watch))


@contextmanager
def _failed_lines_explained(model: str) -> Iterator[None]:
    """Completes errors about states and levels of models in Python that are not numbers."""
    try:
        yield
    except RuntimeError as error:
        found = re.search("(level) of a state is not a number|(key) of a state|of level .* is not a finite number", str(error))
        if not found or not hasattr(model, "definition"):
            raise
        method = "interpret_chain" if found[1] or found[2] else "interpret_level"
        raise RuntimeError(f"{error}; {method} of the model raises the exception of its line, if one fails") from None


@documented("steady_state")
def steady_state(
    model: ModelArgument,
    *,
    method: str | None = None,
    precision: float | None = None,
    relative_precision: float | None = None,
    observations: int | None = None,
    runs: int | None = None,
    response: str | Sequence[str] | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Result:
    """Estimates the means of a model in steady state from long runs.

    Parameters
    ----------
    model : str, Network, dict or class
        Name of a model with a steady state, such as mm1, a network of stations, or a model in Python.
    {options}
    **parameters : number
        The model's parameters; default: the model's defaults.

    Returns
    -------
    Result
        The table "means" has the mean of each response, its interval, the removed warm-up and the number of
        observations. If a response has no interval, the column "no_interval" has the reason.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.

    Examples
    --------
    >>> import sporos
    >>> result = sporos.steady_state("mm1", relative_precision=0.05, seed=1)
    >>> means = result.table("means")
    >>> means["response"][0], bool(means["low"][0] < 1 < means["high"][0]), result.stopped_by
    ('time in queue', True, 'precision')
    """
    for name in ("quantiles", "probabilities", "densities", "histogram"):
        if parameters.get(name) is not None:
            raise TypeError(
                f"steady_state does not support {name}, because its runs store only averages: for the distribution of "
                "waits, use sporos.simulate('network', case=...) and a case with warm_up, wait_quantiles and wait_limits"
            )
    names = [] if response is None else [response] if isinstance(response, str) else list(response)
    return _answer(steady_state, locals(), response=[plain_text_of("response", name) for name in names])


@documented("rare_event")
def rare_event(
    model: ModelArgument,
    event: str,
    *,
    method: str | None = None,
    replications: int | None = None,
    pilot_replications: int | None = None,
    runs: int | None = None,
    chains: int | None = None,
    chain_steps: int | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    **parameters: Any,
) -> Result:
    """Estimates the probability of a rare event.

    Parameters
    ----------
    model : str, Network, dict, class or HostModel
        Name of the model, such as mm1, a network of stations, a model in Python, or one of a Python function.
    event : str
        The event: 'RESPONSE > BOUND' (or <, >=, <=), or 'LEVEL >= BOUND' for a level of the model's chain.
    {options}
    **parameters : number
        The model's parameters; default: the model's defaults.

    Returns
    -------
    Result
        The table "probabilities" has the probability, its interval and the exact value, if it is known.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If the time limit is reached before there is an estimate.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.rare_event("mm1", "number in system >= 20", chains=200, seed=1).table()
    >>> bool(found["low"][0] < found["exact"][0] < found["high"][0])
    True
    """
    return _answer(rare_event, locals(), event=plain_text_of("event", event))


@documented("multilevel")
def multilevel(
    model: ModelArgument,
    response: str,
    *,
    rmse: float | None = None,
    sampling: str | None = None,
    randomizations: int | None = None,
    level_rate: float | None = None,
    max_levels: int | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    **parameters: Any,
) -> Result:
    """Estimates the limit of a mean response over levels of refinement, by multilevel Monte Carlo.

    Parameters
    ----------
    model : str or class
        Name of a model with levels, such as call-options, or a model in Python.
    response : str
        Name of the response.
    {options}
    **parameters : number
        The model's parameters; default: the model's defaults.

    Returns
    -------
    Result
        The table "means" has the mean, its interval and the bias of the finest level; "levels" describes the levels.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If the time limit is reached before there is an estimate, or if the model has too few levels.

    Examples
    --------
    >>> import sporos
    >>> result = sporos.multilevel("call-options", "European call", rmse=0.1, seed=1)
    >>> bool(abs(result.table()["mean"][0] - result.table()["exact"][0]) < 0.5), result.stopped_by
    (True, 'precision')
    """
    return _answer(multilevel, locals(), response=plain_text_of("response", response))


@documented("stratify")
def stratify(
    model: ModelArgument,
    input: str | int,
    strata: int,
    *,
    neyman: str | None = None,
    pilot_replications: int | None = None,
    replications: int | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    **parameters: Any,
) -> Result:
    """Estimates the mean responses of a model by stratification of the first draw of an input variable.

    Parameters
    ----------
    model : str, Network, dict or class
        Name of the model, a network of stations, or a model in Python.
    input : str or int
        Name of the input variable, or its number, counted from 1.
    strata : int
        Number of equally likely strata.
    {options}
    **parameters : number
        The model's parameters; default: the model's defaults.

    Returns
    -------
    Result
        The table "means" has the means, their half-widths, and the variance of plain replications divided by that of
        stratified ones ("variance_ratio"); "strata" describes each stratum.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If the time limit is reached before each stratum has two replications.

    Examples
    --------
    >>> import sporos
    >>> result = sporos.stratify("pi", 1, 64, draws=1, replications=6400, seed=1)
    >>> bool(result.table("means")["variance_ratio"][0] > 1.2), len(result.table("strata").rows())
    (True, 64)
    """
    return _answer(stratify, locals(), strata=f"{_input_text_of(model, input)}:{text_of('strata', strata)}")


def _input_text_of(model: ModelArgument, input: Any) -> str:
    """Returns the name of an input variable, or its number. An input of a model in Python has a number."""
    names = model._definition.inputs if hasattr(model, "_definition") else ()
    if isinstance(input, str) and names and not input.isdecimal():
        if input not in names:
            raise ValueError(f"input is {shown(input)}, expected one of {', '.join(names)}")
        return str(names.index(input) + 1)
    return text_of("input", input)


@documented("array_rqmc")
def array_rqmc(
    model: ModelArgument,
    steps: int,
    *,
    chains: int | None = None,
    randomizations: int | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    **parameters: Any,
) -> Result:
    """Estimates the mean response of a model's Markov chain after a number of steps, by array-RQMC.

    Parameters
    ----------
    model : str or class
        Name of a model with a Markov chain, such as mm1, or a model in Python.
    steps : int
        Number of steps of the chain.
    {options}
    **parameters : number
        The model's parameters; default: the model's defaults.

    Returns
    -------
    Result
        The table "means" has the mean and its half-width; "randomizations" has the independent estimates.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If the time limit is reached before two randomizations are complete.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.array_rqmc("mm1", 1, chains=256, seed=1).table()
    >>> bool(abs(found["mean"][0] - 1 / 3) < 2 * found["half_width"][0])
    True
    """
    return _answer(array_rqmc, locals(), chain_steps=text_of("steps", steps))


@documented("sensitivity")
def sensitivity(
    model: ModelArgument,
    uncertain: Mapping[str, Any],
    *,
    base_points: int | None = None,
    base_sampling: str | None = None,
    replications: int | None = None,
    sampling: str | None = None,
    engine: str | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    **parameters: Any,
) -> Result:
    """Estimates Sobol's indices: the fraction of each response's variance due to each uncertain parameter.

    Parameters
    ----------
    model : str, Network, dict, class or HostModel
        Name of the model, a network of stations, a model in Python, or one of a Python function.
    uncertain : dict
        Distributions of the uncertain parameters: a pair (low, high) for a uniform distribution, or a string such as
        'normal(1, 0.1)'.
    {options}
    **parameters : number
        The model's other parameters; default: the model's defaults.

    Returns
    -------
    Result
        The table "indices" has the first-order index and the total index of each parameter; "means" has the means.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If the time limit is reached before each design point has two observations.

    Examples
    --------
    >>> import sporos
    >>> uncertain = dict(arrival_rate=(0.3, 0.7), service_rate="uniform(0.5, 1.5)")
    >>> found = sporos.sensitivity("mm1", uncertain, customers=1, base_points=256, seed=1).table("indices")
    >>> rows_of_stay = [row for row in found.rows() if row["response"] == "time in system"]
    >>> [(row["parameter"], round(row["total"])) for row in rows_of_stay]
    [('arrival_rate', 0), ('service_rate', 1)]
    """
    texts = [f"{name}={range_text(name, value)}" for name, value in uncertain.items()]
    return _answer(sensitivity, locals(), uncertain=texts)


@documented("input_uncertainty")
def input_uncertainty(
    model: ModelArgument,
    inputs: Mapping[str, Any],
    *,
    outer_samples: int | None = None,
    input_sampling: str | None = None,
    replications: int | None = None,
    sampling: str | None = None,
    engine: str | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    **parameters: Any,
) -> Result:
    """Estimates means with intervals that include the uncertainty of parameters estimated from data.

    Parameters
    ----------
    model : str, Network, dict, class or HostModel
        Name of the model, a network of stations, a model in Python, or one of a Python function.
    inputs : dict
        The estimated parameters: a pair of a statistic and observations, such as ('rate', times), or a string with a
        file name, such as 'rate(times.csv)'.
    {options}
    **parameters : number
        The model's other parameters; default: the model's defaults.

    Returns
    -------
    Result
        The table "means" has the means, their intervals, and the contributions of inputs and simulation. With several
        inputs, "indices" has the contribution of each.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If the time limit is reached before each design point has two observations.

    Examples
    --------
    >>> import sporos
    >>> inputs = dict(service_rate=("rate", 100 * [1.0, 3.0]))
    >>> found = sporos.input_uncertainty("mm1", inputs, customers=1, outer_samples=400, seed=1).table("means")
    >>> bool(found["low"][1] < 2 < found["high"][1])
    True
    """
    with TemporaryDirectory(prefix="sporos-") as folder:
        texts = [f"{name}={_input_text(name, value, Path(folder))}" for name, value in inputs.items()]
        return _answer(input_uncertainty, locals(), input=texts)


def _input_text(name: str, value: Any, folder: Path) -> str:
    """Returns STATISTIC(FILE) for a string or a pair of statistic and observations, which are written to `folder`."""
    if isinstance(value, str):
        return value
    if is_scalar(value) or len(value) != 2:
        raise TypeError(f"{name} is {shown(value)}, expected a pair of a statistic and observations, or a string")
    statistic, observations = value
    path = folder / f"{name}.csv"
    rows = "".join(f"{float(one)!r}\n" for one in numbers(name, observations, None))
    path.write_text(f"{name}\n{rows}")
    return f"{plain_text_of(name, statistic)}({path})"
