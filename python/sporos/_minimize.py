# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Minimizes Python functions, with the interface of scipy.optimize.minimize."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, array_of, is_scalar, numbers, plain_text_of, real_of, shown, switch_of, whole_of
from ._backends import backends, native

_methods = ("nelder-mead", "l-bfgs")
_tolerances = {"nelder-mead": ("xatol", "fatol"), "l-bfgs": ("gtol",)}
_endings = {  # status and message by reason
    "simplex": (0, "The size of the simplex is within xatol, and its values are within fatol."),
    "gradient": (0, "The norm of the gradient is at most gtol."),
    "evaluations": (1, "The maximum number of evaluations, maxfev, has been reached."),
    "iterations": (2, "The maximum number of iterations, maxiter, has been reached."),
    "line-search": (3, "No step decreases fun further: rounding errors dominate, or jac is not the gradient of fun."),
    "not-finite": (4, "fun or jac is infinite or NaN at every point that the method can reach."),
    "time limit": (5, "The time limit has been reached."),
    "interrupted": (99, "callback has raised StopIteration."),
}


@dataclass(frozen=True, repr=False)
class OptimizeResult:
    """Result of `minimize`, with the names of scipy.optimize.OptimizeResult; `result["x"]` is `result.x`.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.optimize.minimize(lambda x: (x[0] - 1) ** 2, [0.0])
    >>> found["success"], sorted(dict(found))[:3]
    (True, ['fun', 'jac', 'message'])
    """

    x: Array
    """Best point found."""
    fun: float
    """Objective value at `x`."""
    jac: Array | None = None
    """Gradient at `x`; None if `jac` was not given."""
    nit: int = 0
    """Number of iterations over all starts."""
    nfev: int = 0
    """Number of evaluations over all starts."""
    success: bool = False
    """Whether the method has converged."""
    status: int = -1
    """0 if the method has converged; otherwise a number that identifies the reason why it stopped."""
    message: str = "The run continues."
    """Description of why the method stopped."""
    starts: tuple[OptimizeResult, ...] = ()
    """Result of each start; empty for l-bfgs."""

    def keys(self) -> list[str]:
        """Returns the names of the entries, so that `dict(result)` works."""
        return [field.name for field in fields(self)]

    def __getitem__(self, name: str) -> Any:
        if name not in self.keys():
            raise KeyError(f"{name!r} is not in the result: expected one of {', '.join(self.keys())}")
        return getattr(self, name)

    def __repr__(self) -> str:
        found = np.array2string(self.x, precision=6, threshold=6, edgeitems=2, max_line_width=10**6)
        return f"OptimizeResult(fun {self.fun:.9g} at {found}, {self.nfev} evaluations: {self.message})"


def _number(name: str, value: Any) -> float:
    """Returns the return value of a function as a number, which may be NaN or infinite."""
    if type(value) is float:
        return value
    if value is None or isinstance(value, (str, bytes)):
        raise TypeError(f"{name} returned {shown(value)}, expected a number")
    array = array_of(f"the value that {name} returned", value)
    if array.size != 1:
        raise ValueError(f"{name} returned an array of the shape {array.shape}, expected a number")
    return float(array.reshape(()))


def _vector(name: str, value: Any, size: int) -> Array:
    """Returns the return value of a function as an array with `size` entries."""
    if value is None:
        raise TypeError(f"{name} returned None, expected an array of the shape ({size},)")
    array = array_of(f"the value that {name} returned", value)
    if array.shape != (size,) and not (size == 1 and array.ndim == 0):
        raise ValueError(f"{name} returned an array of the shape {array.shape}, expected ({size},)")
    return np.ascontiguousarray(array.reshape(size), dtype=np.float64)


def _rows_function(fun: Callable[..., Any], args: tuple[Any, ...], vectorized: bool) -> Callable[[Array], Array]:
    """Returns a function that evaluates `fun` at the rows of an array."""
    if vectorized:
        return lambda points: _vector("fun", fun(points, *args), len(points))
    return lambda points: np.array([_number("fun", fun(point, *args)) for point in points])


def _gradient_function(
    fun: Callable[..., Any], jac: Any, args: tuple[Any, ...]
) -> Callable[[Array], tuple[float, Array]]:
    """Returns a function that computes value and gradient at a point."""

    def both(point: Array) -> tuple[float, Array]:
        found = fun(point, *args)
        if not isinstance(found, Sequence) or len(found) != 2:
            raise TypeError(f"fun returned {shown(found)}, expected a pair of value and gradient, since jac is True")
        return _number("fun", found[0]), _vector("fun", found[1], len(point))

    def one_by_one(point: Array) -> tuple[float, Array]:
        return _number("fun", fun(point.copy(), *args)), _vector("jac", jac(point, *args), len(point))

    return both if jac is True else one_by_one


