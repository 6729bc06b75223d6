# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import threading

import numpy as np
import pytest
from command_line import DATA, json_of

import sporos

MM1 = dict(customers=50, over={"service_rate": (0.6, 10)}, minimize="time in system + 0.1*service_rate^2")
SHORT = dict(replications=1000, final_replications=100)


@pytest.mark.parametrize("solver", ["automatic", "adam", "astro-df", "random-search"])
def test_as_in_the_command_line(solver):
    for backend in sporos.backends():
        expected = json_of(
            "optimize", "mm1", "--customers=50", "--over=service_rate=0.6:10", f"--minimize={MM1['minimize']}",
            f"--solver={solver}", "--replications=1000", "--final-replications=100", "--seed=7", "--service-rate=3",
            program=f"sporos-{backend}",
        )  # fmt: skip
        found = sporos.optimize("mm1", **MM1, **SHORT, solver=solver, seed=7, service_rate=3, backend=backend)
        document = found.to_dict()
        for entry in ("seconds", "machine", "run"):
            document.pop(entry, None)
            expected.pop(entry, None)
        assert document == expected
        answer = expected["tables"]["answer"]["rows"]
        assert found.table().rows() == answer and found.table()["objective"][0] == answer[0]["objective"]
        assert found.table("points")["service_rate"][0] == 3.0
        assert found.findings["solver"] == expected["findings"]["solver"]
        assert bool(found.findings["reason"]) == (solver == "automatic")


def test_points_from_a_distribution():
    search = dict(MM1, over={"service_rate": (0.6, np.inf)}, service_rate=5)
    found = sporos.optimize("mm1", **search, **SHORT, solver="random-search", draw={"service_rate": "uniform(1.8, 2.4)"})
    assert 1.8 <= found.table()["service_rate"][0] <= 2.4
    assert found.table("decisions")["drawn_from"].tolist() == ["uniform(1.8, 2.4)"]
    with pytest.raises(ValueError, match="needs finite bounds, or draw for each decision without them"):
        sporos.optimize("mm1", **search, **SHORT, solver="random-search")
    with pytest.raises(TypeError, match=r"draw is 'x', expected a dictionary such as \{'service_rate': "):
        sporos.optimize("mm1", **search, **SHORT, draw="x")


def test_likelihood_ratios():
    found = sporos.optimize("mm1", **dict(MM1, customers=10), **SHORT, gradient="likelihood-ratio")
    assert found.findings["solver"] == "adam" and found.findings["reason"] == "gradients are likelihood ratios"


def test_whole_numbers_and_several_decisions():
    found = sporos.optimize(
        "mmck",
        over={"servers": (1, 5), "service_rate": np.array([0.2, 2.0])},
        minimize="3*servers",
        plus="40 * blocking probability",
        capacity=10,
        customers=100,
        **SHORT,
    )
    decisions, points = found.table("decisions"), found.table("points")
    assert isinstance(decisions.rows()[0]["value"], int) and 1 <= decisions["value"][0] <= 5
    assert decisions["decision"].tolist() == ["servers", "service_rate"]
    assert found.table()["servers"].dtype == np.int64
    np.testing.assert_array_equal(decisions["value"], [found.table()[name][0] for name in ("servers", "service_rate")])
    assert points["low"][-1] < found.table()["objective"][0] < points["high"][-1]
    assert found.findings["replications"] <= 1000 and found.stopped_by == "replications"
    assert "servers" in str(found)
    assert sporos.optimize.model is type(sporos.optimize).__call__


def test_result_describes_the_end():
    staff = dict(minimize="mean wait", customers=50, **SHORT)
    found = sporos.optimize("mmck", over={"servers": (1, 5)}, **staff)
    assert found.findings["starts"] == 8 and not found.findings["ended_at_start"]
    assert found.table("decisions")["at_bound"].tolist() == ["upper bound"]
    assert found.table("better_neighbours").rows() == []
    others = {row["response"]: row for row in found.table("responses").rows()}
    blocked = others["blocking probability"]
    assert 0 < blocked["mean"] < 1 and blocked["half_width"] > 0 and "mean wait" not in others
    again = sporos.optimize("mmck", over={"servers": (1, 5)}, servers=5, **staff)
    assert again.findings["ended_at_start"]
    infeasible = sporos.optimize("mmck", over={"servers": (1, 20)}, servers=10, **staff)
    assert infeasible.table()["servers"][0] <= 5
    assert any(note.startswith("The start servers = 10 is infeasible: capacity is 5") for note in infeasible.notes)
    with pytest.raises(ValueError, match="servers takes whole numbers, expected whole bounds, as in servers=1:5"):
        sporos.optimize("mmck", over={"servers": (0.5, 5)}, **staff)


def test_a_constraint():
    found = sporos.optimize("mm1", **MM1, **SHORT, subject_to="service_rate <= 1.9")
    assert found.findings["solver"] == "frank-wolfe" and found.table()["service_rate"].tolist() == [1.9]
    assert found.findings["gap_by"] == "frank-wolfe" and found.findings["gap"] <= found.findings["gap_bound"]
    with pytest.raises(ValueError, match="expected two expressions with <=, >= or = between them"):
        sporos.optimize("mm1", **MM1, subject_to="service_rate")


