# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Words of messages about models in Python."""

from __future__ import annotations

from typing import Any


def a_or_an(kind: Any) -> str:
    """Returns the name of a type with its article."""
    text = str(kind)
    return f"{'an' if text[:1] in 'aeiou' else 'a'} {text}" if text else "nothing"


def remedy_for(given: Any, expected: str) -> str:
    """Returns what to do with a value of another type than the expected one."""
    if expected == "bool":
        return "compare it, such as x != 0"
    return f"convert it by {expected}(...)" if given == "bool" else "use another value"


def builtin_remedy(name: str) -> str:
    """Returns what to write instead of a call of a built-in function."""
    remedies = {
        "sum": "add the numbers in a loop",
        "round": "write round(x), without a number of digits",
        "sorted": "sort in a loop",
        "zip": "loop over the indices by range(...)",
        "any": "use a loop with a bool variable",
        "all": "use a loop with a bool variable",
        "divmod": "write a // b and a % b",
        "print": "return the number as a response, or use a debugger",
        "list": "write [0.0] * 8",
        "range": "use it in for i in range(...)",
        "enumerate": "use it in for i, x in enumerate(array)",
        "str": "models compute with numbers",
    }
    return remedies.get(name, "use abs, min, max, round, int, float and functions of math")


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun, such as 2 values."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(names: Any) -> str:
    """Returns names with commas between them."""
    return ", ".join(names) if names else "nothing"
