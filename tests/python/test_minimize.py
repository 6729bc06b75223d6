# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import threading
import time

import numpy as np
import pytest
from more_garbow_hillstrom import PROBLEMS, gradient, objective

import sporos
from sporos.optimize import OptimizeResult, minimize


def bowl(x):
    return (x[0] - 1) ** 2 + 10 * (x[1] + 2) ** 2


def slope_of_bowl(x):
    return np.array([2 * (x[0] - 1), 20 * (x[1] + 2)])


class Counted:
    """A function that counts its calls."""

    def __init__(self, function):
        self.function = function
        self.calls = 0

    def __call__(self, *arguments):
        self.calls += 1
        return self.function(*arguments)


@pytest.mark.parametrize("method", ["nelder-mead", "l-bfgs"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_problems_with_known_minima(name, method):
    residuals, start, minima = PROBLEMS[name]
    fun, jac = Counted(objective(residuals)), gradient(residuals)
    found = minimize(fun, start, jac=jac if method == "l-bfgs" else None, options={"maxiter": 5000})
    assert found.success and found.status == 0, found
    assert min(abs(found.fun - minimum) for minimum in minima) < 1e-7
    assert found.fun == fun.function(found.x)
    assert fun.calls == found.nfev >= found.nit > 0
    if method == "l-bfgs":
        np.testing.assert_array_equal(found.jac, jac(found.x))
        assert np.linalg.norm(found.jac) <= 1e-8


@pytest.mark.parametrize("name", PROBLEMS)
def test_as_good_as_scipy(name):
    optimize = pytest.importorskip("scipy.optimize")
    residuals, start, _ = PROBLEMS[name]
    fun, jac = objective(residuals), gradient(residuals)
    ours = minimize(fun, start, jac=jac)
    theirs = optimize.minimize(fun, start, jac=jac, method="L-BFGS-B", options={"gtol": 1e-8, "ftol": 0})
    assert ours.fun <= theirs.fun + 1e-9 and ours.nfev <= 3 * theirs.nfev
    tolerances = {"xatol": 1e-8, "fatol": 1e-8, "maxfev": 10_000, "maxiter": 10_000}
    ours, theirs = (one(fun, start, method="Nelder-Mead", options=tolerances) for one in (minimize, optimize.minimize))
    assert abs(ours.fun - theirs.fun) < 1e-9 and ours.nfev <= 1.5 * theirs.nfev


def test_result_has_the_interface_of_scipy():
    found = minimize(bowl, [0, 0])
    assert isinstance(found, OptimizeResult) and found["x"] is found.x
    assert set(dict(found)) == {"x", "fun", "jac", "nit", "nfev", "success", "status", "message", "starts"}
    assert "fun " in repr(found) and len(repr(minimize(lambda x: (x**2).sum(), np.ones(300), tol=1))) < 200
    with pytest.raises(KeyError, match="'hess' is not in the result: expected one of x, fun"):
        found["hess"]


def wells(points):  # four minima in the plane; at the smallest both coordinates are negative
    return ((points**2 - 4) ** 2 + points).sum(axis=1)


def test_many_starts_find_the_best_of_many_minima():
    starts = 6 * sporos.sample("sobol", 16, 2, seed=5) - 3
    together = minimize(wells, starts, vectorized=True, bounds=[(-3, 3)] * 2)
    assert together.fun == pytest.approx(2 * wells(np.linspace(-3, -1, 200_001)[:, np.newaxis]).min(), abs=1e-8)
    assert together.nfev == sum(start.nfev for start in together.starts) and len(together.starts) == 16
    assert max(start.fun for start in together.starts) > together.fun + 3  # one start is not enough
    for number in (0, 15):  # a single start gives the same result
        single = minimize(lambda x: wells(x[np.newaxis])[0], starts[number], bounds=[(-3, 3)] * 2)
        np.testing.assert_array_equal(single.x, together.starts[number].x)
        assert single.nfev == together.starts[number].nfev


def test_args_and_the_pair_of_value_and_gradient():
    def both(x, center, scale):
        return scale * ((x - center) ** 2).sum(), 2 * scale * (x - center)

    found = minimize(both, [0.0, 0.0], (3.0, 2.0), jac=True)
    np.testing.assert_allclose(found.x, 3)
    found = minimize(lambda x, center: (x[0] - center) ** 2, 1, 5.0)  # numbers instead of a tuple and an array
    np.testing.assert_allclose(found.x, [5], atol=1e-7)


class Bounds:  # has the attributes of scipy.optimize.Bounds
    lb, ub = [2.0, -np.inf], np.inf


@pytest.mark.parametrize("bounds", [[(2, None), (None, None)], [(2, np.inf), (-np.inf, np.inf)], Bounds()])
def test_bounds(bounds):
    seen = []
    found = minimize(lambda x: seen.append(x[0]) or bowl(x), [3, 0], bounds=bounds)
    np.testing.assert_allclose(found.x, [2, -2], atol=1e-5)
    assert min(seen) >= 2


def test_objective_may_call_sporos():
    def cost(x):  # cost of a server, which rises with its speed, plus time in system
        result = sporos.simulate("mm1", service_rate=x[0], arrival_rate=0.5, customers=200, replications=200)
        return x[0] + result["time in system"].mean

    found = minimize(cost, [1.5], bounds=[(0.6, 5)], tol=1e-3)
    # The function x + 1 / (x - 0.5) is smallest at 1.5; the first 200 customers of an empty queue wait slightly less.
    assert found.success and found.x[0] == pytest.approx(1.5, abs=0.05)


def test_objective_may_call_minimize():
    def best_for(x):
        return minimize(lambda y: (y[0] - x[0]) ** 2 + (x[0] - 3) ** 2, [0.0], jac=lambda y: 2 * (y - x[0])).fun

    np.testing.assert_allclose(minimize(best_for, [1.0]).x, 3, atol=1e-6)


@pytest.mark.parametrize("method", ["nelder-mead", "l-bfgs"])
def test_callback(method):
    jac = slope_of_bowl if method == "l-bfgs" else None
    seen = []
    found = minimize(bowl, [0, 0], jac=jac, callback=seen.append)
    assert len(seen) > 2 and (seen[-1] == found.x).all()
    assert all(bowl(after) <= bowl(before) for before, after in zip(seen, seen[1:]))

    def stops(intermediate_result):
        assert bowl(intermediate_result.x) == intermediate_result.fun
        raise StopIteration

    found = minimize(bowl, [0, 0], jac=jac, callback=stops)
    assert (found.success, found.status, found.message) == (False, 99, "callback has raised StopIteration.")


@pytest.mark.parametrize(
    "arguments, status",
    [
        (dict(options={"maxfev": 30}), 1),
        (dict(options={"maxiter": 3}), 2),
        (dict(jac=slope_of_bowl, options={"maxiter": 1.0}), 2),
        (dict(jac=np.ones_like, x0=[1, -2]), 3),
        (dict(options={"time_limit": 1e-9}), 5),
        (dict(options={"adaptive": True, "restarts": 2}), 0),
    ],
)
def test_stopping_criteria(arguments, status):
    found = minimize(bowl, **{"x0": [0, 0], **arguments})
    assert (found.status, found.success) == (status, status == 0)
    assert found.message.endswith(".") and np.isfinite(found.fun)


@pytest.mark.parametrize("method", ["nelder-mead", "l-bfgs"])
def test_values_that_are_not_finite(method):
    jac = slope_of_bowl if method == "l-bfgs" else None
    found = minimize(lambda x: float("nan"), [0, 0], jac=jac)
    assert (found.success, found.status) == (False, 4)
    # The solver goes around a region without finite values.
    found = minimize(lambda x: bowl(x) if x[0] < 1.5 else float("nan"), [0, 0], jac=jac)
    assert found.success and found.x == pytest.approx([1, -2], abs=1e-6)


class Mine(Exception):
    pass


def raising(x):
    raise Mine("raised by the user")


@pytest.mark.parametrize(
    "arguments", [dict(fun=raising), dict(fun=bowl, jac=raising), dict(fun=bowl, callback=raising)]
)
def test_exceptions_are_passed_on(arguments):
    with pytest.raises(Mine, match="raised by the user"):
        minimize(x0=[0, 0], **arguments)
    assert minimize(bowl, [0, 0]).success


def test_control_c():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        minimize(lambda x: time.sleep(0.02) or bowl(x), [3, 4])
    assert minimize(bowl, [0, 0]).success


def test_several_threads_minimize_at_once():
    results = {}

    def work(center):
        results[center] = minimize(lambda x: time.sleep(1e-4) or ((x - center) ** 2).sum(), [0.0, 0.0])

    threads = [threading.Thread(target=work, args=(center,)) for center in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for center, found in results.items():
        np.testing.assert_allclose(found.x, center, atol=1e-6)


@pytest.mark.parametrize(
    "arguments, kind, message",
    [
        (dict(fun=3), TypeError, "fun is 3, expected a function"),
        (dict(jac="2-point"), TypeError, "jac is '2-point', expected a function"),
        (dict(callback=3), TypeError, "callback is 3"),
        (dict(x0="a"), ValueError, "x0 is an array of <U1"),
        (dict(x0=[]), ValueError, r"x0 has the shape \(0,\), expected at least one coordinate"),
        (dict(x0=[0, np.nan]), ValueError, r"x0\[1\] is nan, expected a finite number"),
        (dict(x0=np.ones((2, 2, 2))), ValueError, r"x0 has the shape \(2, 2, 2\)"),
        (dict(x0=np.ones((2, 2)), jac=slope_of_bowl), ValueError, "x0 has 2 rows, expected one start"),
        (dict(method="BFGS"), ValueError, "method is 'BFGS', expected one of nelder-mead, l-bfgs"),
        (dict(method=3), TypeError, "method is 3, expected a string"),
        (dict(method="l-bfgs"), ValueError, "jac is not given, expected the gradient"),
        (dict(method="nelder-mead", jac=slope_of_bowl), ValueError, "jac is given, expected it only with method l-bfgs"),
        (dict(bounds=[(0, 1)] * 2, jac=slope_of_bowl), ValueError, "bounds is given, expected it only with"),
        (dict(vectorized=True, jac=slope_of_bowl), ValueError, "vectorized is given, expected it only with"),
        (dict(bounds=[(0, 1)]), ValueError, r"bounds is \[\(0, 1\)\], expected a pair .* of the 2 coordinates"),
        (dict(bounds=[(0, 1), (1, 1)]), ValueError, r"bounds\[1\] is \(1.0, 1.0\), expected a lower bound that is less"),
        (dict(bounds=[(0, 1), 3]), ValueError, r"bounds\[1\] is 3, expected a pair \(low, high\)"),
        (dict(bounds=[(0, 1), ("a", 1)]), TypeError, r"bounds\[1\]\[0\] is 'a', expected a number"),
        (dict(bounds=[(0, 1), (1, 2)]), ValueError, "x0 has 0.0 as coordinate 1, expected a number from 1.0 to 2.0"),
        (dict(tol=-1), ValueError, "tol is -1.0, expected a number of at least 0"),
        (dict(tol="a"), TypeError, "tol is 'a'"),
        (dict(options=3), TypeError, "options is 3, expected a dictionary"),
        (dict(options={"ftol": 1}), ValueError, r"options\['ftol'\] is no option of nelder-mead: expected one of xatol"),
        (dict(options={"maxfev": 1.5}), ValueError, r"options\['maxfev'\] is 1.5, expected a whole number"),
        (dict(options={"maxfev": 10**30}), ValueError, r"options\['maxfev'\] is 1000"),
        (dict(options={"maxfev": 0}), ValueError, "number of evaluations is 0"),
        (dict(options={"xatol": np.nan}), ValueError, r"options\['xatol'\] is nan"),
        (dict(options={"adaptive": 1}), TypeError, r"options\['adaptive'\] is 1, expected True or False"),
        (dict(jac=slope_of_bowl, options={"c2": 2}), ValueError, "curvature of the line search is 2"),
        (dict(fun=lambda x: None), TypeError, "fun returned None, expected a number"),
        (dict(fun=lambda x: "1"), TypeError, "fun returned '1', expected a number"),
        (dict(fun=lambda x: 1j), ValueError, "the value that fun returned is an array of complex128"),
        (dict(fun=lambda x: x), ValueError, r"fun returned an array of the shape \(2,\), expected a number"),
        (dict(fun=lambda x: x, vectorized=True), ValueError, r"fun returned an array of the shape \(1, 2\), expected"),
        (dict(fun=lambda x: 1.0, vectorized=True, x0=np.ones((2, 2))), ValueError, r"shape \(\), expected \(2,\)"),
        (dict(jac=lambda x: 1.0), ValueError, r"jac returned an array of the shape \(\), expected \(2,\)"),
        (dict(jac=lambda x: None), TypeError, "jac returned None"),
        (dict(jac=lambda x: ["a", "b"]), ValueError, "the value that jac returned is an array of <U1"),
        (dict(jac=True), TypeError, "fun returned .*, expected a pair of value and gradient"),
    ],
)
def test_bad_input(arguments, kind, message):
    with pytest.raises(kind, match=message) as error:
        minimize(**{"fun": bowl, "x0": [0, 0], **arguments})
    assert "\n" not in str(error.value) and "--" not in str(error.value)
