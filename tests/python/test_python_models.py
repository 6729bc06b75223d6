# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of models in Python: the subset of Python, the bits of replications, and the cache of compiled models."""

import concurrent.futures
import importlib.util
import json
import math
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import models_in_cpp
import numpy as np
import pytest
import python_constructs
import python_models
import sporos
import wrong_python_models
from sporos._model import ModelName, compiler

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMPI_MCA_btl": "^tcp,ofi", "OMP_NUM_THREADS": "1",
}  # fmt: skip
"""Environment in which Open MPI starts two processes for root, on any number of cores (cmake/SporosMpiEnvironment.cmake)."""
IS_LONG = os.environ.get("SPOROS_LONG_TESTS") == "1"


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """Compiled models go to a folder of the tests."""
    folder = tmp_path_factory.mktemp("cache")
    os.environ["SPOROS_CACHE"] = str(folder)
    return folder


def imported(path, text):
    """Returns the module with this text."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def indented(body, prologue=wrong_python_models.PROLOGUE):
    return prologue + "".join(f"        {line}\n" for line in body.split("\n"))


# Wrong models


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(
    "body, message, column, prologue",
    [(*one, wrong_python_models.PROLOGUE) for one in wrong_python_models.WRONG]
    + [(*one, wrong_python_models.SERIES_PROLOGUE) for one in wrong_python_models.WRONG_SERIES]
    + [(*one, wrong_python_models.CHAIN_PROLOGUE) for one in wrong_python_models.WRONG_CHAINS],
)
def test_wrong_models_are_refused_with_line_and_remedy(tmp_path, body, message, column, prologue):
    text = indented(body, prologue)
    with pytest.raises(sporos.ModelError) as refusal:
        imported(tmp_path / "model.py", text)
    line = next(i for i, line in enumerate(text.split("\n"), 1) if "#^" in line)
    assert (refusal.value.msg, refusal.value.lineno, refusal.value.offset) == (message, line, column + 9)
    assert refusal.value.filename == str(tmp_path / "model.py")
    assert refusal.value.text.rstrip().endswith("#^")


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("return 0.0", "x = 0.0", "replicate can end without return: return its responses at the end"),
        ("def replicate(self, draw):", "def replicate(self):",
         "replicate has other arguments than self and draw: write def replicate(self, draw)"),
        ("return 0.0", "return helper(1.0)",
         "x has no type: write x: float, int or bool (or draw, for the draws)"),
        ("return 0.0", "return loops(3)", "loops calls itself, directly or not: use a loop"),
        ("return 0.0", "return untyped()", "untyped has no result type: write def untyped(...) -> float, int or bool"),
    ],
)  # fmt: skip
def test_wrong_functions_are_refused(tmp_path, old, new, message):
    functions = (
        "def helper(x):\n    return x\n\n\ndef loops(n: int) -> int:\n    return loops(n - 1)\n\n\n"
        "def untyped():\n    return 1\n\n\n"
    )
    text = indented("return 0.0").replace("@sporos.model", functions + "@sporos.model").replace(old, new)
    with pytest.raises(sporos.ModelError) as refusal:
        imported(tmp_path / "model.py", text)
    assert refusal.value.msg == message


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("rate: float = 1.0", "rate: str = 'x'", "the parameter rate has the type str: expected float, int or bool"),
        ("rate: float = 1.0", "rate: float", "the parameter rate has no default: write rate: float = value"),
        ("rate: float = 1.0", "rate: float = sporos.parameter(1.0, low=2)",
         "rate is 1.0, expected a finite number at least 2"),
        ("count: int = 3", "count: int = 3.5", "count is 3.5, expected a value of type int"),
        ("count: int = 3", "values: int = 3", "a parameter is called values, which is not possible: use another name"),
        ('inputs = ("service", "other")', "inputs = ()",
         "inputs of Model is (), expected a tuple of names, such as ('service',)"),
        ('inputs = ("service", "other")', 'inputs = ("a b",)',
         "an input of Model is 'a b': expected letters, digits and single underscores"),
        ('responses = ("cost",)', 'responses = ("cost", "cost")', "responses of Model has a name twice: cost, cost"),
        ("class Model:", "class FILE:",
         "the class is called FILE: expected another name of ASCII letters and digits, such as Bakery"),
        ("class Model:", "class Model(Helper):", "Model has the base Helper: expected a class without a base"),
        ("def replicate(", "def simulate(", "Model has no replicate: write def replicate(self, draw)"),
        ('inputs = ("service", "other")', 'inputs = ("a",)\n    series = ("wait",)',
         "Model has series without observe: a model with a steady state has series = ('name',) and "
         "def observe(self, draw, series)"),
        ('inputs = ("service", "other")', 'inputs = ("a",)\n    chain = ("height", "a walk")',
         "Model has chain without evolve: a model with a chain has chain = ('level', 'period') and "
         "def evolve(self, draw, chain)"),
        ('return 0.0', 'return 0.0\n\n    def evolve(self, draw, chain):\n        pass\n\n    chain = "height"',
         "chain of Model has 1 name, expected 2: that of the level, and that of the period from the start of a chain to "
         "its end, or of a step"),
        ('return 0.0',
         'return 0.0\n\n    def evolve(self, draw, chain):\n        x = 1\n        while chain.goes_on(x) and x > 0:\n'
         '            x -= 1\n\n    chain = ("cost", "a walk")',
         "the level of the chain of Model is called cost, as a response is: use another name"),
        ('inputs = ("service", "other")', 'inputs = ("a",)\n    problems = ("cost",)',
         "problems of Model is ('cost',), expected results of sporos.problem"),
        ('inputs = ("service", "other")',
         'inputs = ("a",)\n    problems = sporos.problem("p", over={"speed": (1, 2)}, minimize="cost")',
         "problem 'p' names speed, expected some of rate, count"),
        ('inputs = ("service", "other")',
         'inputs = ("a",)\n    problems = sporos.problem("p", over={"rate": (2, 3)}, minimize="cost")',
         "rate of problem 'p' starts at 1.0, expected 2 to 3: give start"),
        ('inputs = ("service", "other")',
         'inputs = ("a",)\n    problems = sporos.problem("p", over={"rate": (2, 3)})',
         "problem 'p' has no objective: give minimize or maximize"),
        ("arrival: float", "arrival: str",
         "the field arrival of Customer has the type str: expected float, int, bool or Ticket"),
        ("rank: int = 0", "rank: int = 0.5",
         "the field rank of Customer has the default 0.5, expected a value of type int"),
        ("    rank: int = 0", "    rank = 0",
         "the record Customer has rank, which is no field: expected only annotated fields, such as arrival: float"),
    ],
)  # fmt: skip
def test_wrong_declarations_are_refused(tmp_path, old, new, message):
    with pytest.raises((TypeError, ValueError)) as refusal:
        imported(tmp_path / "model.py", indented("return 0.0").replace(old, new))
    assert str(refusal.value) == message


def test_models_are_constant_and_check_their_values():
    clinic = python_models.Clinic(doctors=3)
    assert repr(clinic) == "Clinic(doctors=3, patients=60, gap=6.0, visit=10.0)"
    with pytest.raises(AttributeError, match="a model is constant: make another"):
        clinic.doctors = 4
    with pytest.raises(TypeError, match="nurses is no parameter of Clinic: expected some of doctors, patients"):
        python_models.Clinic(nurses=1)
    with pytest.raises(ValueError, match="doctors is 17, expected an int at least 1 and at most 16"):
        python_models.Clinic(doctors=17)


# Bits

BUILT_IN = [
    (python_models.MM1, "mm1", {"customers": 50}, {}),
    (python_models.EventMmck, "event-mmck", {"customers": 100}, {"from_empty": 1}),
    (python_models.SsInventory, "ss-inventory", {}, {}),
    (python_models.MarkovMmck, "mmck", {"customers": 100}, {"from_empty": 1}),
    (python_models.Pert, "pert", {}, {}),
    (python_models.RandomWalk, "random-walk", {"steps": 200}, {}),
    (python_models.ActivityNetwork, "activity-network", {}, {}),
    (python_models.ContinuousNewsvendor, "continuous-newsvendor", {}, {}),
    (python_models.IronOre, "iron-ore", {}, {}),
]


@pytest.mark.parametrize("model, name, values, others", BUILT_IN)
def test_interpreted_models_have_the_bits_of_built_in_ones(model, name, values, others):
    expected = sporos.simulate(name, replications=20, seed=7, outputs=True, **values, **others)
    found = model(**values).interpret(20, seed=7)
    assert np.array_equal(found, expected.outputs)
    assert f"{sporos._backends.native().functions.digest(found, 0):016x}" == expected.digest
    assert not np.array_equal(model(**values).interpret(20, seed=8), expected.outputs)


DEPTHS = (2, -3, 7)
STEP = 0.25


def folded(x: float, n: int) -> float:
    if n % 2 == 0:
        return x
    return -x


@sporos.record
class Pallet:
    """A record with a field of each type."""

    weight: float
    number: int = 7
    full: bool = False
    leaves: sporos.Ticket = sporos.Ticket()


@sporos.model
class Rules:
    """Python's rules for numbers, and each statement of the subset."""

    scale: float = sporos.parameter(1.5, unit="m", low=-4, high=4)
    count: int = sporos.parameter(5, low=-9, high=9)
    flag: bool = True
    inputs = ("first", "second")
    responses = tuple(f"response {i}" for i in range(27))

    def sign(self, x: float) -> int:
        return 1 if x > 0 else -1 if x < 0 else 0

    def step(self, draw, width: float) -> float:
        return width * (draw("second") - 0.5)

    def replicate(self, draw):
        calendar = sporos.Calendar(8)
        line = sporos.LifoQueue(4)
        ranked = sporos.PriorityQueue(4)
        level = sporos.TimeAverage(1.0)
        u = draw.normal("first", 0.0, self.scale * self.scale + 1.0)
        v = self.step(draw, 20.0)
        n, m = round(u * 3), int(v)
        grid = [[0.0] * 3 for _ in range(2)]
        found = [0, 0, 0, 0]
        m = m if m != 0 else 1
        for i, depth in enumerate(DEPTHS):
            grid[i % 2][-1 - i] += depth * u
            found[i - 4] = depth // m
        total = 0
        for i in range(9, -9, -2):
            if i == n:
                continue
            if i < m and self.flag:
                break
            total += i
        k = 0
        while True:
            k += 1
            if k * k > abs(m) or not -20 < k < 20:
                break
        a, b = u, v
        a, b = b, a
        calendar.schedule(2.0, 1)
        calendar.schedule(1.0, 2, 5)
        tickets = [sporos.Ticket()] * 3
        tickets[1] = calendar.schedule(1.0, 3)
        late = calendar.schedule(1.5, 4)
        tickets[2] = late
        late = calendar.reschedule(late, 1.75, 5)
        cancelled = calendar.cancel(tickets[2]) or calendar.is_scheduled(tickets[0])
        if u > 0 and calendar.cancel(late):
            calendar.schedule(2.5, 6)
        order = 0
        while calendar.next() and calendar.now() < 3.0:
            order = 10 * order + calendar.event()
            level.set(calendar.now(), order)
            if order == 2:
                line.push(u)
                line.push(v)
            ranked.push(calendar.now(), -order if order > 0 else 1.0)
        top = line.pop() + ranked.front_rank()
        top += ranked.pop()
        pallet = Pallet(u, full=u > 0)
        pallet = Pallet(pallet.weight + pallet.number, 3, not pallet.full)
        pallet.number += n
        shelves = [Pallet(v) for _ in range(3)]
        shelves[n % 3].weight += pallet.weight
        shelves[m % 3].leaves = late
        stored = sporos.EntityPool(Pallet, 4)
        first = sporos.Line(stored)
        second = sporos.Line(stored)
        new = stored.add(Pallet(u))
        for i in range(3):
            new = stored.add(Pallet(stored[new].weight + i, stored.size()))
            if new % 2 == 0:
                first.push_front(new)
            else:
                second.push_back(new)
        second.take_out(1)
        stored.remove(1)
        new = stored.add(Pallet(weight=v, number=new))
        first.push_back(new)
        sums = 0.0
        new = first.first()
        while new >= 0:
            sums = 3 * sums + stored[new].weight + stored[new].number
            new = first.next(new)
        return (
            n // m, n % m, u // v, u % v, -7 // 2, -7.5 % STEP, n / m, grid[0][-1] + grid[1][1],
            found[0] + 10 * found[-2],
            total, k, a - b, min(u, v, 0), max(n, m, 3), folded(u, n), self.sign(v) + self.sign(-0.0),
            0 < u <= v < 9 or self.flag and n == m, math.floor(u) - math.ceil(v), top, level.average(3.0) + line.size(),
            u if self.flag and not cancelled else v, order, int(self.flag) + self.count,
            pallet.weight + shelves[-1].weight + shelves[0].number, pallet.number * int(pallet.full), sums,
            math.fabs(u) ** 2.0,
        )  # fmt: skip


