# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experiments: models in replications."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from typing import Any

from ._arguments import (
    Seed, is_scalar, plain_text_of, range_text, shown, switch_of, text_of, texts_of, values_of, whole_of
)
from ._backends import native
from ._design import design_texts
from ._documentation import documented
from ._experiment import Experiment
from ._models import models, options_suggested, parameter_texts
from ._progress import ProgressArgument, Watched


def _list_text(name: str, value: Any) -> str:
    if is_scalar(value):
        return text_of(name, value)
    return ",".join(text_of(f"{name}[{i}]", one) for i, one in enumerate(values_of(name, value)))


def _width(name: str, value: float | None) -> float | None:
    if value is not None and (not isinstance(value, (int, float)) or not 0 < value < math.inf):
        raise ValueError(f"{name} is {shown(value)}, expected a positive number")
    return value


def _texts(name: str, value: Any) -> list[str]:
    """The texts of an option that may be given several times."""
    texts = [] if value is None else [value] if is_scalar(value) else list(value)
    return [plain_text_of(name, text) for text in texts]


def _path(name: str, value: Any) -> str:
    path = text_of(name, value) if isinstance(value, os.PathLike) else plain_text_of(name, value)
    if not path:
        raise ValueError(f"{name} is empty, expected the name of a file")
    return path


def _on(name: str, value: bool | None) -> str | None:
    return "on" if value is not None and switch_of(name, value) else None


def _name_of_cost(model: str) -> str:
    return "point_cost" if "cost" in _names_of_parameters(model) else "cost"


def _names_of_parameters(model: str) -> list[str]:
    return [parameter.name for one in models() if one.name == model for parameter in one.parameters]


