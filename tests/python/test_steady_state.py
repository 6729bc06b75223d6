# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import math

import numpy as np
import pytest
from command_line import json_of

import sporos

CASE = {
    "time_unit": "min",
    "horizon": 1,
    "classes": {"customer": {"interarrival": "exponential(0.5)", "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}},
}


def rows_of(found):
    """Returns the rows of the table "means" by response."""
    return {row["response"]: row for row in found.table("means").rows()}


@pytest.mark.parametrize("method", ["skart", "overlapping", "replications"])
def test_as_in_the_command_line(method):
    for backend in sporos.backends():
        expected = json_of(
            "steady-state", "mm1", f"--method={method}", "--arrival-rate=0.6", "--seed=3",
            "--observations=30000", program=f"sporos-{backend}",
        )  # fmt: skip
        found = sporos.steady_state(
            "mm1", method=method, arrival_rate=0.6, seed=3, observations=30000, backend=backend
        )
        document = dict(found.to_dict())
        for result in document, expected:
            for entry in ("seconds", "machine"):
                result.pop(entry, None)
        assert document == expected
        mean = rows_of(found)["time in queue"]
        assert mean["low"] < mean["mean"] < mean["high"]
        assert mean["half_width"] == max(mean["mean"] - mean["low"], mean["high"] - mean["mean"])
        assert mean["exact"] == pytest.approx(1.5)
        assert found.settings["method"] == method and found.stopped_by == "observations"


def test_missing_intervals_have_a_reason():
    found = sporos.steady_state("mmck", arrival_rate=0.1, capacity=30, observations=20000)
    assert rows_of(found)["blocking probability"]["no_interval"] == "the series does not vary"
    assert rows_of(found)["blocking probability"]["half_width"] is None
    assert rows_of(found)["utilization"]["no_interval"] is None
    assert found.notes == ("blocking probability has no interval: the series does not vary",)
    assert np.isnan(found.table("means")["batch_size"]).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(model="pi"), "pi has no steady-state series: expected mm1, mmck, network"),
        (dict(model="pert"), "pert has no steady state, because a project ends"),
        (dict(model="mm1", response="idle time"), "response is .*, which is no response"),
        (dict(model="pi", method="skart"), "has no steady-state series"),
        (dict(model="mm1", arrival_rate=2), "expected less than service_rate"),
        (dict(model="mm1", method="skat"), "expected one of skart"),
        (dict(model="mm1", runs=4), "runs is 4, expected 1 with method skart"),
        (dict(model="mm1", customers=4), "customers is given, but steady-state runs have no end"),
        (dict(model="mm1", arrival_rate="0.1:0.3:0.1"), "3 design points, expected one"),
    ],
)
def test_refuses_in_one_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        sporos.steady_state(**arguments)


def test_distributions_require_a_network(tmp_path):
    for option in (dict(quantiles=[0.9]), dict(probabilities="time in queue > 2")):
        with pytest.raises(TypeError, match=r"use sporos.simulate\('network', case=...\) and a case with warm_up"):
            sporos.steady_state("mm1", **option)
    case = tmp_path / "mm1.json"
    case.write_text(
        """{"time_unit": "min", "horizon": 3000, "warm_up": 100, "wait_quantiles": [0.9], "wait_limits": [2],
            "classes": {"customer": {"interarrival": "exponential(0.5)", "enters": "desk"}},
            "stations": {"desk": {"service": "exponential(1)"}}}"""
    )
    (found,) = sporos.simulate("network", case=str(case), replications=100).points
    # P(wait > t) = exp(-t / 2) / 2; quantiles of runs of 2900 min have a bias below 2 %.
    assert found["0.9-quantile of wait at desk"].mean == pytest.approx(2 * math.log(5), rel=0.05)


def test_progress_can_stop_the_run():
    found = sporos.steady_state("mm1", relative_precision=1e-9, observations=10**12, progress=lambda now: now.done < 50000)
    assert found.stopped_by == "interrupted"
    assert 50000 <= found.findings["observations"] < 10**8


def test_networks_have_the_responses_of_their_case(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(CASE))
    expected = json_of(
        "steady-state", "network", f"--case={path}", "--seed=2", "--observations=40000",
        "--response=wait at desk", "--response=time in network",
    )  # fmt: skip
    found = sporos.steady_state(
        "network", case=str(path), seed=2, observations=40000, response=["wait at desk", "time in network"]
    )
    assert found.to_dict()["tables"] == expected["tables"]
    assert found.settings["observation"] == "20 min"
    rows = rows_of(found)
    assert list(rows) == ["time in network", "wait at desk"]
    for name, exact in ("time in network", 2), ("wait at desk", 1):
        assert abs(rows[name]["mean"] - exact) < 2 * rows[name]["half_width"]
    same = sporos.steady_state(CASE, seed=2, observations=40000, response="wait at desk")
    assert rows_of(same) == {"wait at desk": rows["wait at desk"]}
    ends = CASE | {"until": {"number": 5}}
    with pytest.raises(ValueError, match='the case has no steady state: "until" ends it'):
        sporos.steady_state(ends)
