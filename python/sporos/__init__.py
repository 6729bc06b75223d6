# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sporos: simulation optimization on Kokkos, with identical results on every backend.

The package offers the commands of the command line with NumPy arrays::

    import sporos

    result = sporos.simulate("mm1", customers=1000, replications=4096)
    result["time in queue"].mean, result["time in queue"].interval, result.digest

- `simulate` estimates mean responses, and `replay` repeats a replication.
- `steady_state` estimates long-run means, `rare_event` small probabilities, and `multilevel` limits over levels.
- `stratify` and `array_rqmc` reduce the variance.
- `sensitivity` and `input_uncertainty` analyse uncertain parameters.
- `Network` describes stations, classes of customers and routes; all functions take it as a model. `branch` describes a
  branch of a route, and `network_from_ciw` imports a network of Ciw.
- `host_model` makes a model of a Python function, which may call an application.
- `model` makes a model of a class in Python, which is compiled; `parameter` declares its parameters, `record` records,
  and `problem` optimization problems. `Calendar`, `EntityPool`, `FifoQueue`, `LifoQueue`, `Line`, `PriorityQueue`,
  `Resource`, `Tally` and `TimeAverage` are its event tools.
- `optimize` is a callable module, which minimizes expectations. `select` selects the best of many systems.
- `compare_solvers` compares solvers on problems.
- `fit` fits normal mixtures. `sample` generates points and variates.

Functions release the GIL while they compute. They use the fastest installed backend unless `backend` names another.
"""

from . import optimize
from ._backends import backends, info, initialize, version as __version__
from ._ciw import network_from_ciw
from ._draw import Draw
from ._experiment import Estimate, Experiment, Point
from ._fit import MixtureFit, fit
from ._host_model import HostModel, host_model
from ._model import (
    Calendar, Chain, EntityPool, FifoQueue, LifoQueue, Line, ModelError, PriorityQueue, ReplicationFailed, Resource,
    Series, Tally, Ticket, TimeAverage, model, parameter, problem, record
)
from ._model import Model as PythonModel
from ._models import Model, Parameter, models
from ._network import Network, branch
from ._progress import Progress
from ._questions import array_rqmc, input_uncertainty, multilevel, rare_event, sensitivity, steady_state, stratify
from ._result import Column, Result, ResultTable
from ._sample import sample
from ._select import select
from ._simulate import replay, simulate
from ._solver_comparison import BudgetSpent, Run, compare_solvers, problems

__all__ = [
    "BudgetSpent",
    "Calendar",
    "Chain",
    "Column",
    "Draw",
    "EntityPool",
    "Estimate",
    "Experiment",
    "FifoQueue",
    "HostModel",
    "LifoQueue",
    "Line",
    "MixtureFit",
    "Model",
    "ModelError",
    "Network",
    "Parameter",
    "Point",
    "PriorityQueue",
    "Progress",
    "PythonModel",
    "ReplicationFailed",
    "Resource",
    "Result",
    "ResultTable",
    "Run",
    "Series",
    "Tally",
    "Ticket",
    "TimeAverage",
    "__version__",
    "array_rqmc",
    "backends",
    "branch",
    "compare_solvers",
    "fit",
    "host_model",
    "info",
    "initialize",
    "input_uncertainty",
    "model",
    "models",
    "multilevel",
    "network_from_ciw",
    "optimize",
    "parameter",
    "problem",
    "problems",
    "rare_event",
    "record",
    "replay",
    "sample",
    "select",
    "sensitivity",
    "simulate",
    "steady_state",
    "stratify",
]


def __dir__() -> list[str]:
    return list(__all__)
