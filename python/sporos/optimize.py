# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Minimizes expectations, and functions of one's own.

Portfolios and newsvendors by Frank–Wolfe, classifications by quasi-Newton methods; functions of Python by `minimize`.
Options have the names of `sporos optimize`, with `_` for `-`; None leaves to them what is usual there.
"""

from __future__ import annotations

from ._classification import Classification, classification
from ._frank_wolfe import Solution, newsvendor, portfolio
from ._minimize import OptimizeResult, minimize

__all__ = ["Classification", "OptimizeResult", "Solution", "classification", "minimize", "newsvendor", "portfolio"]


def __dir__() -> list[str]:
    return list(__all__)
