# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs experiments, which are replications of models."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from ._arguments import (
    Seed, given_texts, is_scalar, plain_text_of, range_text, shown, switch_of, text_of, values_of, whole_of
)
from ._backends import native, native_of
from ._design import design_texts
from ._documentation import documented
from ._executor import checked_executor, number_of_parts, results_of
from ._experiment import Experiment
from ._host_model import HostModel, HostRun
from ._models import (
    ModelArgument, named_model, names_of_parameters, options_suggested, parameter_texts, value_text
)
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
    """Returns the strings of an option that may be given several times."""
    texts = [] if value is None else [value] if is_scalar(value) else list(value)
    return [plain_text_of(name, text) for text in texts]


def _path(name: str, value: Any) -> str:
    path = text_of(name, value) if isinstance(value, os.PathLike) else plain_text_of(name, value)
    if not path:
        raise ValueError(f"{name} is empty, expected the name of a file")
    return path


def _on(name: str, value: bool | None) -> str | None:
    return "on" if value is not None and switch_of(name, value) else None


_no_texts = (  # keywords of `simulate` that are no options, or not options of one string
    "design", "outputs", "quantiles", "probabilities", "require", "point_cost", "histogram", "density", "picture",
    "timeline", "parts", "journal",
)


@documented("simulate")
def simulate(
    model: ModelArgument,
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
    outputs: bool | str = False,
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
    executor: Executor | None = None,
    parts: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Experiment:
    """Runs replications of a model and estimates the expectations of its responses.

    Parameters
    ----------
    model : str, Network, dict, class or HostModel
        Name of the model, from `sporos.models()`, a network of stations, a model in Python (`model`), or a model of a
        Python function (`host_model`).
    design : list of dict, dict of columns, pandas.DataFrame or array, optional
        A design point in each row. Parameters that it does not name have their defaults. An array has a column for each
        of the model's parameters, in their order. Rows may have different cases of networks with the same members.
    {options}
    outputs : bool or "device"
        Whether to store the responses of all replications; default: False. With True, they are NumPy arrays. With
        "device", they stay where the backend computes: on a GPU as arrays with `__dlpack__` and
        `__cuda_array_interface__`, and on a host as NumPy arrays.
    quantiles : float or list of float, optional
        Probabilities of the quantiles to estimate for each response of a replication.
    quantile_precision, relative_quantile_precision : float, optional
        Required half-width of the intervals of all quantiles, absolute or relative to the quantile. The run stops
        without it after `replications`, whose default is then 1000000.
    probabilities : str or list of str, optional
        Events whose probability in a replication is estimated, such as "time in system > 3".
    simultaneous : str, optional
        "bonferroni" or "max-t": makes the intervals of all means, and of all differences, hold simultaneously.
    compare : str, optional
        Response whose mean is compared between design points in the table "differences".
    compare_with : str, optional
        Points to compare with: "all" others, the "first" point, or the other point with the "largest" or "smallest"
        mean.
    control_variates : bool, optional
        Whether to correct the means by control variates, which are input variables with known means. The attribute
        `controlled` of an estimate reports it. Default: False.
    conditional : bool, optional
        Whether to replace responses by their conditional expectations, for models that offer them; default: False.
    largest, smallest : str, optional
        Response whose mean decides which design point is best. The table "best" has the probability of each point.
    require : str or list of str, optional
        Requirements such as "time in queue < 2". The table "requirements" reports which design points satisfy them.
    point_cost : str, optional
        Cost of a design point for `require`, an expression of parameters and responses. Cheap points come first.
    histogram, density : str or list of str, optional
        "RESPONSE=LOW:HIGH:NUMBER" requests the tables "histograms" and "densities", with that number of bins or points.
    report : path, optional
        File for the results as an HTML page. Requires gnuplot. The page of a network animates replication 0 of at most
        four design points.
    picture, timeline : path, optional
        File for a picture of a network of stations with its results, or of the numbers at its stations in replication
        0. They require gnuplot.
    executor : concurrent.futures.Executor, optional
        Workers that compute parts of the replications, such as a `ProcessPoolExecutor`, or `client.get_executor()` of
        Dask. The results are those without it, to the last bit. The part of a lost worker is computed again.
    parts : int, optional
        Number of parts with `executor`; default: two for each worker of a pool, or for each processor.
    journal : path, optional
        With a `HostModel`: file in which finished replications are stored. A later run takes them from there.
    **parameters : number, str, dict, or list of them
        The model's parameters, listed below. Several values, in a list, an array, a pandas.Series or a string such as
        "0.1:0.9:0.2", make several design points, crossed with those of other parameters; the last parameter changes
        fastest. A string may be a file name. A `case` is a file name, a `Network` or a dictionary with the contents of a
        file. The members of a case are parameters with dotted names: ``**{'stations.triage.servers': [2, 3]}``.

    Returns
    -------
    Experiment
        A `Result` whose first table is "means". Its attributes `mean`, `half_width`, `interval`, `standard_error` and
        `exact` are arrays over the responses; with several design points, their shape is design points × responses.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    MemoryError
        If the run does not fit into the memory of the host or the device.

    Notes
    -----
    The options are those of `sporos simulate`. None selects the default. The number of replications is `replications`,
    or the number at which every half-width is at most `precision`, or `relative_precision` times its mean.
    Ctrl-C raises KeyboardInterrupt after the current launch. These are the models and their parameters:

    {models}

    Examples
    --------
    >>> import sporos
    >>> result = sporos.simulate("pi", replications=100)
    >>> result["pi"].exact
    3.141592653589793
    """
    host = model if isinstance(model, HostModel) else None
    if isinstance(model, HostModel):
        for name in model.parameters:
            if name in inspect.signature(simulate).parameters:
                raise ValueError(f"{name} is a parameter of {model.name} and a keyword of simulate, expected another name")
        model = model.name
    else:
        model, parameters = named_model(model, parameters)
    names = list(host.parameters) if host is not None else names_of_parameters(model)
    options = given_texts(simulate, {**locals(), **{
        "primes": range_text("primes", primes),
        "quantile_precision": _width("quantile_precision", quantile_precision),
        "relative_quantile_precision": _width("relative_quantile_precision", relative_quantile_precision),
        "control_variates": _on("control_variates", control_variates),
        "conditional": _on("conditional", conditional),
        "report": None if report is None else _path("report", report),
    }}, *_no_texts)
    values = parameter_texts(model, parameters, _list_text)
    rows = None if design is None else design_texts(design, names, getattr(model, "value_text", value_text))
    for name in values:
        if rows and name in rows[0]:
            raise ValueError(f"{name} is given both as a keyword and in design, expected only one of them")
    place_of_outputs = _place_of_outputs(outputs)
    if quantiles is not None:
        options["quantiles"] = _list_text("quantiles", quantiles)
    if point_cost is not None:
        options["point_cost" if "cost" in names else "cost"] = plain_text_of("point_cost", point_cost)
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
            raise ValueError(f"{name} is given with {model}, expected it only with network")
        lists[name] = [_path(name, file)]
    module = native_of(model, "simulate", backend)
    arguments = (model, values, rows, options, lists, place_of_outputs)
    with options_suggested(simulate), Watched(f"simulate {model}", progress) as watch:
        if parts is not None and executor is None and host is None:
            raise ValueError(f"parts is {shown(parts)} without executor, expected both")
        if host is None:
            if journal is not None:
                raise ValueError(f"journal is given with {model}, expected it only with a model of a Python function")
            texts = [] if executor is None else _parts(executor, parts, backend, arguments, watch)
            document, outputs_of_points, native_seconds = module.simulate(*arguments, texts, None, None if texts else watch)
        else:
            with HostRun(host, executor, parts, journal) as run:
                document, outputs_of_points, native_seconds = module.simulate(*arguments, [], run, watch)
    experiment = Experiment(document, module.__name__.rpartition("._")[2], outputs_of_points, native_seconds)
    experiment.model = getattr(model, "definition", None)
    return experiment


def _place_of_outputs(outputs: bool | str) -> str:
    """Returns where outputs are stored: "host", "device" or nowhere, which is the empty string."""
    if isinstance(outputs, str):
        if outputs != "device":
            raise ValueError(f"outputs is {shown(outputs)}, expected True, False or 'device'")
        return outputs
    return "host" if switch_of("outputs", outputs) else ""


def _replayed_in_python(experiment: Experiment, point: int, replication: int) -> dict[str, float]:
    """Repeats a replication of a model in Python by its text."""
    settings = experiment.settings
    for name, supported in (("engine", "philox"), ("sampling", "random")):
        if settings.get(name) != supported:
            raise ValueError(
                f"{name} is {settings.get(name)}, but a model in Python is replayed only with {supported}: use "
                "result.outputs"
            )
    responses = experiment.model.replayed(
        experiment.points[point].parameters, settings["seed"], point, settings["common_random_numbers"], replication
    )
    return dict(zip(experiment.responses, responses))


def _part(backend: str | None, arguments: tuple[Any, ...], part: str) -> str:
    """Computes a part of an experiment on a worker and returns its text."""
    model, values, rows, options, lists, place_of_outputs = arguments
    options = {name: text for name, text in options.items() if name not in ("report", "time_limit")}
    kept = {name: texts for name, texts in lists.items() if name not in ("picture", "timeline")}
    arguments = (model, values, rows, {**options, "part": part}, kept, place_of_outputs)
    text: str = native_of(model, "simulate", backend).simulate(*arguments, [], None, None)[0]
    return text


def _parts(
    executor: Executor, parts: int | None, backend: str | None, arguments: tuple[Any, ...], watch: Any
) -> list[str]:
    """Returns the texts of the parts that the workers of the executor compute."""
    if "time_limit" in arguments[3]:
        raise ValueError("time_limit is given with executor, which computes all replications: expected one of them")
    count = number_of_parts(checked_executor(executor), parts)
    if parts is None:  # the default must not exceed the runs of replications
        count = min(count, native_of(arguments[0], "simulate", backend).max_parts(*arguments[:5]))
    tasks = [(backend, arguments, f"{number}/{count}") for number in range(1, count + 1)]
    return results_of(executor, _part, tasks, f"simulate {arguments[0]}", watch)


def replay(
    experiment: Experiment, replication: int, point: int = 0, log: str | os.PathLike[str] | None = None
) -> dict[str, float]:
    """Repeats one replication of an experiment.

    A model in Python is repeated by its text, in which a debugger can stop.

    Parameters
    ----------
    experiment : Experiment
        Result of `simulate`.
    replication : int
        Number of the replication, from 0.
    point : int
        Number of the design point in `experiment.points`, from 0; default: 0.
    log : path, optional
        With a network: a CSV file to write, with a row for each visit of a customer to a station.

    Returns
    -------
    dict
        The responses by name. They are identical to those of the experiment, to the last bit.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.

    Examples
    --------
    >>> import sporos
    >>> result = sporos.simulate("mm1", customers=100, replications=64, outputs=True)
    >>> sporos.replay(result, 47)["time in queue"] == float(result.outputs[47, 0])
    True
    """
    if not isinstance(experiment, Experiment):
        raise TypeError(f"experiment is {shown(experiment)}, expected a result of sporos.simulate")
    place = whole_of("point", point, 0, len(experiment.points) - 1)
    which = whole_of("replication", replication, 0)
    design = [{name: text_of(name, value) for name, value in other.parameters.items()} for other in experiment.points]
    plan = {
        name: value if isinstance(value, str) else text_of(name, value)
        for name, value in experiment.settings.items()
        if value is not None and name != "replications"
    }
    if log is not None and experiment.subject != "network":
        raise ValueError(f"log is given with {experiment.subject}, expected it only with network")
    file = None if log is None else _path("log", log)
    if experiment.model is not None:
        return _replayed_in_python(experiment, place, which)
    responses = native(experiment.backend).replay(experiment.subject, {}, design, plan, place, which, file)
    return dict(zip(experiment.responses, responses))