def plain_responses(model, replication):
    """Runs the text of a model in CPython as it is."""
    seed = sporos._backends.native().functions.seed_of_point(1, 0, True)
    draws = sporos.Draw(model._definition.inputs, seed, replication)
    return [float(one) for one in model.replicate(draws)]


def test_the_interpreter_computes_as_cpython():
    for values in ({}, {"count": -3, "flag": False}):
        found = Rules(**values).interpret(200)
        expected = np.array([plain_responses(Rules(**values), i) for i in range(200)])
        last = expected.shape[1] - 1  # a power, whose last bit depends on the library
        assert np.array_equal(found[:, :last], expected[:, :last])
        assert np.allclose(found[:, last], expected[:, last], rtol=1e-15)


def test_pools_of_records_compute_as_cpython():
    centre = python_models.CallCentre(minutes=60.0)
    assert np.array_equal(centre.interpret(3), [plain_responses(centre, i) for i in range(3)])


@pytest.mark.parametrize(
    "body, message",
    [
        ("pool.remove(0)", "the pool has no entity 0: use the number that add has returned, until remove"),
        ("x = pool[5].arrival", "the pool has no entity 5"),
        ("x = line.pop_front()", "the line is empty"),
        ("n = pool.add(Customer(1.0))\nline.push_back(n)\nline.push_front(n)", "the entity 0 is in a line: take it out"),
        ("n = pool.add(Customer(1.0))\nline.take_out(n)", "the entity 0 is in another line, or in none"),
        ("for i in range(9):\n    n = pool.add(Customer(1.0))", "the pool has room for 8 entities and is full"),
    ],
)
def test_wrong_numbers_of_entities_fail_the_replication(tmp_path, body, message):
    model = imported(tmp_path / "model.py", indented(wrong_python_models.POOL + body + "\nreturn 0.0")).Model
    with pytest.raises((IndexError, sporos.ReplicationFailed), match=message):
        model().interpret()


