# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons of solvers on problems, including Python functions."""

import numpy as np
import pytest

import sporos

small = dict(macroreplications=3, budget=600, post_replications=50, bootstraps=20)


def halving(run):
    x, step = run.start.copy(), 1.0
    while True:
        means = run([x, x - step, x + step], replications=10)
        x = x + (0, -step, step)[int(means.argmin())]
        step = step / 2 if means.argmin() == 0 else step
        run.recommend(x)


def test_problems_are_described():
    problems = {problem["name"]: problem for problem in sporos.problems()}
    assert problems["san-1"]["optimum"]["kind"] == "exact"
    assert problems["cntnews-1"]["objective"] == "maximize profit"


def test_a_function_is_compared_with_solvers():
    found = sporos.compare_solvers(problems="mm1", solvers=["astro-df", halving], **small)
    assert found.table("comparison")["solver"].tolist() == ["astro-df", "halving"]
    assert found.table("comparison").where(solver="halving")["gap_left"][0] < 0.1
    curve = found.table("curves").where(problem="mm1", solver="halving")
    assert curve["mean"][0] == 1 and curve["budget_used"][-1] == 1 and (curve["mean_low"] <= curve["mean_high"]).all()
    single = sporos.compare_solvers(problems="mm1", solvers=["astro-df"], **small)
    rows_of_astro = [found.table(name).where(solver="astro-df").rows() for name in ("comparison", "curves", "ends")]
    assert [single.table(name).rows() for name in ("comparison", "curves", "ends")] == rows_of_astro


def test_a_run_gives_the_same_means_as_its_own_sample():
    seen = []

    def look(run):
        both = run([run.start, run.start], replications=5)
        seen.append((both[0] == both[1], run(run.start, 5) != both[0], run.left, run.budget))

    sporos.compare_solvers(problems="mm1", solvers=[look, "adam"], **small)
    assert seen == 3 * [(True, True, 585, 600)]


def test_exceptions_of_a_function_are_passed_on():
    def broken(run):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        sporos.compare_solvers(problems="mm1", solvers=[broken], **small)

    def wrong(run):
        run([[1.0, 2.0]], 5)

    with pytest.raises(ValueError, match="expected rows of 1 finite numbers"):
        sporos.compare_solvers(problems="mm1", solvers=[wrong], **small)


def test_bad_input():
    with pytest.raises(ValueError, match="unknown solver 'adan': did you mean 'adam'?"):
        sporos.compare_solvers(problems="mm1", solvers=["adan"])
    with pytest.raises(TypeError, match="expected names and functions"):
        sporos.compare_solvers(problems="mm1", solvers=[3])
    found = sporos.compare_solvers(problems="mm1", solvers="adam", **small).table("comparison")
    assert found.where(solver="spsa").rows() == []
    with pytest.raises(KeyError, match="'name' is no column: expected problem, solver"):
        found.where(name="adam")
    assert np.isfinite(found["objective"]).all()
