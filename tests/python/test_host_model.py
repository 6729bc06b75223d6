# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python functions as models: the draws and results of compiled models, journals and failures."""
import concurrent.futures
import fcntl
import math
import multiprocessing
import signal
import statistics
import subprocess
import sys

import python_models
import pytest

import sporos
from sporos._backends import host_backend


def estimate_pi(draw, draws=10):
    inside = 0
    for _ in range(draws):
        x, y = draw("x"), draw("y")
        inside += x * x + y * y <= 1
    return 4.0 * inside / draws


PI = sporos.host_model(estimate_pi, "pi", ["x", "y"])
calls = []


def counted(draw, shift=0.0):
    calls.append(draw.replication)
    return {"uniform": draw("u") + shift, "square": draw("u") ** 2}


COUNTED = sporos.host_model(counted, ["uniform", "square"], ["u"], name="counted")


def test_bits_of_the_compiled_model():
    plan = {"draws": [10, 30], "replications": 300, "quantiles": [0.5], "outputs": True, "common_random_numbers": False}
    compiled, found = sporos.simulate("pi", **plan), sporos.simulate(PI, **plan)
    assert [point.digest for point in found.points] == [point.digest for point in compiled.points]
    assert (found.mean == compiled.mean).all() and (found.half_width == compiled.half_width).all()
    assert all((a.outputs == b.outputs).all() for a, b in zip(found.points, compiled.points))
    assert found.table("quantiles").rows() == compiled.table("quantiles").rows()
    assert PI(47, draws=30)["pi"] == sporos.simulate(PI, draws=30, replications=48, outputs=True).outputs[47, 0]
    other = sporos.simulate(PI, **plan, seed=2)  # negative control
    assert other.points[0].digest != compiled.points[0].digest


QUANTILES = {  # closed forms of variates at u
    "exponential": ((0.3,), lambda u: -math.log(u) / 0.3),
    "exponential_by_mean": ((0.3,), lambda u: -math.log(u) * 0.3),
    "normal": ((1.5, 2.5), lambda u: statistics.NormalDist(1.5, 2.5).inv_cdf(u)),
    "weibull": ((2.0, 3.0), lambda u: 3 * math.sqrt(-math.log(u))),
    "pareto": ((2.0, 3.0), lambda u: 3 / math.sqrt(1 - u)),
    "uniform_integer": ((2, 9), lambda u: 2 + math.floor(8 * u)),
    "geometric": ((0.3,), lambda u: math.floor(math.log1p(-u) / math.log1p(-0.3))),
}


@pytest.mark.parametrize("name", QUANTILES)
def test_variates_are_quantiles(name):
    parameters, quantile = QUANTILES[name]
    draw, same = sporos.Draw(["x"], 1, 47), sporos.Draw(["x"], 1, 47)
    variate, u = getattr(draw, name)("x", *parameters), same("x")
    assert variate == pytest.approx(quantile(u), rel=1e-12) and type(variate) is type(quantile(u))
    assert draw("x") == same.random("x")  # each variate takes one random number
    assert getattr(sporos.Draw(["x"], 1, 48), name)("x", *parameters) != variate  # negative control


@pytest.mark.parametrize("model", [python_models.MM1, python_models.IronOre, python_models.ContinuousNewsvendor])
def test_functions_have_the_bits_of_the_compiled_model(model):
    name = model._definition.name
    host = sporos.host_model(lambda draw: model().replicate(draw), model.responses, model.inputs, name=name)
    assert sporos.simulate(host, replications=5).digest == sporos.simulate(name, replications=5).digest


def test_precision_and_time_limit():
    found = sporos.simulate(PI, precision=0.1, batch=64)
    assert found.stopped_by == "precision" and found.half_width[0] <= 0.1
    assert found.digest == sporos.simulate("pi", draws=10, precision=0.1, batch=64).digest
    assert sporos.simulate(PI, replications=10**9, time_limit=0.2).stopped_by == "time limit"


def test_in_a_pool_of_processes():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        found = sporos.simulate(PI, draws=10, replications=200, executor=pool)
    assert found.digest == sporos.simulate("pi", draws=10, replications=200).digest