def test_interpreted_long_runs_have_the_bits_of_built_in_ones():
    rows = python_models.MM1().interpret_series(16384, seed=3)
    starts = np.flatnonzero(rows[:, 0] == 0)
    means = rows[: starts[-1]].mean(axis=0)  # whole cycles
    expected = sporos.steady_state("mm1", observations=16384, seed=3, method="regenerative").table("means")
    assert np.allclose(means, expected["mean"], rtol=1e-13)
    assert not np.allclose(python_models.MM1().interpret_series(16384, seed=4).mean(axis=0), means, rtol=1e-6)
    assert not np.array_equal(python_models.MM1().interpret_series(9, run=1, runs=2, seed=3), rows[:9])
    with pytest.raises(ValueError, match="Pert has no long runs: write series"):
        python_models.Pert().interpret_series()


def interpreted_splitting(model, levels, chains, runs, seed):
    """Returns the estimate of each run of splitting with these levels, computed in Python. A chain that begins at a level
    repeats the draws of those it comes from."""
    interpreter, functions = model._definition.interpreter, sporos._backends.native().functions
    estimates = []
    for run in range(1, runs + 1):
        key, entered, estimate = functions.seed_of_point(seed, run, False), [()], 1.0
        for place, level in enumerate(levels):
            tried = [(*entered[i % len(entered)], (level, place * chains + i)) for i in range(chains)] if entered else []
            entered = [one for one in tried if interpreter.evolve(model, one, key)[-1] >= level]
            estimate *= len(entered) / chains
        estimates.append(estimate)
    return estimates