def _callback_function(callback: Callable[..., Any] | None) -> Callable[[Array, float], bool] | None:
    """Returns a function that calls a callback of SciPy's kinds, and returns whether the run continues."""
    if callback is None:
        return None
    called = callback
    try:
        takes_result = "intermediate_result" in inspect.signature(called).parameters
    except ValueError:  # a built-in function may have no signature
        takes_result = False

    def goes_on(x: Array, value: float) -> bool:
        try:
            called(intermediate_result=OptimizeResult(x, value)) if takes_result else called(x)
        except StopIteration:
            return False
        return True

    return goes_on


def _points(x0: npt.ArrayLike) -> Array:
    """Returns the starts as rows of an array."""
    array = array_of("x0", x0)
    points = numbers("x0", array, None, None) if array.ndim == 2 else numbers("x0", np.atleast_1d(array), None)[None]
    if points.size == 0:
        raise ValueError(f"x0 has the shape {array.shape}, expected at least one coordinate")
    return points


def _bound_ends(bounds: Any, n: int) -> tuple[Array, Array]:
    """Returns the lower and the upper bounds of the coordinates."""
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):  # such as a scipy.optimize.Bounds
        bounds = np.column_stack([np.broadcast_to(array_of("bounds", end), n) for end in (bounds.lb, bounds.ub)])
    pairs = bounds.tolist() if hasattr(bounds, "tolist") else bounds
    if not isinstance(pairs, Sequence) or len(pairs) != n:
        raise ValueError(f"bounds is {shown(bounds)}, expected a pair (low, high) for each of the {n} coordinates")
    lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
    for i, pair in enumerate(pairs):
        if is_scalar(pair) or len(pair) != 2:
            raise ValueError(f"bounds[{i}] is {shown(pair)}, expected a pair (low, high)")
        for end, (place, value) in zip((lower, upper), enumerate(pair)):
            if value is not None:
                end[i] = real_of(f"bounds[{i}][{place}]", value)
    return lower, upper


def _checked_bounds(bounds: Any, points: Array) -> tuple[Array, Array] | None:
    """Returns the lower and the upper bounds, after checking that all starts are within them."""
    if bounds is None:
        return None
    lower, upper = _bound_ends(bounds, points.shape[1])
    for i in np.flatnonzero(~(lower < upper)):
        raise ValueError(f"bounds[{i}] is ({lower[i]}, {upper[i]}), expected a lower bound that is less than the upper bound")
    for start, i in np.argwhere((points < lower) | (points > upper)):
        value = points[start, i]
        raise ValueError(f"x0 has {value} as coordinate {i}, expected a number from {lower[i]} to {upper[i]}")
    return lower, upper


def _checked_options(method: str, options: Mapping[str, Any] | None, tol: float | None) -> dict[str, Any]:
    """Returns the options with values of the types that the method requires."""
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options is {shown(options)}, expected a dictionary")
    given = {**({} if tol is None else dict.fromkeys(_tolerances[method], real_of("tol", tol, 0))), **(options or {})}
    defaults = native(backends()[0]).default_minimize_options()[method]
    checked: dict[str, Any] = {}
    for name, value in given.items():
        called = f"options[{name!r}]"
        if name not in defaults:
            raise ValueError(f"{called} is no option of {method}: expected one of {', '.join(defaults)}")
        if isinstance(defaults[name], bool):
            checked[name] = switch_of(called, value)
        elif isinstance(defaults[name], int):
            checked[name] = whole_of(called, value, 0)
        else:
            checked[name] = real_of(called, value, 0)
    return checked


def _method_of(method: str | None, jac: Any) -> str:
    if method is None:
        return "nelder-mead" if jac is None else "l-bfgs"
    chosen = plain_text_of("method", method).lower()
    if chosen not in _methods:
        raise ValueError(f"method is {shown(method)}, expected one of {', '.join(_methods)}")
    return chosen


def _result_of(found: Mapping[str, Any]) -> OptimizeResult:
    status, message = _endings[found["stopped_by"]]
    return OptimizeResult(
        found["x"], found["fun"], found.get("jac"), found["nit"], found["nfev"], status == 0, status, message
    )