def test_a_journal_continues_a_run(tmp_path):
    journal = tmp_path / "journal"
    expected = sporos.simulate(COUNTED, shift=[0.0, 1.0], replications=40)
    calls.clear()
    sporos.simulate(COUNTED, shift=[0.0, 1.0], replications=30, journal=journal)
    assert len(calls) == 60
    with journal.open("a") as file:
        file.write('["unfinished')  # as after a crash
    calls.clear()
    found = sporos.simulate(COUNTED, shift=[0.0, 1.0], replications=40, journal=journal)
    assert len(calls) == 20
    assert [point.digest for point in found.points] == [point.digest for point in expected.points]
    calls.clear()
    sporos.simulate(COUNTED, shift=1.0, replications=40, journal=journal)
    assert not calls
    with pytest.raises(ValueError, match="is not a journal of this model"):
        sporos.simulate(PI, replications=10, journal=journal)
    with journal.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(ValueError, match="is in use by another run"):
            sporos.simulate(COUNTED, replications=10, journal=journal)
    lines = journal.read_text().split("\n")
    journal.write_text("\n".join([*lines[:2], "[1]", *lines[2:]]))
    with pytest.raises(ValueError, match="line 3 is damaged"):
        sporos.simulate(COUNTED, replications=10, journal=journal)


def queue(draw, arrival_rate=0.5, service_rate=1.0, customers=20):
    return python_models.MM1(arrival_rate=arrival_rate, service_rate=service_rate, customers=customers).replicate(draw)


QUEUE = sporos.host_model(queue, python_models.MM1.responses, python_models.MM1.inputs)
QUESTIONS = {
    "select": lambda model, **more: sporos.select(
        model, over={"customers": range(10, 14)}, smallest="idle time", delta=1, **more),
    "optimize": lambda model, **more: sporos.optimize(
        model, over={"service_rate": (0.6, 10)}, minimize="time in system + 0.1 * service_rate^2", solver="nelder-mead",
        replications=300, customers=20, **more),
    "whole decisions": lambda model, **more: sporos.optimize(
        model, over={"customers": range(5, 15)}, maximize="time in queue - 0.1 * customers", solver="r-spline",
        replications=300, customers=10, **more),
    "sensitivity": lambda model, **more: sporos.sensitivity(
        model, {"arrival_rate": (0.3, 0.7)}, base_points=16, customers=20, **more),
    "input_uncertainty": lambda model, **more: sporos.input_uncertainty(
        model, {"arrival_rate": ("rate", [1.0, 2.5, 0.5, 3.0])}, outer_samples=40, customers=20, **more),
    "rare_event": lambda model, **more: sporos.rare_event(
        model, "time in queue > 8", replications=200, pilot_replications=200, customers=20, **more),
}


def tables_of(result):
    """The rows of all tables, without what only the model in C++ has: exact values, and a queue length that is a ratio."""
    return {
        name: [{key: one for key, one in row.items() if key not in ("function", "seconds", "exact", "text")}
               for row in result.table(name).rows() if row.get("response") != "queue length"]
        for name in result.tables
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_have_the_bits_of_the_compiled_model(question):
    ask = QUESTIONS[question]
    found = tables_of(ask(QUEUE))
    assert found == tables_of(ask("mm1")) and any(found.values())
    assert found != tables_of(ask(QUEUE, seed=2))  # negative control


@pytest.mark.parametrize("question", ["select", "optimize"])
def test_questions_in_a_pool_of_processes(question):
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        found = QUESTIONS[question](QUEUE, executor=pool)
    assert tables_of(found) == tables_of(QUESTIONS[question](QUEUE))


def test_two_functions_of_one_name():
    first, second = (sporos.host_model(lambda draw, x=1, one=one: one * x + draw("u"), "y", "u", name="same") for one in (1.0, -1.0))
    found = [sporos.select(model, over={"x": [1, 2, 3]}, largest="y", delta=0.1) for model in (first, second)]
    assert [one.table("survivors")["x"][0] for one in found] == [3, 1]


def test_failures_in_questions():
    def fails(draw, x=1.0, how="crash"):
        return {"crash": lambda: 1 / 0, "kept": lambda: kept.append(draw) or draw("u"), "number": lambda: draw.replication,
                "generator": lambda: draw.generator, "again": lambda: sporos.simulate("pi", replications=2, backend=host_backend())}[how]()

    def asked(how):
        function = sporos.host_model(lambda draw, x=1.0: fails(draw, x, how), "y", "u", name="failing")
        return sporos.sensitivity(function, {"x": (1, 2)}, base_points=16)

    kept = []
    with pytest.raises(RuntimeError, match="a replication of failing with x=.* failed: ZeroDivisionError: division by zero"):
        asked("crash")
    with pytest.raises(RuntimeError, match="draw.replication exists only in sporos.simulate"):
        asked("number")
    with pytest.raises(RuntimeError, match="draw.generator exists only in sporos.simulate"):
        asked("generator")
    with pytest.raises(RuntimeError, match="the function of a model, has called sporos"):
        asked("again")
    asked("kept")
    with pytest.raises(RuntimeError, match="draws of a replication are used after its end"):
        kept[0]("u")
    interrupt = sporos.host_model(lambda draw, x=1.0: signal.raise_signal(signal.SIGINT), "y", name="stopped")
    with pytest.raises(KeyboardInterrupt):
        sporos.sensitivity(interrupt, {"x": (1, 2)}, base_points=16)
    assert sporos.simulate("pi", replications=10).replications == 10  # the session goes on
    with pytest.raises(ValueError, match="queue has no steady-state series"):
        sporos.steady_state(QUEUE)
    many = eval(f"lambda draw, {', '.join(f'p{i}=0.0' for i in range(65))}: 1.0")
    with pytest.raises(ValueError, match="many has 65 parameters, expected at most 64"):
        sporos.sensitivity(sporos.host_model(many, "y", name="many"), {"p1": (0, 1)})
    with pytest.raises(ValueError, match="function is a parameter of odd, expected another name"):
        sporos.sensitivity(sporos.host_model(lambda draw, function=1: 1.0, "y", name="odd"), {"function": (0, 1)})


def test_failures():
    def crash(draw, at=3):
        if draw.replication == at:
            raise OSError("the application crashed")
        return math.nan if at == 9 else 1.0

    model = sporos.host_model(crash, ["one"])
    with pytest.raises(RuntimeError, match="replication 3 of crash with seed=1, at=3 failed: OSError: the application"):
        sporos.simulate(model, replications=10)
    found = sporos.simulate(model, at=[9, 99], replications=5)
    assert found.points[0].failure[0] == 5 and found.points[1].mean[0] == 1


def program(draw, rate=0.5):
    """Calls an external program, as the page does."""
    code = "import sys; print(2 * float(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(draw.exponential("service", rate))], capture_output=True,
                          text=True, check=True, timeout=60)
    return float(done.stdout)


