# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decisions: parameters of a model, by searches over what is simulated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ._arguments import Seed, constraint_texts, is_scalar, plain_text_of, shown, text_of, texts_of, values_of
from ._backends import native
from ._documentation import documented
from ._models import options_suggested, parameter_texts
from ._progress import ProgressArgument, Watched
from ._result import Result


def _over_texts(over: Any) -> list[str]:
    if not isinstance(over, Mapping):
        raise TypeError(f"over is {shown(over)}, expected a dictionary such as {{'service_rate': (0.6, 10)}}")
    texts = []
    for name, ends in over.items():
        what = f"over[{name!r}]"
        pair = _ends_of(what, ends)
        texts.append(f"{name}={text_of(what, pair[0])}:{text_of(what, pair[1])}")
    return texts


def _ends_of(what: str, given: Any) -> list[Any]:
    """The smallest and the largest value, of a pair or of a range of whole numbers."""
    if isinstance(given, range):
        if given.step != 1 or len(given) < 2:
            raise ValueError(f"{what} is {given}, expected a range of at least two values in steps of 1, as range(1, 9)")
        return [given[0], given[-1]]
    pair = [] if is_scalar(given) else list(given) if isinstance(given, tuple) else values_of(what, given)
    if len(pair) != 2:
        raise ValueError(f"{what} is {shown(given)}, expected a pair: the smallest and the largest value, as (1, 8)")
    return pair


def _draw_texts(draw: Mapping[str, str] | None) -> list[str]:
    if draw is None:
        return []
    if not isinstance(draw, Mapping):
        raise TypeError(f"draw is {shown(draw)}, expected a dictionary such as {{'service_rate': 'exponential(0.5)'}}")
    return [f"{name}={plain_text_of(f'draw[{name!r}]', text)}" for name, text in draw.items()]


@documented("optimize model")
def model(
    model: str,
    *,
    over: Mapping[str, Any],
    minimize: str | None = None,
    maximize: str | None = None,
    plus: str | None = None,
    draw: Mapping[str, str] | None = None,
    subject_to: str | Sequence[str] | None = None,
    feasible_with: float | None = None,
    solver: str | None = None,
    starts: int | None = None,
    gradient: str | None = None,
    replications: int | None = None,
    macro_replications: int | None = None,
    sample_size: int | None = None,
    step: float | None = None,
    final_replications: int | None = None,
    gap_batches: int | None = None,
    seed: Seed = None,
    confidence: float | None = None,
    time_limit: float | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Result:
    """Decides parameters of a model, so that an expression of its mean responses is as small or large as possible.

    `sporos.optimize(...)` is the same.

    Parameters
    ----------
    model : str
        The model's name, as `sporos.models()` lists it.
    over : dict
        The parameters to be decided, each with its smallest and largest value, which may be infinite, or a range of whole
        numbers: ``{'service_rate': (0.6, 10), 'servers': range(1, 9)}``.
    {options}
    **parameters : number, str or dict
        The model's other parameters; of one that is decided, where the search begins. A case is a file, or what it would
        hold; its members are parameters, by their paths: ``over={'stations.triage.servers': (1, 8)}``.

    Returns
    -------
    Result
        Its table "answer" has the decisions, the "objective" there and its "half_width" in one row; "decisions" has a row
        for each decision with its start, bounds, and the bound at which it ended. "objective" also has the start and the
        improvement, "points" how the search got there, "responses" the other mean responses, "constraints" the bounds
        of constraints on responses, and "better_neighbours" steps that still improve the objective. Several
        macro-replications have the tables "runs", "ends" and "progress". `findings` has the "solver" that ran, the
        "feasibility", the "starts", and the bound of the optimality gap ("gap_bound").

    Raises
    ------
    ValueError, TypeError
        For what cannot be carried out, in one sentence.
    RuntimeError
        Where the budget is too small for the solver.

    Notes
    -----
    The options are those of the command line, and None leaves to them what is usual there.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.optimize("mm1", customers=200, over={'service_rate': (0.6, 10)},
    ...                         minimize="time in system + 0.1 * service_rate^2", replications=2000)
    >>> bool(1.8 < found.table()["service_rate"][0] < 2.3)
    True
    """
    options = texts_of(
        {
            "minimize": minimize,
            "maximize": maximize,
            "plus": plus,
            "feasible_with": feasible_with,
            "solver": solver,
            "starts": starts,
            "gradient": gradient,
            "replications": replications,
            "macro_replications": macro_replications,
            "sample_size": sample_size,
            "step": step,
            "final_replications": final_replications,
            "gap_batches": gap_batches,
            "seed": seed,
            "confidence": confidence,
            "time_limit": time_limit,
        }
    )
    plain_text_of("model", model)
    decided = _over_texts(over)
    draws = _draw_texts(draw)
    constraints = constraint_texts(subject_to)
    values = parameter_texts(model, parameters)
    module = native(backend)
    with options_suggested(_of_module), Watched(f"optimize {model}", progress) as watch:
        return Result(json.loads(module.optimize_model(model, options, decided, draws, constraints, values, watch)))


_of_module = model  # alias for use inside `model`, where that name is a parameter
