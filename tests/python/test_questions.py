# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Analyses of one model give the results of the command line."""

import math

import numpy as np
import pytest
from command_line import DATA, json_of, table, without_times

import sporos

RARE = "number in system >= 20"
QUESTIONS = [
    (sporos.rare_event, ("mm1", RARE), dict(chains=100, runs=4, seed=3),
     ["mm1", "--event", RARE, "--chains=100", "--runs=4", "--seed=3"]),
    (sporos.rare_event, ("mm1", RARE), dict(method="importance", replications=500, pilot_replications=500),
     ["mm1", "--event", RARE, "--method=importance", "--replications=500", "--pilot-replications=500"]),
    (sporos.multilevel, ("call-options", "European call"), dict(rmse=0.5, confidence=0.9),
     ["call-options", "--response", "European call", "--rmse=0.5", "--confidence=0.9"]),
    (sporos.stratify, ("mm1", "service times", 4), dict(customers=3, replications=100, neyman="time in system"),
     ["mm1", "--strata", "service times:4", "--customers=3", "--replications=100", "--neyman", "time in system"]),
    (sporos.array_rqmc, ("mm1", 1), dict(chains=64, arrival_rate=0.4),
     ["mm1", "--chain-steps=1", "--chains=64", "--arrival-rate=0.4"]),
    (sporos.sensitivity, ("mm1", {"arrival_rate": (0.3, 0.7), "service_rate": "uniform(0.9, 1.1)"}),
     dict(customers=9, base_points=16, replications=4),
     ["mm1", "--uncertain=arrival_rate=0.3:0.7", "--uncertain=service_rate=uniform(0.9, 1.1)", "--customers=9",
      "--base-points=16", "--replications=4"]),
    (sporos.input_uncertainty, ("mm1", {"service_rate": f"rate({DATA / 'old_faithful.csv'})"}),
     dict(customers=9, outer_samples=40, replications=4),
     ["mm1", f"--input=service_rate=rate({DATA / 'old_faithful.csv'})", "--customers=9", "--outer-samples=40",
      "--replications=4"]),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "keywords", "words"), QUESTIONS)
def test_as_in_the_command_line(function, arguments, keywords, words):
    for backend in sporos.backends():
        expected = json_of(function.__name__.replace("_", "-"), *words, program=f"sporos-{backend}")
        assert without_times(function(*arguments, **keywords, backend=backend).to_dict()) == expected


def test_tables_are_arrays():
    result = sporos.stratify("mm1", "service-times", 4, customers=3, replications=100)
    means, strata = result.table(), result.table("strata")
    assert result.tables == ("means", "strata") and len(means) == len(list(means)) == 6
    assert means["response"].tolist() == ["time in queue", "time in system", "idle time"]
    single = sporos.stratify("mm1", "service-times", 4, customers=1, replications=100).table()
    # Nobody waits, so the half-width is unknown.
    assert math.isnan(single["half_width"][0]) and single.rows()[0]["half_width"] is None
    assert strata["stratum"].dtype == np.int64 and strata["stratum"].tolist() == 3 * [1, 2, 3, 4]
    assert [one.half_width for one in means.columns][:2] == [None, "half_width"]
    assert "queue length is a ratio of means" in str(result) and "<table>" in result._repr_html_()
    with pytest.raises(KeyError, match="no table: expected means, strata"):
        result.table("mean")
    with pytest.raises(KeyError, match="no column: expected response, mean, "):
        means["average"]


def test_observations_of_an_array_equal_those_of_a_file():
    times, _ = table("old_faithful.csv")
    from_file, from_array = (
        sporos.input_uncertainty("mm1", {"service_rate": one}, customers=9, outer_samples=40, replications=4).to_dict()
        for one in (f"rate({DATA / 'old_faithful.csv'})", ("rate", times[:, 0]))
    )
    assert from_file["tables"]["means"] == from_array["tables"]["means"]
    with pytest.raises(TypeError, match="service_rate is 3, expected a pair of a statistic and observations"):
        sporos.input_uncertainty("mm1", {"service_rate": 3})


def test_pandas_reads_them():
    pandas = pytest.importorskip("pandas")
    frame = sporos.array_rqmc("mm1", 1, chains=64).to_pandas("randomizations")
    assert isinstance(frame, pandas.DataFrame) and len(frame["estimate"]) == 30


def test_time_limit_keeps_complete_runs():
    result = sporos.rare_event("mm1", RARE, chains=20, runs=10**7, time_limit=2)
    assert result.stopped_by == "time limit" and 2 <= result.findings["runs"] < 10**7
    with pytest.raises(RuntimeError, match=r"the time limit of 0.2 s is over before 2 runs were done"):
        sporos.rare_event("mm1", "number in system >= 200", chains=10**7, time_limit=0.2)
    with pytest.raises(RuntimeError, match="is over before each design point had 2 observations"):
        # On a GPU, the first launch makes all observations.
        sporos.sensitivity("mm1", {"arrival_rate": (0.1, 0.9)}, customers=10**6, time_limit=0.2, backend=sporos.backends()[0])


@pytest.mark.parametrize(
    ("function", "arguments", "keywords", "message"),
    [
        (sporos.rare_event, ("mm1", "wait > 3"), {}, "event is 'wait > 3', expected one side to be a response"),
        (sporos.rare_event, ("mm1", RARE), dict(replications=9), "replications is given, expected it only with"),
        (sporos.rare_event, ("mm1", RARE), dict(chain=9), "'chain' is no parameter of mm1: did you mean the option 'chains'"),
        (sporos.multilevel, ("mm1", "time in queue"), {}, "mm1 has no levels: expected call-options"),
        (sporos.stratify, ("pi", 1, 0), {}, "number of strata is '0', expected a whole number from 2"),
        (sporos.array_rqmc, ("mm1", 3), dict(chains=100), "chains is 100, expected a power of two"),
        (sporos.array_rqmc, ("mm1", 3), dict(arrival_rate="0.1:0.3:0.1"), "3 design points, expected one"),
    ],
)
def test_refuses_in_one_sentence(function, arguments, keywords, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments, **keywords)
