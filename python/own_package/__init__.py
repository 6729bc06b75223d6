# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Your own models in Python.

As in the package sporos, `simulate` runs experiments, `optimize` optimizes parameters, and `select` selects the best of
many systems.
"""

from ._backends import backends, info, initialize, version as __version__
from ._experiment import Estimate, Experiment, Point
from ._models import Model, Parameter, models
from ._progress import Progress
from ._result import Column, Result, ResultTable
from ._search import model as optimize
from ._select import select
from ._simulate import replay, simulate
from ._solver_comparison import BudgetSpent, Run, compare_solvers, problems

__all__ = [
    "BudgetSpent",
    "Column",
    "Estimate",
    "Experiment",
    "Model",
    "Parameter",
    "Point",
    "Progress",
    "Result",
    "ResultTable",
    "Run",
    "__version__",
    "backends",
    "compare_solvers",
    "info",
    "initialize",
    "models",
    "optimize",
    "problems",
    "replay",
    "select",
    "simulate",
]


def __dir__() -> list[str]:
    return list(__all__)