def test_a_chain_in_python_has_the_bits_of_the_built_in_one():
    options = {"chains": 60, "runs": 6, "seed": 7}
    expected = sporos.rare_event("mm1", "number in system >= 5", **options)
    levels = expected.table("levels")["level"].tolist()
    found = interpreted_splitting(python_models.BusyCycle(), levels, **options)
    assert len(levels) > 1 and np.allclose(found, expected.table("runs")["estimate"], rtol=1e-15, atol=0)
    assert not np.allclose(interpreted_splitting(python_models.BusyCycle(), levels, 60, 6, 8), found)


def test_chains_run_in_python():
    path = python_models.BusyCycle().interpret_chain(3, chain=1, run=2, seed=7)
    assert path[0] == 1 and path[-1] in (0, 3) and np.all(abs(np.diff(path)) == 1)
    long = python_models.MM1().interpret_chain(9.0)
    assert long[-1] >= 9 > max(long[:-1]) and not np.array_equal(long, python_models.MM1().interpret_chain(9.0, seed=2))
    with pytest.raises(ValueError, match="Pert has no chain: write chain = "):
        python_models.Pert().interpret_chain(1.0)


@pytest.mark.parametrize(
    "body, obstacle",
    [
        ("x = 0.0\nwhile chain.goes_on(x):\n    x += draw('service') - draw('other')", None),
        ("x = 0.0\nwhile chain.goes_on(x):\n    if x > 1:\n        x -= draw('service')\n    else:\n"
         "        x += draw('service')", None),
        (wrong_python_models.WALK, "its chain ends: write while chain.goes_on(level): without another condition"),
        ("x = draw('service')\nwhile chain.goes_on(x):\n    x += 1", "evolve draws before its loop: start with constants"),
        ("x = 0.0\nwhile chain.goes_on(x):\n    for i in range(2):\n        x += draw('other')",
         "a step may draw twice from other: draw at most once from each input in a pass of the loop"),
        ("x = 0.0\nwhile chain.goes_on(x):\n    x += draw('other')\n    x += draw('other')",
         "a step may draw twice from other: draw at most once from each input in a pass of the loop"),
        ("x = 0.0\nwhile chain.goes_on(x):\n    x = max(x, self.drawn(draw))",
         "a helper of evolve draws: draw in the loop"),
    ],
)  # fmt: skip
def test_array_rqmc_offers_chains_of_one_draw_of_each_input(tmp_path, body, obstacle):
    text = indented(body, wrong_python_models.CHAIN_PROLOGUE)
    text += "\n    def drawn(self, draw) -> float:\n        return draw('service')\n"
    model = imported(tmp_path / "model.py", text).Model
    assert model._definition.array_obstacle() == obstacle
    assert ("array_chain" in model.header()) == (obstacle is None)
    assert ("chain_names" in model.header()) == (body == wrong_python_models.WALK)


def test_levels_run_in_python():
    model = python_models.CallOption()
    rows = model.interpret_level(3, 400)
    assert rows.shape == (400, 4) and abs(rows[:, 0] - rows[:, 2]).mean() < 0.2 * rows[:, 0].mean()
    assert not model.interpret_level(0)[0, 2:].any() and not np.array_equal(rows, model.interpret_level(3, 400, first=1))
    with pytest.raises(ZeroDivisionError):
        python_models.CallOption(wrong=True).interpret_level(1)
    with pytest.raises(ValueError, match="Pert has no levels: write def at_level"):
        python_models.Pert().interpret_level(1)


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("def at_level(self, draw, level):", "def at_level(self, draw):",
         "at_level has other arguments than self, draw and level: write def at_level(self, draw, level)"),
        ("return 1.0, 2.0", "return 1.0",
         "at_level returns 1 value for 1 response: return the fine responses, and then the coarse ones"),
        ("return 1.0, 2.0", "x = 1.0", "at_level can end without return: return the fine and the coarse responses at the end"),
        ("def level_cost(self, level):", "def level_cost(self):",
         "level_cost has other arguments than self and level: write def level_cost(self, level)"),
        ("return 3.0", "return None", "level_cost returns 1 value or None: return the cost"),
        ("return 4.0,", "return 4.0, 5.0",
         "level_means returns 2 values for 1 response: return one for each, or None where it is unknown"),
    ],
)  # fmt: skip
def test_wrong_levels_are_refused(tmp_path, old, new, message):
    text = indented("return 0.0") + (
        "\n    def at_level(self, draw, level):\n        return 1.0, 2.0\n"
        "\n    def level_cost(self, level):\n        return 3.0\n\n    def level_means(self):\n        return 4.0,\n"
    )
    assert imported(tmp_path / "model.py", text).Model.header()
    with pytest.raises(sporos.ModelError) as refusal:
        imported(tmp_path / "wrong.py", text.replace(old, new))
    assert refusal.value.msg == message


