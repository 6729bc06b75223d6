# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes expectations and Python functions.

- `model`, which `sporos.optimize(...)` calls, optimizes parameters of a simulated model.
- `portfolio` and `newsvendor` use Frank–Wolfe methods.
- `classification` uses quasi-Newton methods.
- `minimize` minimizes a Python function.

Options have the names of `sporos optimize`, with `_` for `-`. None selects the default.
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