def test_constraints_on_responses():
    task = dict(minimize="service_rate", subject_to=["time in queue <= 2", "idle time >= 0"], feasible_with=0.9)
    found = sporos.optimize("mm1", customers=100, over={"service_rate": (0.6, 10)}, **SHORT, **task)
    assert found.findings["feasibility"] == "feasible" and found.findings["feasibility_confidence"] == 0.9
    assert any(note.startswith("Feasible: all constraints hold, with 90 % confidence") for note in found.notes)
    queue, idle = found.table("constraints").rows()
    assert queue["at_most"] <= 0 < queue["multiplier"] and idle["multiplier"] < 1e-3
    several = sporos.optimize("mm1", customers=100, over={"service_rate": (0.6, 10)}, macro_replications=3, **SHORT, **task)
    assert several.table("runs")["feasibility"].tolist() == ["feasible"] * 3
    assert several.findings["feasibility"] == "feasible" and len(several.table("run_constraints").rows()) == 6
    with pytest.raises(TypeError, match="subject_to is 1"):
        sporos.optimize("mm1", **MM1, subject_to=[1])


def test_nothing_is_better_than_an_infeasible_start():
    task = dict(minimize="servers", subject_to="mean wait <= 1", solver="random-search")
    queue = dict(customers=100, arrival_rate=1, capacity=30, over={"servers": (1, 9)}, **SHORT)
    found = sporos.optimize("mmck", **queue, **task, servers=1)
    assert found.table("objective")["at"].tolist() == ["at these decisions", "at the start"]
    assert found.table("objective")["note"].tolist() == [None, "infeasible"]
    (constraint,) = found.table("constraints").rows()
    assert constraint["multiplier"] is None and "nan" not in str(found)
    feasible = sporos.optimize("mmck", **queue, **task, servers=9)  # control
    assert feasible.table("objective")["at"].tolist()[-1] == "improvement"
    assert "constraints" not in sporos.optimize("mm1", **MM1, **SHORT).tables


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(over={}), "no decision variable is given"),
        (dict(over={"speed": (1, 2)}), "'speed' is no parameter of mm1"),
        (dict(over={"service_rate": (2, 1)}), "expected NAME=LOW:HIGH with LOW below HIGH"),
        (dict(over={"service_rate": 2}), "over['service_rate'] is 2, expected a pair of lower and upper bound"),
        (dict(over={"service_rate": (1, 2, 3)}), "expected a pair of lower and upper bound"),
        (dict(over={"customers": range(1, 9, 2)}), "over['customers'] is range(1, 9, 2), expected a range of at least two"),
        (dict(over={"customers": range(1, 2)}), "in steps of 1"),
        (dict(minimize="service_rate**2"), "'**' is no operator of an expression, write '^' for a power"),
        (dict(over={"service_rate": (-1, 2)}), "goes to -1, where"),
        (dict(minimize=None), "no objective is given"),
        (dict(maximize="idle time"), "minimize and maximize are given"),
        (dict(minimize="time in sytem"), "sytem"),
        (dict(solver="simplex"), "'simplex'"),
        (dict(over={"horizon": (1, 9)}, gradient="likelihood-ratio"), "not known to be right for horizon"),
        (dict(over={"customers": (1, 9)}, minimize="time in system", solver="adam"), "adam"),
        (dict(replications=0), "replications is '0'"),
        (dict(confidence=2), "confidence is"),
        (dict(speed=3), "'speed' is no parameter of mm1"),
        (dict(replication=3), "'replication' is no parameter of mm1: did you mean the option 'replications'"),
        (dict(arrival_rate=-1), "arrival_rate is"),
        (dict(model="mm2"), "unknown model 'mm2'"),
        (dict(model="newsboy"), "newsboy has a parameter that names a file"),
    ],
)
def test_bad_input_is_one_sentence(change, message):
    arguments = dict(dict(MM1, model="mm1", **SHORT), **change)
    with pytest.raises(ValueError) as error:
        sporos.optimize(arguments.pop("model"), **arguments)
    assert message in str(error.value) and "\n" not in str(error.value) and "--" not in str(error.value)


def test_a_range_is_a_pair_of_bounds():
    queue = dict(customers=50, arrival_rate=1, capacity=30, minimize="mean wait + servers", **SHORT)
    from_range, from_pair = (sporos.optimize("mmck", over={"servers": ends}, **queue) for ends in (range(1, 5), (1, 4)))
    assert from_range.to_dict()["tables"] == from_pair.to_dict()["tables"]


def test_over_must_be_a_dictionary():
    with pytest.raises(TypeError, match="over is .*expected a dictionary"):
        sporos.optimize("mm1", over=["service_rate"], minimize="time in system")


def test_a_budget_that_is_too_small():
    with pytest.raises(RuntimeError, match="too few for"):
        sporos.optimize("mm1", **dict(MM1, replications=1, solver="astro"))


