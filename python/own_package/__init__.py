# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of one's own in Python: experiments by `simulate`, decisions by `optimize`, the best of many systems by `select`,
as in the package sporos."""

from ._backends import backends, info, initialize, version as __version__
from ._experiment import Estimate, Experiment, Point, Quantile
from ._laboratory import BudgetSpent, Run, SolverComparison, experiment, problems
from ._models import Model, Parameter, models
from ._progress import Progress
from ._search import SearchResult, model as optimize
from ._select import Selection, select
from ._simulate import replay, simulate

__all__ = [
    "BudgetSpent",
    "Estimate",
    "Experiment",
    "Model",
    "Parameter",
    "Point",
    "Progress",
    "Quantile",
    "Run",
    "SearchResult",
    "Selection",
    "SolverComparison",
    "__version__",
    "backends",
    "experiment",
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