def test_a_long_run_that_ends_early_fails(tmp_path):
    body = "calendar = sporos.Calendar(8)\nwhile series.goes_on() and calendar.next():\n    series.record(1.0)"
    model = imported(tmp_path / "model.py", indented(body, wrong_python_models.SERIES_PROLOGUE)).Model
    with pytest.raises(sporos.ReplicationFailed, match="the loop of observe ends before its observations are recorded"):
        model().interpret_series(5)
    assert "checks.ended(series, " in model.header()


def test_compiled_and_interpreted_models_have_the_same_bits():
    start = time.monotonic()
    result = sporos.simulate(Rules, count=[5, -3], flag=True, replications=300, outputs=True)
    print(f"compiled in {time.monotonic() - start:.1f} s")
    for point, count in zip(result.points, (5, -3)):
        assert np.array_equal(point.outputs, Rules(count=count).interpret(300))
    assert list(sporos.replay(result, 47, 1).values()) == result.points[1].outputs[47].tolist()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        parts = sporos.simulate(Rules, replications=300, executor=pool, parts=3)
    assert parts.digest == result.points[0].digest
    columns = {"count": [5, -3], "flag": np.array([True, True])}
    for design in (columns, *([importlib.import_module("pandas").DataFrame(columns)] if HAS_PANDAS else [])):
        found = sporos.simulate(Rules, replications=300, design=design)
        assert [one.digest for one in found.points] == [one.digest for one in result.points]
    off = sporos.simulate(Rules, replications=300, design=[{"flag": False}], count=5).digest
    assert off == sporos.simulate(Rules, flag=np.array([False]), replications=300).digest != result.points[0].digest
    name = pickle.loads(pickle.dumps(ModelName(python_models.MM1._definition)))
    assert name == "mm1" and name.definition is python_models.MM1._definition
    start = time.monotonic()
    sporos.simulate(Rules(count=2), replications=10)
    assert time.monotonic() - start < 5  # from the cache
    with pytest.raises(ValueError, match="scale is 5, expected a finite number at least -4 and at most 4"):
        sporos.simulate(Rules, scale=5.0)
    with pytest.raises(ValueError, match="Rules has no levels: write def at_level"):
        sporos.multilevel(Rules, "response 1")
    with pytest.raises(ValueError, match="input is 'third', expected one of first, second"):
        sporos.stratify(Rules, "third", 8)
    with pytest.raises(ValueError, match="array_rqmc does not offer Rules: it has no chain: write chain = "):
        sporos.array_rqmc(Rules, 5)
    with pytest.raises(ValueError, match="Rules has no steady state: write series"):
        sporos.steady_state(Rules)
    with pytest.raises(ValueError, match="Rules has no problems: write problems"):
        sporos.compare_solvers(problems=Rules, solvers="spsa")
    with pytest.raises(ValueError, match="a model in Python is replayed only with philox"):
        sporos.replay(sporos.simulate(Rules, replications=10, engine="taus88"), 1)


@pytest.mark.skipif(not IS_LONG, reason="compiles for a minute")
@pytest.mark.parametrize("model, name, values, others", BUILT_IN)
def test_compiled_models_have_the_digest_of_built_in_ones(model, name, values, others):
    expected = sporos.simulate(name, replications=500, seed=7, **values, **others)
    assert sporos.simulate(model(**values), replications=500, seed=7).digest == expected.digest


@pytest.mark.skipif(not IS_LONG, reason="compiles for a minute")
@pytest.mark.parametrize("name", ["Lanes", "Gradients", "Everything", "Plain", "Select", "Mixed", "MixedNoLanes"])
def test_every_construct_has_the_same_bits_compiled(name):
    model = getattr(python_constructs, name)
    result = sporos.simulate(model, replications=100, outputs=True)
    assert np.array_equal(result.outputs, model().interpret(100))