def test_progress_can_stop_the_search():
    seen = []
    here = threading.get_ident()

    def stop(progress):
        assert threading.get_ident() == here
        seen.append(progress)
        return progress.done < 200

    many = dict(solver="adam", replications=10**6, final_replications=100)
    found = sporos.optimize("mm1", **MM1, **many, progress=stop)
    assert found.stopped_by == "interrupted" and 200 <= found.findings["replications"] < 1_000_000
    assert seen[-1].what == "optimize mm1" and seen[-1].at_most == 1_000_000
    found = sporos.optimize("mm1", **dict(MM1, customers=1000), **dict(many, replications=10**9), time_limit=0.2)
    assert found.stopped_by == "time limit"


ERLANG_A = DATA / "networks" / "erlang_a.json"
CASE = {
    "time_unit": "min", "horizon": 200,
    "classes": {"patient": {"interarrival": "exponential(0.5)", "enters": "triage"}},
    "stations": {"triage": {"servers": np.int64(2), "service": "exponential(0.4)"}},
}  # fmt: skip


def test_members_of_a_case_as_decisions():
    over = {"stations.triage.servers": (1, 4), "stations.triage.speed": (0.5, 2)}
    task = dict(minimize="number waiting at triage + stations.triage.servers + stations.triage.speed", **SHORT)
    found = sporos.optimize("network", case=CASE, over=over, **task)
    assert found.table("decisions")["decision"].tolist() == list(over)
    assert isinstance(found.table().rows()[0]["stations.triage.servers"], int)
    start = found.table("points").rows()[0]
    assert (start["stations.triage.servers"], start["stations.triage.speed"]) == (2, 1.0)
    expected = json_of(
        "optimize", "network", f"--case={found.to_dict()['parameters']['case']}", "--over=stations.triage.servers=1:4",
        "--over=stations.triage.speed=0.5:2", f"--minimize={task['minimize']}", "--replications=1000",
        "--final-replications=100",
    )  # fmt: skip
    assert found.table().rows() == expected["tables"]["answer"]["rows"]
    two = sporos.optimize("network", case=CASE, over={"stations.triage.speed": (0.5, 2)}, **task)
    assert two.table("decisions")["decision"].tolist() == ["stations.triage.speed"]


def test_hundreds_of_members_as_decisions():
    # Every person costs 8 a day, and overtime nothing.
    case = {
        "time_unit": "h", "horizon": 24, "classes": {"call": {"interarrival": "exponential(3)", "enters": "desk"}},
        "stations": {"desk": {"service": "exponential(4)", "roles": ["clerk"]}},
        "staff": {"clerk": {"starts": [1] * 120, "shift": 8, "cost": 1, "overtime_factor": 0}},
    }  # fmt: skip
    names = [f"staff.clerk.starts.{slot}" for slot in range(1, 121)]
    found = sporos.optimize(
        "network", case=case, over={name: (0, 3) for name in names}, minimize="staff cost per day",
        replications=40, final_replications=10, solver="random-search",
    )  # fmt: skip
    best = found.table().rows()[0]
    people = [best[name] for name in names]
    assert best["objective"] == pytest.approx(8 * sum(people)) and 0 < sum(people) < 180
    again = sporos.simulate("network", case=case, replications=2, **dict(zip(names, people)))
    assert dict(zip(again.responses, again.mean))["staff cost of clerk per day"] == pytest.approx(8 * sum(people))


def test_members_of_a_case_as_systems_and_design_points():
    over = {"stations.agents.servers": [36, 44, 50]}
    found = sporos.select("network", case=ERLANG_A, over=over, smallest="number waiting at agents", delta=0.5)
    assert found.table()["stations.agents.servers"].tolist() == [50] and found.settings["systems"] == 3
    points = sporos.simulate("network", case=CASE, replications=8, **{"stations.triage.servers": [2, 3]})
    assert [point.parameters["stations.triage.servers"] for point in points.points] == [2, 3]
    assert sporos.replay(points, 3, point=1).keys() == set(points.responses)


@pytest.mark.parametrize(
    ("case", "over", "message"),
    [
        (CASE, {"stations.triag.servers": (1, 2)}, "'stations.triag.servers'.*stations.triage.servers"),
        (CASE, {"stations.triage.servers": (0, 2)}, "over stations.triage.servers goes to 0, where stations.triage.servers is .*expected"),
        ({**CASE, "horizon": -1}, {"stations.triage.servers": (1, 2)}, "horizon is '-1', expected"),
        ("/nowhere.json", {"stations.triage.servers": (1, 2)}, "/nowhere.json"),
    ],
)
def test_bad_members(case, over, message):
    with pytest.raises(ValueError, match=message) as error:
        sporos.optimize("network", case=case, over=over, minimize="number waiting at triage", **SHORT)
    assert "\n" not in str(error.value) and "--" not in str(error.value)


def test_invalid_cases():
    for case in {1: object()}, {"horizon": float("nan")}:
        with pytest.raises(TypeError, match="case is .*, expected a value that JSON can represent"):
            sporos.optimize("network", case=case, over={"stations.triage.servers": (1, 2)}, minimize="1")
