# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Minimizes expectations, and functions of one's own.

Parameters of a simulated model by searches: `sporos.optimize(...)`, which is `sporos.optimize.model`. Portfolios and
newsvendors by Frank–Wolfe, classifications by quasi-Newton methods; functions of Python by `minimize`.
Options have the names of `sporos optimize`, with `_` for `-`; None leaves to them what is usual there.
"""

from __future__ import annotations

import sys
from types import ModuleType

from ._classification import Classification, classification
from ._frank_wolfe import Solution, newsvendor, portfolio
from ._minimize import OptimizeResult, minimize
from ._search import model

__all__ = [
    "Classification",
    "OptimizeResult",
    "Solution",
    "classification",
    "minimize",
    "model",
    "newsvendor",
    "portfolio",
]


class _CallableModule(ModuleType):
    __call__ = staticmethod(model)


sys.modules[__name__].__class__ = _CallableModule


def __dir__() -> list[str]:
    return list(__all__)