@pytest.mark.skipif(not IS_LONG, reason="compiles for a minute")
@pytest.mark.parametrize(
    "model, in_cpp", [(python_models.Clinic, models_in_cpp.clinic), (python_models.CallCentre, models_in_cpp.call_centre)]
)
def test_compiled_models_have_the_digest_of_hand_written_ones(model, in_cpp):
    expected = sporos.simulate(in_cpp(model, os.environ["SPOROS_SOURCE"]), replications=200, seed=7)
    assert sporos.simulate(model, replications=200, seed=7).digest == expected.digest


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_compiled_long_runs_have_the_means_of_built_in_ones(tmp_path):
    options = {"observations": 65536, "seed": 3}
    found = sporos.steady_state(python_models.MM1, **options).table("means").rows()
    assert found == sporos.steady_state("mm1", **options).table("means").rows()
    body = "line = sporos.FifoQueue(4)\n" + wrong_python_models.LOOP + "    line.push(1.0)"
    model = imported(tmp_path / "model.py", indented(body, wrong_python_models.SERIES_PROLOGUE)).Model
    with pytest.raises(RuntimeError, match="its queue has room for 4 entities and is full"):
        sporos.steady_state(model)


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_compiled_chains_have_the_estimates_of_built_in_and_interpreted_ones(tmp_path):
    event = "number in system >= 12"
    for method in ("splitting", "adaptive"):
        options = {"method": method, "chains": 500, "runs": 8, "seed": 3}
        found, expected = (sporos.rare_event(one, event, **options) for one in (python_models.BusyCycle, "mm1"))
        assert found.table("runs").rows() == expected.table("runs").rows()
        row, built_in = found.table().rows()[0], expected.table().rows()[0]
        assert math.isclose(row.pop("exact"), built_in.pop("exact"), rel_tol=1e-12) and row == built_in
        assert found.findings["steps"] == expected.findings["steps"]
    sampled = sporos.rare_event(python_models.BusyCycle, event, method="importance", seed=3).table().rows()[0]
    assert abs(sampled["probability"] / sampled["exact"] - 1) < 0.5 and sampled["probability"] != sampled["exact"]

    options = {"chains": 80, "runs": 5, "seed": 3}
    found = sporos.rare_event(python_models.Tandem, "second line >= 8", **options)
    levels = found.table("levels")["level"].tolist()
    in_python = interpreted_splitting(python_models.Tandem(), levels, **options)
    assert len(levels) > 1 and np.allclose(found.table("runs")["estimate"], in_python, rtol=1e-15, atol=0)
    with pytest.raises(RuntimeError, match="the level of a state is not a number; interpret_chain of the model raises"):
        sporos.rare_event(python_models.Tandem, "second line >= 8", shift=1, **options)
    with pytest.raises(IndexError):
        python_models.Tandem(shift=1).interpret_chain(8)


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_compiled_chains_have_the_means_of_array_rqmc_of_built_in_ones():
    options = {"chains": 256, "randomizations": 10, "seed": 3}
    found, expected = (sporos.array_rqmc(one, 20, **options) for one in (python_models.MM1, "mm1"))
    assert found.table("randomizations").rows() == expected.table("randomizations").rows()
    with pytest.raises(ValueError, match="splitting for a response of a replication, expected importance"):
        sporos.rare_event(python_models.MM1, "time in queue >= 30", method="splitting")


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_compiled_levels_have_the_estimates_of_built_in_ones():
    options = {"sampling": "random", "rmse": 0.05, "seed": 3}
    found = sporos.multilevel(python_models.CallOption, "European call", **options)
    expected = sporos.multilevel("call-options", "European call", scheme=1, **options)
    assert found.table("levels").rows() == expected.table("levels").rows()
    assert found.table("means")["mean"] == expected.table("means")["mean"]
    price = sporos.multilevel(python_models.CallOption, "price at maturity", rmse=0.1).table("means").rows()[0]
    assert abs(price["mean"] - price["exact"]) < 0.5 and price["exact"] == pytest.approx(100 * math.exp(0.05))
    with pytest.raises(RuntimeError, match="is not a finite number; interpret_level of the model raises the exception"):
        sporos.multilevel(python_models.CallOption(wrong=True), "European call", **options)


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_wrong_numbers_of_entities_fail_compiled_replications(tmp_path):
    begin = wrong_python_models.POOL + "other = sporos.Line(pool)\n"
    begin += "n = pool.add(Customer(1.0))\nm = pool.add(Customer(2.0))\n"
    wrong = ["pool.remove(5)", "pool.remove(n)", "m = int(pool[7].arrival)", "m = other.pop_front()", "line.push_front(n)",
             "other.take_out(n)", "m = line.next(m)"]  # fmt: skip
    cases = [f"if self.count == {i}:\n    {line}\n" for i, line in enumerate(wrong)]
    cases.append("if self.count == 7:\n    for i in range(7):\n        m = pool.add(Customer(0.0))\n")
    text = indented(begin + "line.push_back(n)\n" + "".join(cases) + "return m")
    model = imported(tmp_path / "model.py", text).Model
    lines = [one.strip() for one in text.split("\n")]
    for i, line in enumerate(wrong):
        with pytest.raises(RuntimeError, match=f"line {lines.index(line) + 1} of its Python source"):
            sporos.simulate(model, count=i, replications=2)
    with pytest.raises(RuntimeError, match="its pool has room for 8 entities and is full"):
        sporos.simulate(model, count=7, replications=2)
    assert sporos.simulate(model, count=8, replications=2).mean[0] == 1


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_solvers_are_compared_on_problems_of_a_model():
    def bisection(run):
        low, high = 1.6, 6.0
        while True:
            thirds = run([[low + (high - low) / 3], [high - (high - low) / 3]], replications=40)
            low, high = (low, high - (high - low) / 3) if thirds[0] < thirds[1] else (low + (high - low) / 3, high)
            run.recommend([(low + high) / 2])

    options = {"solvers": ["nelder-mead", bisection], "macroreplications": 2, "seed": 5}
    found, expected = (
        sporos.compare_solvers(problems=one, **options).table("ends").rows() for one in (python_models.MM1, "mm1")
    )
    assert [row["solver"] for row in found] == [row["solver"] for row in expected]
    assert [row for row in found if row["solver"] == "bisection"] == [
        row for row in expected if row["solver"] == "bisection"
    ]