def test_an_external_program():
    found = sporos.simulate(sporos.host_model(program, ["twice"], ["service"]), replications=3, outputs=True)
    u = sporos.Draw(["service"], 1, 2)("service")
    assert found.outputs[2, 0] == 2 * -2.0 * math.log(u)


def test_refusals():
    with pytest.raises(TypeError, match="parameter rate of slow has no default, expected a number"):
        sporos.host_model(lambda draw, rate: 1.0, ["one"], name="slow")
    with pytest.raises(TypeError, match="parameter rate of slow has the default 'fast', expected a number"):
        sporos.host_model(lambda draw, rate="fast": 1.0, ["one"], name="slow")
    with pytest.raises(ValueError, match="responses is empty"):
        sporos.host_model(lambda draw: 1.0, [])
    with pytest.raises(RuntimeError, match="draw from 'z', expected an input of the model: x"):
        sporos.simulate(sporos.host_model(lambda draw: draw("z"), "one", "x", name="wrong"), replications=2)
    model = sporos.host_model(lambda draw: draw.poisson("x", "fast"), "one", "x", name="typed")
    with pytest.raises(RuntimeError, match="TypeError: poisson of x has the parameters 'fast': expected numbers, and"):
        sporos.simulate(model, replications=2)
    with pytest.raises(ValueError, match="inputs has 65 names, expected at most 64"):
        sporos.host_model(lambda draw: 1.0, "one", [f"x{i}" for i in range(65)])
    with pytest.raises(ValueError, match="there are 65 inputs, expected at most 64"):
        sporos.Draw([f"x{i}" for i in range(65)], 1, 0)
    with pytest.raises(RuntimeError, match="has returned 2 numbers, expected 1: one"):
        sporos.simulate(sporos.host_model(lambda draw: (1, 2), "one", name="two"), replications=2)
    with pytest.raises(ValueError, match="a model on the host has engine philox and random sampling"):
        sporos.simulate(PI, sampling="antithetic")
    with pytest.raises(ValueError, match="seed is a parameter of seeded and a keyword of simulate"):
        sporos.simulate(sporos.host_model(lambda draw, seed=1: 1.0, "one", name="seeded"))
    with pytest.raises(ValueError, match="'rate' is no parameter of estimate_pi"):
        sporos.simulate(PI, rate=2)
    with pytest.raises(ValueError, match="journal is given with pi"):
        sporos.simulate("pi", journal="file")
    with pytest.raises(ValueError, match="parts is 2 with a model of a Python function"):
        sporos.simulate(PI, parts=2, executor=None)