def minimize(
    fun: Callable[..., Any],
    x0: npt.ArrayLike,
    args: Any = (),
    *,
    method: str | None = None,
    jac: Callable[..., Any] | bool | None = None,
    bounds: Any = None,
    tol: float | None = None,
    callback: Callable[..., Any] | None = None,
    options: Mapping[str, Any] | None = None,
    vectorized: bool = False,
) -> OptimizeResult:
    """Minimizes a Python function, with the arguments and the result of scipy.optimize.minimize.

    The method is the simplex method of Nelder and Mead, from one or many starts, or L-BFGS if a gradient is given. The
    calling thread evaluates `fun`, which may call Sporos: the objective can be an estimate of `simulate`.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args) -> float``. Infinite and NaN values count as worse than any other value.
    x0 : array_like, shape (n,) or (m, n)
        The start. With method nelder-mead, m rows are m starts, which advance together; the best one is the result.
    args : tuple, optional
        Further arguments of `fun` and `jac`; default: none.
    method : {'nelder-mead', 'l-bfgs'}, optional
        Default: l-bfgs if `jac` is given, otherwise nelder-mead.
    jac : callable or True, optional
        Gradient: ``jac(x, *args) -> array, shape (n,)``. If True, `fun` returns a pair of value and gradient. Required
        by l-bfgs, and refused by nelder-mead.
    bounds : sequence of pairs or scipy.optimize.Bounds, optional
        Lower and upper bound of each coordinate; None or infinity for no bound. Only with nelder-mead, which maps the
        bounded coordinates to unbounded ones.
    tol : float, optional
        Default of the options `xatol` and `fatol`, or of `gtol`.
    callback : callable, optional
        ``callback(x)`` or ``callback(intermediate_result)``, called with the best point so far after each step of all
        simplices, or after each iteration of l-bfgs. It stops the run by raising StopIteration.
    options : dict, optional
        Options of the method. nelder-mead: `xatol`, `fatol`, `maxfev`, `maxiter`, `adaptive`, `restarts` and others;
        l-bfgs: `gtol`, `maxiter`, `maxcor`, `maxls`, `c1`, `c2`. Both: `time_limit` in seconds.
    vectorized : bool, optional
        Whether `fun` takes an array with a point in each row, and returns the array of their values; default: False.
        Each call has the next points of all starts. Only with nelder-mead.

    Returns
    -------
    OptimizeResult
        The result, with the entries x, fun, jac, nit, nfev, success, status, message and starts.

    Raises
    ------
    ValueError, TypeError
        If an argument, or a return value of `fun` or `jac`, is invalid. Exceptions of `fun`, `jac` and `callback` are
        passed on.

    Notes
    -----
    The methods are implemented in C++ and run on one thread.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.optimize.minimize(lambda x: (x[0] - 1) ** 2 + (x[1] + 2) ** 2, [0, 0])
    >>> found.success, found.x.round(4).tolist()
    (True, [1.0, -2.0])
    """
    points = _points(x0)
    chosen = _method_of(method, jac)
    checked = _checked_options(chosen, options, tol)
    more = args if isinstance(args, tuple) else (args,)
    for name, function in (("fun", fun), ("jac", jac), ("callback", callback)):
        if not (callable(function) or (name != "fun" and function is None) or (name == "jac" and function is True)):
            raise TypeError(f"{name} is {shown(function)}, expected a function")
    is_vectorized = switch_of("vectorized", vectorized)
    module = native(backends()[0])  # Python evaluates the function on the host
    continues = _callback_function(callback)
    if chosen == "l-bfgs":
        for name, value in (("bounds", bounds), ("vectorized", is_vectorized or None)):
            if value is not None:
                raise ValueError(f"{name} is given, expected it only with method nelder-mead")
        if jac is None:
            raise ValueError("jac is not given, expected the gradient of fun with method l-bfgs")
        if len(points) > 1:
            raise ValueError(f"x0 has {len(points)} rows, expected one start with method l-bfgs")
        return _result_of(module.minimize_by_lbfgs(_gradient_function(fun, jac, more), points[0], checked, continues))
    if jac is not None:
        raise ValueError("jac is given, expected it only with method l-bfgs")
    ends = _checked_bounds(bounds, points)
    function = _rows_function(fun, more, is_vectorized)
    starts = [_result_of(one) for one in module.minimize_by_simplices(function, points, ends, checked, continues)]
    best = min(starts, key=lambda start: start.fun)
    steps, calls = sum(start.nit for start in starts), sum(start.nfev for start in starts)
    return replace(best, nit=steps, nfev=calls, starts=tuple(starts))