def result_of_walk(*more, launcher=()):
    """Returns the result of the command line for a model in a file."""
    program = Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / "sporos"
    words = [program, "simulate", f"{python_models.__file__}:RandomWalk", "--steps", "2000", "--batch", "1000"]
    environment = {**os.environ, **(MPI_ENVIRONMENT if launcher else {}), "SPOROS_PYTHON": sys.executable}
    done = subprocess.run(
        [*launcher, *words, "--format", "json", *more], capture_output=True, text=True, env=environment, check=False
    )
    if "is built without MPI" in done.stderr:
        pytest.skip("the programs are built without MPI")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_a_model_resumes_from_a_checkpoint(tmp_path):
    kept = ["--checkpoint", str(tmp_path / "kept"), "--replications", "200000"]
    whole = result_of_walk("--replications", "200000")["findings"]["digest"]
    part = result_of_walk(*kept, "--time-limit", "0.2")["findings"]["digest"]
    assert (tmp_path / "kept").exists() and part != whole
    assert result_of_walk(*kept)["findings"]["digest"] == whole


@pytest.mark.skipif(not IS_LONG or shutil.which("mpirun") is None, reason="compiles for half a minute, and needs mpirun")
def test_processes_share_the_replications_of_a_model():
    alone = result_of_walk("--replications", "5000")
    together = result_of_walk("--replications", "5000", launcher=("mpirun", "-n", "2"))
    assert together["findings"]["digest"] == alone["findings"]["digest"]
    assert together["tables"]["means"] == alone["tables"]["means"]
    assert together["machine"] != alone["machine"]  # it names the processes


RATES = {"arrival_rate": (0.3, 0.6)}
QUESTIONS = {
    "quantiles": lambda model: sporos.simulate(model, customers=50, replications=400, quantiles=[0.9]).table("quantiles"),
    "select": lambda model: sporos.select(
        model, over={"service_rate": [1.0, 1.2, 2.0]}, smallest="time in queue", delta=0.5, customers=50
    ).table("survivors"),
    "sensitivity": lambda model: sporos.sensitivity(model, RATES, customers=20, base_points=64).table("indices"),
    "input_uncertainty": lambda model: sporos.input_uncertainty(
        model, {"service_rate": ("rate", [0.5, 1.0, 1.5])}, customers=20, outer_samples=64
    ).table("means"),
    "stratify": lambda model: sporos.stratify(
        model, 2 if model == "mm1" else "service", 8, customers=5, replications=800
    ).table("means"),
    "rare_event": lambda model: sporos.rare_event(model, "time in queue > 30", customers=20).table("probabilities"),
    "gradients": lambda model: sporos.optimize(
        model, over={"service_rate": (0.6, 10)}, minimize="time in system + 0.1*service_rate", customers=50, solver="adam",
        replications=2000,
    ).table("answer"),
}  # fmt: skip


@pytest.mark.skipif(not IS_LONG, reason="compiles for a minute")
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_the_answer_of_the_built_in_model(question):
    def answer(model):
        rows = QUESTIONS[question](model).rows()  # the built-in model has exact means, and a ratio of means as queue length
        return [{**row, "exact": None} for row in rows if row.get("response") != "queue length"]

    assert answer(python_models.MM1) == answer("mm1") != []


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_gradients_of_an_event_model_are_refused():
    with pytest.raises(ValueError, match="derivatives"):
        sporos.optimize(
            python_models.EventMmck, over={"service_rate": (0.6, 10)}, minimize="mean wait", solver="adam",
            gradient="pathwise",
        )  # fmt: skip


@pytest.mark.skipif(not IS_LONG, reason="compiles for half a minute")
def test_a_model_optimizes_as_the_built_in_one():
    problem = {"over": {"service_rate": (0.6, 10)}, "minimize": "time in system + 0.1*service_rate", "customers": 100}
    found, expected = sporos.optimize(python_models.MM1, **problem), sporos.optimize("mm1", **problem)
    assert found.table("answer").rows() == expected.table("answer").rows()


def test_a_failed_rule_names_its_line(tmp_path):
    body = "x = [0.0] * 3\ny = draw.uniform_integer('service', 2, 4)\nreturn x[y]"
    model = imported(tmp_path / "model.py", indented(body)).Model
    with pytest.raises(IndexError) as failure:
        model().interpret(20)
    last = failure.traceback[-1]
    line = indented(body).split("\n").index("        return x[y]") + 1
    assert (last.path, last.lineno + 1) == (tmp_path / "model.py", line)
    assert f"checks.index(y, 3, {line})" in model.header()


def test_headers_use_number_types_only_where_they_can():
    assert "runs_in_lanes" in python_models.MM1.header() and "BasicMM1" in python_models.MM1.header()
    clinic = python_models.Clinic.header()
    assert "BasicClinic" in clinic and "runs_in_lanes" not in clinic and "checks" not in clinic
    generic = {"Lanes": (1, 1), "Gradients": (0, 1), "Everything": (0, 0), "Plain": (1, 0), "Select": (1, 1),
               "Mixed": (1, 1), "MixedNoLanes": (0, 1)}  # fmt: skip
    for name, (lanes, gradients) in generic.items():
        header = getattr(python_constructs, name).header()
        assert ("runs_in_lanes" in header, f"struct Basic{name}" in header) == (lanes, gradients)
    events = python_models.EventMmck.header()
    assert "Number" not in events and "static constexpr std::int64_t arrival = 0;" in events
    assert max(len(line) for line in events.split("\n")) <= 120