@documented("simulate")
def simulate(
    model: str,
    *,
    design: Any = None,
    replications: int | None = None,
    precision: float | None = None,
    relative_precision: float | None = None,
    max_replications: int | None = None,
    batch: int | None = None,
    time_limit: float | None = None,
    seed: Seed = None,
    engine: str | None = None,
    sampling: str | None = None,
    run_length: int | None = None,
    sample_size: int | None = None,
    primes: tuple[int, int] | str | None = None,
    sub_runs: str | None = None,
    mapping: str | None = None,
    confidence: float | None = None,
    common_random_numbers: bool | None = None,
    covariances: bool | None = None,
    backend: str | None = None,
    outputs: bool = False,
    quantiles: Any = None,
    quantile_precision: float | None = None,
    relative_quantile_precision: float | None = None,
    probabilities: Any = None,
    simultaneous: str | None = None,
    compare: str | None = None,
    compare_with: str | None = None,
    control_variates: bool | None = None,
    conditional: bool | None = None,
    largest: str | None = None,
    smallest: str | None = None,
    require: str | Sequence[str] | None = None,
    point_cost: str | None = None,
    histogram: str | Sequence[str] | None = None,
    density: str | Sequence[str] | None = None,
    report: str | os.PathLike[str] | None = None,
    picture: str | os.PathLike[str] | None = None,
    timeline: str | os.PathLike[str] | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Experiment:
    """Runs replications of a model and estimates the expectations of its responses.

    Parameters
    ----------
    model : str
        The model's name, as `sporos.models()` lists it.
    design : list of dict, dict of columns, pandas.DataFrame or array, optional
        A design point for each row; what it does not name is as usual. An array has a column for each of the model's
        parameters, in their order.
    {options}
    outputs : bool
        Whether to keep what every replication gave.
    quantiles : float or list of float, optional
        Probabilities of quantiles of each response of single replications, which the estimates then hold.
    quantile_precision, relative_quantile_precision : float, optional
        Go on until every quantile's interval is at most twice as wide as that, or as that times the quantile, and give up
        after `replications`; default: 1000000.
    probabilities : str or list of str, optional
        Events such as "time in system > 3", whose probabilities in a replication the points then hold.
    simultaneous : str, optional
        "bonferroni" or "max-t": intervals of all means, and of all differences, that hold together with the confidence.
    compare : str, optional
        A response: the table "differences" then says how the design points differ in its mean.
    compare_with : str, optional
        With "all" others, the "first" point, or the one of the others that has the "largest" or "smallest" mean.
    control_variates : bool, optional
        Whether to correct the means by what the model's inputs are known to have as means (`controlled` of an estimate).
    conditional : bool, optional
        Whether to replace the responses by their expectations given a part of what is drawn, which some models know.
    largest, smallest : str, optional
        A response: the table "best" then has the probability of each design point that its mean is the best.
    require : str or list of str, optional
        Requirements such as "time in queue < 2": the table "requirements" then says which design points meet them.
    point_cost : str, optional
        With `require`, an expression of parameters and responses: the cheapest of the points come first.
    histogram, density : str or list of str, optional
        "RESPONSE=LOW:HIGH:NUMBER": the tables "histograms" and "densities", with so many bins or points.
    report : path, optional
        Writes the results there as one page of HTML. It requires gnuplot.
    picture, timeline : path, optional
        Draws a network of stations with its results, or the numbers at its stations in replication 0. They require
        gnuplot.
    **parameters : number, str, dict, or list of them
        The model's parameters, as below. Of several values (a list, an array, a pandas.Series, or a text such as
        "0.1:0.9:0.2") each makes a design point, crossed with those of other parameters, the last changing fastest.
        A text may name a file; a case is one, or a dictionary of what it would hold, whose members are parameters by
        their paths: ``**{'stations.triage.servers': [2, 3]}``.

    Returns
    -------
    Experiment
        A `Result`, whose first table is "means", with `mean`, `half_width`, `interval`, `standard_error` and `exact` as
        arrays over the responses, or design points × responses.

    Raises
    ------
    ValueError, TypeError
        For what cannot be carried out, in one sentence.
    MemoryError
        For what does not fit into the memory of host or device.

    Notes
    -----
    The options are those of the command line, and None leaves to them what is usual there. Replications are as many as
    `replications` says, or until every half-width is at most `precision`, or `relative_precision` times its mean.
    Ctrl-C raises KeyboardInterrupt after the launch under way. The models and their parameters:

    {models}

    Examples
    --------
    >>> import sporos
    >>> result = sporos.simulate("pi", replications=100)
    >>> result["pi"].exact
    3.141592653589793
    """
    options = texts_of(
        {
            "replications": replications,
            "precision": precision,
            "relative_precision": relative_precision,
            "max_replications": max_replications,
            "batch": batch,
            "time_limit": time_limit,
            "seed": seed,
            "engine": engine,
            "sampling": sampling,
            "run_length": run_length,
            "sample_size": sample_size,
            "primes": range_text("primes", primes),
            "sub_runs": sub_runs,
            "mapping": mapping,
            "confidence": confidence,
            "common_random_numbers": common_random_numbers,
            "covariances": covariances,
            "quantile_precision": _width("quantile_precision", quantile_precision),
            "relative_quantile_precision": _width("relative_quantile_precision", relative_quantile_precision),
            "simultaneous": simultaneous,
            "compare": compare,
            "compare_with": compare_with,
            "control_variates": _on("control_variates", control_variates),
            "conditional": _on("conditional", conditional),
            "largest": largest,
            "smallest": smallest,
            "report": None if report is None else _path("report", report),
        }
    )
    plain_text_of("model", model)
    values = parameter_texts(model, parameters, _list_text)
    rows = None if design is None else design_texts(design, _names_of_parameters(model))
    for name in values:
        if rows and name in rows[0]:
            raise ValueError(f"{name} is given, and so is that of design: expected one of them")
    keeps_outputs = switch_of("outputs", outputs)
    if quantiles is not None:
        options["quantiles"] = _list_text("quantiles", quantiles)
    if point_cost is not None:
        options[_name_of_cost(model)] = plain_text_of("point_cost", point_cost)
    lists = {
        "probability": _texts("probabilities", probabilities),
        "require": _texts("require", require),
        "histogram": _texts("histogram", histogram),
        "density": _texts("density", density),
    }
    for name, file in (("picture", picture), ("timeline", timeline)):
        if file is None:
            continue
        if model != "network":
            raise ValueError(f"{name} is given with {model}, expected it with network")
        lists[name] = [_path(name, file)]
    module = native(backend)
    with options_suggested(simulate), Watched(f"simulate {model}", progress) as watch:
        told, outputs_of_points, native_seconds = module.simulate(model, values, rows, options, lists, keeps_outputs, watch)
    return Experiment(json.loads(told), module.__name__.rpartition("._")[2], outputs_of_points, native_seconds)


def replay(experiment: Experiment, replication: int, point: int = 0) -> dict[str, float]:
    """Runs one replication of an experiment again, alone.

    Parameters
    ----------
    experiment : Experiment
        What `simulate` returned.
    replication : int
        Its number, from 0.
    point : int
        The number of its design point, from 0.

    Returns
    -------
    dict
        The responses by their names, to the last bit.

    Examples
    --------
    >>> import sporos
    >>> result = sporos.simulate("mm1", customers=100, replications=64, outputs=True)
    >>> sporos.replay(result, 47)["time in queue"] == float(result.outputs[47, 0])
    True
    """
    if not isinstance(experiment, Experiment):
        raise TypeError(f"experiment is {shown(experiment)}, expected what sporos.simulate has returned")
    place = whole_of("point", point, 0, len(experiment.points) - 1)
    which = whole_of("replication", replication, 0)
    design = [{name: text_of(name, value) for name, value in other.parameters.items()} for other in experiment.points]
    plan = {
        name: value if isinstance(value, str) else text_of(name, value)
        for name, value in experiment.settings.items()
        if value is not None and name != "replications"
    }
    responses = native(experiment.backend).replay(experiment.subject, {}, design, plan, place, which)
    return dict(zip(experiment.responses, responses))