def test_the_command_line_hands_over_files_with_models(tmp_path):
    program = Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / "sporos"
    file = tmp_path / "model.py"
    file.write_text(indented("return 0.0"))
    environment = {**os.environ, "SPOROS_PYTHON": sys.executable}
    for words, message in (
        (["simulate", "none.py"], "there is no file none.py: expected a file with a model"),
        (["simulate", f"{file}:Other"], f"{file} has no model Other: expected {file}:Model"),
        (["sample", str(file)], "sample is not offered for models in Python: expected one of"),
        (["multilevel", str(file)], "Model has no levels: write def at_level(self, draw, level)"),
        (["steady-state", str(file)], "Model has no steady state: write series = ('name',) and def observe("),
        (["compare-solvers", str(file)], "Model has no problems: write problems = (sporos.problem(...),)"),
    ):
        done = subprocess.run([program, *words], capture_output=True, text=True, env=environment, check=False)
        assert message in done.stderr and done.returncode == 2, done.stderr


def test_headers_are_written_to_files(tmp_path):
    python_models.MM1.header(tmp_path / "mm1.hpp")
    assert (tmp_path / "mm1.hpp").read_text() == python_models.MM1.header()


# Cache


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A compiler that only takes time, and notes its calls."""
    script = tmp_path / "g++"
    calls = tmp_path / "calls"
    script.write_text(
        f"#!/bin/sh\necho call >> {calls}\nsleep ${{SECONDS_OF_FAKE:-0}}\n"
        'while [ "$1" != -o ]; do shift; done\necho made > $2\n'
    )
    script.chmod(0o700)
    monkeypatch.setenv("SPOROS_CXX", str(script))
    monkeypatch.setenv("SPOROS_CACHE", str(tmp_path))
    return tmp_path / "models", calls


def build():
    return compiler._Build(python_models.Clinic._definition, "simulate", sporos.backends()[-1])


def test_the_cache_is_private_and_complete(fake):
    folder, _ = fake
    build().run()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [one.name for one in folder.iterdir()] == [build().path().name]


def test_an_open_cache_is_refused(fake):
    folder, _ = fake
    folder.mkdir(mode=0o755)
    with pytest.raises(RuntimeError, match="is open to others: make it private by chmod 700"):
        build().path()


def test_two_processes_compile_once(fake, monkeypatch):
    folder, calls = fake
    monkeypatch.setenv("SECONDS_OF_FAKE", "0.2")
    threads = [threading.Thread(target=lambda: build().run()) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert calls.read_text().count("call") == 3  # two sources and the link
    assert len(list(folder.iterdir())) == 1


def test_a_killed_compilation_leaves_nothing_that_is_used(fake, monkeypatch):
    folder, _ = fake
    monkeypatch.setenv("SECONDS_OF_FAKE", "20")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_python_models as t; t.build().run()"
    child = subprocess.Popen([sys.executable, "-c", code, str(Path(__file__).parent)])
    deadline = time.monotonic() + 20
    while not list(folder.glob(".*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert not list(folder.glob("*.module"))
    monkeypatch.setenv("SECONDS_OF_FAKE", "0")
    build().run()
    assert [one.suffix for one in folder.iterdir()] == [".module"]


def test_a_missing_compiler_is_reported_with_its_packages(fake, monkeypatch):
    monkeypatch.setenv("SPOROS_CXX", "no-such-compiler")
    with pytest.raises(RuntimeError, match=r"no-such-compiler is missing.*apt install g\+\+.*conda install gxx"):
        build().run()


def test_messages_of_the_compiler_do_not_reach_the_user(fake, monkeypatch):
    folder, _ = fake
    failing = folder.parent / "failing"
    failing.write_text("#!/bin/sh\necho error: strange message >&2\nexit 1\n")
    failing.chmod(0o700)
    monkeypatch.setenv("SPOROS_CXX", str(failing))
    with pytest.raises(RuntimeError, match="this is an error of Sporos; report it with the file") as failure:
        build().run()
    assert "strange" not in str(failure.value)
    assert "strange message" in (folder / "clinic-simulate.log").read_text()


def test_the_module_depends_on_the_text_and_the_compiler(fake, monkeypatch):
    first = build().path()
    assert build().path() == first
    assert compiler._Build(python_models.MM1._definition, "simulate", sporos.backends()[-1]).path() != first
    monkeypatch.setenv("SPOROS_CXX", "g++")
    assert build().path() != first


def test_records_of_the_build_are_complete():
    how = json.loads((Path(compiler.__file__).parent / f"compiler_{sporos.backends()[-1]}.json").read_text())
    assert Path(how["archive"]).exists() and how["compiler"] and "-std=c++20" in how["flags"]
    assert "SHELL:" not in how["flags"], "a mark of CMake"
    libraries = build().libraries  # GNU ld finds symbols of archives in any order only in a group
    assert [libraries[0], libraries[1], libraries[-1]] == ["-Wl,--start-group", how["archive"], "-Wl,--end-group"]
