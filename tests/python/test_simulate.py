# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import gc
import math
import shutil
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
from command_line import DATA, json_of, without_times

import sporos
from sporos._progress import Elapsed, Watched

EXPERIMENTS = [
    ("pi", {}, {"replications": 100}),
    ("mm1", {"customers": 50, "arrival_rate": 0.5}, {"replications": 300, "seed": 2**64 - 1}),
    ("mmck", {"customers": 100}, {"relative_precision": 0.05, "max_replications": 4096, "batch": 128}),
    ("random-walk", {}, {"replications": 64, "engine": "mrg32k3a", "confidence": 0.9}),
    ("newsboy", {}, {"replications": 100, "sampling": "antithetic"}),
    ("pert", {}, {"run_length": 10, "replications": 200, "sampling": "latin-hypercube"}),
    ("pert", {}, {"sampling": "refined-descriptive", "primes": (7, 31), "sub_runs": "equal", "run_length": 60}),
    ("mm1", {"customers": 20, "arrival_rate": [0.3, 0.6], "service_rate": [1.0, 1.5]}, {"replications": 64}),
    ("mm1", {"customers": 20}, {"replications": 64, "covariances": True}),
    ("mm1", {"customers": 20, "arrival_rate": "0.1:0.5:0.2"}, {"common_random_numbers": False, "mapping": "warp"}),
]


def words_of(options):
    for name, value in options.items():
        if isinstance(value, bool):
            value = "on" if value else "off"
        if isinstance(value, (list, tuple)):
            value = (":" if name == "primes" else ",").join(str(one) for one in value)
        yield f"--{name.replace('_', '-')}={value}"


@pytest.mark.parametrize("model, parameters, plan", EXPERIMENTS)
def test_same_as_the_command_line(model, parameters, plan):
    for backend in sporos.backends():
        expected = json_of("simulate", model, *words_of({**parameters, **plan}), program=f"sporos-{backend}")
        result = sporos.simulate(model, **parameters, **plan, backend=backend)
        assert without_times(result.to_dict()) == expected


def test_design_points_of_every_form():
    points = [{"arrival_rate": 0.2, "customers": 10}, {"arrival_rate": 0.7, "customers": 30}]
    columns = {"arrival_rate": np.array([0.2, 0.7]), "customers": [10, 30]}

    class Frame:  # has the interface of a pandas.DataFrame
        def to_dict(self, kind):
            assert kind == "records"
            return points

    digests = [
        [point.digest for point in sporos.simulate("mm1", design=design, replications=10).points]
        for design in (points, columns, Frame())
    ]
    assert digests[0] == digests[1] == digests[2]
    crossed = sporos.simulate("mm1", design=points, service_rate=[1.0, 2.0], replications=10)
    assert [point.parameters["service_rate"] for point in crossed.points] == [1.0, 2.0, 1.0, 2.0]


def test_outputs_yield_the_estimates():
    result = sporos.simulate("mm1", customers=30, replications=1000, outputs=True)
    assert result.outputs.shape == (1000, 4)
    assert result.outputs.dtype == np.float64
    assert result.outputs.flags["C_CONTIGUOUS"]
    wait, stay, idle, _ = means = result.outputs.mean(axis=0)
    means[3] = 30 * wait / (idle + 30 * (stay - wait))  # the queue length is a ratio of means
    np.testing.assert_allclose(means, result.mean, rtol=1e-13)
    np.testing.assert_allclose(result.outputs[:, 0].std(ddof=1), result.deviation[0], rtol=1e-12)
    assert result.digest == sporos.simulate("mm1", customers=30, replications=1000).digest


def test_outputs_are_read_without_copies():
    result = sporos.simulate("mm1", customers=[30, 40], replications=100, outputs=True)
    outputs = [point.outputs for point in result.points]
    views = [np.from_dlpack(one) for one in outputs] + [np.asarray(memoryview(one)) for one in outputs]
    expected = [one.copy() for one in outputs] * 2
    assert all(np.shares_memory(view, one) for view, one in zip(views, outputs * 2))
    assert not np.shares_memory(outputs[0], outputs[1]) and outputs[0].__dlpack_device__() == (1, 0)
    del result, outputs
    gc.collect()
    assert all((view == one).all() for view, one in zip(views, expected))  # the views keep the memory alive


def test_outputs_on_the_device_of_a_host_are_numpy_arrays():
    host = sporos.backends()[0]
    on_device = sporos.simulate("mm1", customers=[30, 40], replications=100, outputs="device", backend=host)
    expected = sporos.simulate("mm1", customers=[30, 40], replications=100, outputs=True)
    for one, other in zip(on_device.points, expected.points, strict=True):
        assert isinstance(one.outputs, np.ndarray) and (one.outputs == other.outputs).all()
    with pytest.raises(ValueError, match="outputs is 'gpu', expected True, False or 'device'"):
        sporos.simulate("mm1", replications=10, outputs="gpu")


def test_covariances_are_those_of_the_outputs():
    result = sporos.simulate("continuous-newsvendor", replications=500, outputs=True, covariances=True)
    expected = np.cov(result.outputs, rowvar=False)
    np.testing.assert_allclose(result.covariances, expected, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(result.correlations, np.corrcoef(result.outputs, rowvar=False), rtol=1e-10, atol=1e-14)
    none = sporos.simulate("pi", replications=10)
    assert none.covariances is None and none.correlations is None


def test_quantiles_are_those_of_the_outputs():
    result = sporos.simulate("mm1", customers=30, replications=400, outputs=True, quantiles=[0.5, 0.999])
    table = result.table("quantiles")
    medians, rare = table["probability"] == 0.5, table["probability"] == 0.999
    np.testing.assert_allclose(table["quantile"][medians], np.quantile(result.outputs, 0.5, axis=0), rtol=1e-12)
    assert (table["low"] <= table["quantile"])[medians].all() and (table["quantile"] <= table["high"])[medians].all()
    assert np.isnan(table["high"][rare]).all() and np.isfinite(table["high"][medians]).all()
    with pytest.raises(ValueError, match="quantiles is '2', expected numbers between 0 and 1"):
        sporos.simulate("mm1", quantiles=2)


def test_outputs_end_where_a_precision_is_reached():
    result = sporos.simulate("pi", precision=0.02, max_replications=100_000, batch=500, outputs=True)
    assert result.stopped_by == "precision"
    assert result.outputs.shape == (result.replications, len(result.responses))
    np.testing.assert_allclose(result.outputs.mean(axis=0), result.mean, rtol=1e-13)


def test_outputs_of_dependent_replications_are_observations():
    result = sporos.simulate("pert", sampling="latin-hypercube", run_length=20, replications=400, outputs=True)
    assert result.outputs.shape[0] == 20 == result.estimates[0].observations
    np.testing.assert_allclose(result.outputs.mean(axis=0), result.mean, rtol=1e-13)


def test_outputs_of_every_design_point():
    both = sporos.simulate("mm1", customers=20, arrival_rate=[0.2, 0.8], replications=50, outputs=True)
    single = sporos.simulate("mm1", customers=20, arrival_rate=0.8, replications=50, outputs=True)
    np.testing.assert_array_equal(both.points[1].outputs, single.outputs)


def test_without_outputs_there_are_none():
    assert sporos.simulate("pi", replications=10).outputs is None


@pytest.mark.parametrize("plan", [{}, {"precision": 0.5}, {"sampling": "antithetic"}, {"engine": "ranlux24-1"}])
def test_replay_gives_the_same_bits(plan):
    result = sporos.simulate("mm1", customers=20, arrival_rate=[0.2, 0.8], **plan)
    one = sporos.replay(result, 5, point=1)
    assert list(one) == list(result.responses)
    if not plan:
        outputs = sporos.simulate("mm1", customers=20, arrival_rate=0.8, outputs=True).outputs
        np.testing.assert_array_equal(list(one.values()), outputs[5])


def test_means_are_rows_of_a_table():
    records = sporos.simulate("mm1", customers=20, arrival_rate=[0.2, 0.8], replications=50).table().rows()
    assert len(records) == 8
    assert {"point", "arrival_rate", "response", "mean", "low", "high", "exact"} <= set(records[0])
    assert records[4]["arrival_rate"] == 0.8
    assert all(record["low"] < record["mean"] < record["high"] for record in records)


def test_arrays_of_all_design_points():
    both = sporos.simulate("mm1", customers=20, arrival_rate=[0.2, 0.8], replications=50)
    for name in ("mean", "half_width", "standard_error", "variance", "deviation", "exact"):
        values = getattr(both, name)
        assert values.shape == (2, 4)
        np.testing.assert_array_equal(values[1], getattr(both.points[1], name))
        if name != "standard_error":
            expected = [getattr(estimate, name) for estimate in both.points[1].estimates]
            np.testing.assert_array_equal(values[1], [np.nan if number is None else number for number in expected])
    assert both.interval.shape == (2, 4, 2)
    np.testing.assert_allclose(both.interval.mean(axis=-1), both.mean)
    single = sporos.simulate("mm1", customers=20, arrival_rate=0.8, replications=50)
    assert single.interval.shape == (4, 2)
    np.testing.assert_array_equal(single.mean, both.mean[1])
    t = 2.009575  # quantile of Student's distribution with 49 degrees of freedom at 0.975
    np.testing.assert_allclose(single.half_width, t * single.standard_error, rtol=1e-6)


def test_data_files():
    result = sporos.simulate("pert", network=str(DATA / "pert.csv"), replications=50)
    assert without_times(result.to_dict()) == json_of(
        "simulate", "pert", "--network", DATA / "pert.csv", "--replications", "50"
    )


def test_members_of_a_case():
    case = DATA / "networks" / "erlang_a.json"
    result = sporos.simulate("network", case=case, replications=4, **{"stations.agents.servers": [40, 41]})
    assert without_times(result.to_dict()) == json_of(
        "simulate", "network", "--case", case, "--stations.agents.servers=40:41", "--replications=4"
    )


def test_models_list_all_parameters():
    for model in sporos.models():
        defaults = {parameter.name: parameter.default for parameter in model.parameters}
        result = sporos.simulate(model.name, **defaults, replications=2)
        used = result.points[0].parameters
        # Names with dots are members of a case.
        assert {name: value for name, value in used.items() if "." not in name} == defaults
        assert result.responses == model.responses


def test_callback_sees_the_progress_and_stops():
    seen = []

    def watch(progress):
        seen.append(progress)
        return len(seen) < 3

    result = sporos.simulate("mm1", customers=1000, replications=10**11, progress=watch)
    assert result.stopped_by == "interrupted"
    assert len(seen) == 3
    assert seen[-1].done == result.replications < seen[-1].at_most == 10**11
    assert "simulate mm1: " in str(seen[-1])
    assert sporos.simulate("mm1", customers=1000, replications=result.replications).digest == result.digest


def test_callback_raises():
    def watch(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        sporos.simulate("pi", replications=1000, progress=watch)
    with pytest.raises(RuntimeError, match="or the function of a model, has called sporos"):
        sporos.simulate("pi", replications=10, progress=lambda progress: sporos.simulate("pi", replications=10))
    assert sporos.simulate("pi", replications=10).replications == 10


class Bar:
    """Stand-in for tqdm, which records what it shows."""

    made = []

    def __init__(self, desc, total, **_):
        self.desc, self.total, self.start_t, self.n, self.shown, self.is_open = desc, total, 100.0, 0, [], True
        Bar.made.append(self)

    def reset(self, total):
        self.total, self.start_t = total, 0.0

    def set_postfix_str(self, text, refresh):
        self.figures = text

    def refresh(self):
        self.shown.append((self.n, self.total, self.figures, self.start_t))

    def close(self):
        self.is_open = False


STATES = [dict(done=done, at_most=400 if done > 9 else 200, seconds=seconds, stage="EM") for done, seconds in
          ((1, 0.1), (5, 0.5), (9, 1.5), (10, 1.6), (30, 1.9))]


@pytest.mark.parametrize("progress, first", [(True, 1), (None, 2)])
def test_progress_bar_of_tqdm(progress, first, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with Watched("fit", progress) as report:
        assert all(report(state) for state in STATES)
    bar = Bar.made.pop()
    start = 100 - STATES[first]["seconds"]
    expected = [(5, 200, "stage EM", start), (9, 200, "stage EM", start), (30, 400, "stage EM", start)]
    assert bar.shown == expected[first - 1:] and bar.desc == "fit" and not bar.is_open
    with Watched("fit", False) as report:
        assert report is None


def test_progress_is_shown_where_somebody_sees_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    for sees, line in ((False, ""), (True, "\rfit: 30 of at most 400, 8 %, stage EM, 1.9 s ")):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: sees, raising=False)
        with Watched("fit", None) as report:
            assert (report is None) != sees and (report is None or all(report(state) for state in STATES))
        with Elapsed("rare_event mm1", 0):
            time.sleep(0.05)
        shown = capsys.readouterr().err
        assert line in shown and ("\rsporos: rare_event mm1, 0 s " in shown) == sees
        assert shown.endswith(" \r" if sees else "")
    monkeypatch.setattr(sys, "stderr", None)  # as with pythonw
    assert Watched("fit", None).__enter__() is None


def test_progress_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    sporos.simulate("mm1", customers=1000, time_limit=0.8, replications=10**11, progress=True)
    shown = capsys.readouterr().err
    assert "\rsimulate mm1: " in shown and "of at most 100000000000" in shown
    assert shown.endswith(" \r")
    sporos.simulate("pi", replications=10)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(model="nothing"), "unknown model 'nothing': expected one of pi, mm1"),
        (dict(model="mm2"), r"unknown model 'mm2': did you mean 'mm1'\?"),
        (dict(model="mm1", arival_rate=0.5), "'arival_rate' is no parameter of mm1: did you mean 'arrival_rate'"),
        (dict(model="mm1", replication=5), "^'replication' is no parameter of mm1: did you mean the option 'replications'"),
        (dict(model="mm1", colour=5), "^'colour' is no parameter of mm1: expected one of arrival_rate"),
        (dict(model="mm1", arrival_rate=-1), "arrival_rate is -1, expected a positive finite number"),
        (dict(model="mm1", arrival_rate=float("nan")), "arrival_rate is nan, expected"),
        (dict(model="mm1", arrival_rate=[-1.0, float("inf")]), "design point 1: arrival_rate is -1"),
        (dict(model="mm1", customers=2.5), "customers is '2.5', expected a whole number"),
        (dict(model="pi", replications=0), "^replications is '0', expected a whole number from 1"),
        (dict(model="pi", replications=-5), "^replications is '-5'"),
        (dict(model="pi", replications=10, precision=0.1), "^replications is given with a precision: expected max_rep"),
        (dict(model="pi", precision=0), "^precision is 0, expected a positive number"),
        (dict(model="pi", seed=-1), "^seed is '-1', expected a whole number from 0"),
        (dict(model="pi", seed=2**64), "^seed is '18446744073709551616'"),
        (dict(model="pi", engine="dice"), "engine.*'dice'"),
        (dict(model="pi", sampling="dice"), "sampling.*'dice'"),
        (dict(model="pi", mapping="dice"), "mapping.*'dice'"),
        (dict(model="pi", primes=(7, 31)), "^primes is given for sampling random"),
        (dict(model="pi", confidence=1.5), "confidence is 1.5, expected a number between 0 and 1"),
        (dict(model="pi", sampling="antithetic", replications=11), "replications is 11, expected a multiple of 2"),
        (dict(model="pi", backend="tpu"), f"backend is 'tpu', expected one of {sporos.backends()[0]}"),
        (dict(model="mm1", design=[]), "design has no point"),
        (dict(model="mm1", design=[{"arrival_rate": "x"}]), r"design\[0\]: arrival_rate is 'x', expected a number"),
        (dict(model="mm1", design=[{"speed": 1}]), "'speed' is no parameter of mm1"),
        (dict(model="mm1", design={"arrival_rate": [1], "customers": [1, 2]}), "design has columns of the lengths"),
        (dict(model="mm1", arrival_rate=[1.0] * 400, service_rate=[1.0] * 400), "ranges make 160000 design points"),
        (dict(model="pert", network="/nowhere.csv"), "/nowhere.csv"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message) as error:
        sporos.simulate(**arguments)
    assert "\n" not in str(error.value) and "--" not in str(error.value)


def test_values_of_wrong_types():
    with pytest.raises(TypeError, match="replications is .*, expected a number or a string"):
        sporos.simulate("pi", replications=[10])
    with pytest.raises(TypeError, match="arrival_rate"):
        sporos.simulate("mm1", arrival_rate={})
    with pytest.raises(TypeError, match="progress is 3"):
        sporos.simulate("pi", progress=3)


def test_runs_that_exceed_the_memory():
    with pytest.raises(MemoryError, match="the outputs of 1000000000000 observations need .* would fit"):
        sporos.simulate("pi", replications=10**12, outputs=True)


def test_unknown_names():
    result = sporos.simulate("mm1", customers=10, arrival_rate=[0.2, 0.4], replications=4)
    with pytest.raises(ValueError, match="there are 2 design points, expected one of `points`"):
        result.estimates
    with pytest.raises(KeyError, match="'profit' is no response: expected time in queue"):
        result.points[0]["profit"]
    with pytest.raises(ValueError, match="point is 2, expected a number from 0 to 1"):
        sporos.replay(result, 0, point=2)
    with pytest.raises(ValueError, match="replication is -1, expected at least 0"):
        sporos.replay(result, -1)


def test_notes():
    few = dict(servers=1, customers=50, replications=128)
    (note,) = [note for note in sporos.simulate("mmck", **few).notes if "utilization" in note]
    assert note.startswith("the interval of 'utilization' may cover less often than 95 %: a skewness of -")
    grid = sporos.simulate("mmck", arrival_rate=[0.5, 4], **few).notes
    assert any("'utilization'" in note and "at 1 of 2 design points, the worst being design point 2" in note for note in grid)
    assert sporos.simulate("pi", replications=1000).notes == ()


def test_notes_of_files(tmp_path):
    file = tmp_path / "demand.csv"
    file.write_bytes(b"demand;probability\r\n1;0,5\r\n2;0,5\r\n")
    notes = sporos.simulate("newsboy", demand=file, quantity=1, replications=100).notes
    assert notes[0] == f"{file} has ';' between its fields, decimal commas, lines that end with CRLF"


def test_quantiles_to_a_precision():
    result = sporos.simulate("mm1", customers=1, quantiles=[0.5], quantile_precision=0.05)
    expected = json_of(
        "simulate", "mm1", "--customers=1", "--quantiles=0.5", "--quantile-precision=0.05"
    )  # fmt: skip
    assert result.digest == expected["findings"]["digest"]
    table = result.table("quantiles")
    assert (table["high"] - table["low"])[list(table["response"]).index("time in system")] <= 0.1
    assert result.points[0].stopped_by == "precision"
    with pytest.raises(ValueError, match="quantile_precision is given without quantiles: expected both"):
        sporos.simulate("mm1", quantile_precision=1)
    with pytest.raises(ValueError, match="relative_quantile_precision is -1, expected a positive number"):
        sporos.simulate("mm1", quantiles=0.5, relative_quantile_precision=-1)


def test_simultaneous_intervals():
    queues = {"customers": 30, "arrival_rate": [0.4, 0.5, 0.6], "replications": 300}
    result = sporos.simulate("mm1", **queues, simultaneous="max-t", compare="idle time", compare_with="largest")
    known = json_of(
        "simulate", "mm1", "--customers=30", "--arrival-rate=0.4,0.5,0.6", "--replications=300", "--simultaneous=max-t",
        "--compare=idle_time", "--compare-with=largest"
    )  # fmt: skip
    assert without_times(result.to_dict()) == known
    assert (result.table()["simultaneous_half_width"] > result.table()["half_width"]).all()
    differences, distances = result.table("differences"), result.table("distances")
    assert list(differences["first"]) == [2, 3, 3] and list(differences["second"]) == [1, 1, 2]
    assert (differences["low"] < differences["difference"]).all()
    assert list(distances["verdict"]) == ["best", "not best", "not best"]
    assert "differences" not in sporos.simulate("pi", replications=10).tables
    with pytest.raises(ValueError, match="compare is given for one design point, expected several to choose from"):
        sporos.simulate("pi", compare="pi")


def test_control_variates():
    result = sporos.simulate("mm1", customers=30, arrival_rate=[0.4, 0.5], control_variates=True)
    known = json_of("simulate", "mm1", "--customers=30", "--arrival-rate=0.4,0.5", "--control-variates")
    assert without_times(result.to_dict()) == known
    table = result.table("controlled_means")
    assert list(table["point"]) == [1] * 4 + [2] * 4 and (table["half_width"] < result.table()["half_width"]).all()
    assert "controlled_means" not in sporos.simulate("mm1", customers=3, control_variates=False).tables
    with pytest.raises(ValueError, match="control_variates is given with pi, which has no control variates, expected mm1"):
        sporos.simulate("pi", control_variates=True)
    with pytest.raises(ValueError, match="control_variates is given with outputs"):
        sporos.simulate("mm1", control_variates=True, outputs=True)


def test_probabilities_of_events():
    event = "time in system > 3/service-rate"
    result = sporos.simulate("mm1", customers=1, service_rate=[1, 2], probabilities=event)
    expected = json_of(
        "simulate", "mm1", "--customers=1", "--service-rate=1,2", f"--probability={event}"
    )  # fmt: skip
    assert without_times(result.to_dict()) == expected
    table = result.table("probabilities")
    assert list(table["event"]) == [event] * 2
    assert (table["low"] < math.exp(-3)).all() and (math.exp(-3) < table["high"]).all()
    with pytest.raises(ValueError, match="expected RESPONSE < BOUND"):
        sporos.simulate("mm1", probabilities="time in system")


@pytest.mark.parametrize(
    "words, options",
    [
        (
            ["--service-rate", "1,2", "--quantiles", "0.5,0.99", "--compare", "time in queue", "--compare-with",
             "largest", "--simultaneous", "max-t", "--probability", "time in system > 3"],
            {"service_rate": [1, 2], "quantiles": [0.5, 0.99], "compare": "time in queue", "compare_with": "largest",
             "simultaneous": "max-t", "probabilities": "time in system > 3"},
        ),
        (["--control-variates"], {"control_variates": True}),
        (
            ["--service-rate", "1,2,4", "--require", "time in queue < 0.5", "--require", "idle time > 1", "--cost",
             "service_rate + time in queue", "--smallest", "time in queue", "--histogram", "idle time=0:9:3",
             "--density", "time in queue=0:2:5"],
            {"service_rate": [1, 2, 4], "require": ["time in queue < 0.5", "idle time > 1"],
             "point_cost": "service_rate + time in queue", "smallest": "time in queue", "histogram": "idle time=0:9:3",
             "density": "time in queue=0:2:5"},
        ),
        (["--quantiles", "0.5"], {"quantiles": 0.5}),
    ],
)
def test_to_dict_equals_the_json_of_the_command_line(words, options):
    result = sporos.simulate("mm1", customers=10, replications=100, **options)
    document = without_times(result.to_dict())
    assert document == json_of("simulate", "mm1", "--customers", "10", "--replications", "100", *words)
    plain = sporos.simulate("mm1", customers=10, replications=100)
    assert without_times(plain.to_dict()) != document  # control


def test_results_are_tables():
    result = sporos.simulate(
        "mm1", customers=10, replications=100, service_rate=[1, 2], require="time in queue < 0.5", largest="idle time",
        histogram=["idle time=0:9:3", "time in queue=0:1:2"], density="idle time=0:9:4",
    )  # fmt: skip
    requirements = result.table("requirements")
    assert list(requirements["point"]) == [2, 1] and list(requirements["verdict"]) == ["meets", "violates"]
    assert result.table("best")["probability"].sum() == 1
    for point in result.points:
        bins = [row for row in point.rows("histograms") if row["response"] == "time in queue"]
        assert [row["below"] for row in bins] == [0, 0.5, 1, None]
        assert sum(row["replications"] for row in bins) == 100
        assert all(row["low"] <= row["share"] <= row["high"] for row in bins)
        assert [row["at"] for row in point.rows("densities")] == [0, 3, 6, 9]
    plain = sporos.simulate("pi", replications=10)
    with pytest.raises(KeyError, match="'best' is no table: expected means, points, design"):
        plain.table("best")


def test_conditional_and_invalid_design_points():
    result = sporos.simulate("pi", replications=100, conditional=True)
    assert result.digest == json_of("simulate", "pi", "--replications", "100", "--conditional")["findings"]["digest"]
    result = sporos.simulate("mmck", servers=[1, 9], capacity=5, replications=10, require="utilization < 2")
    assert len(result.points) == 1
    assert result.table("skipped").rows() == [{"servers": 9, "reason": "capacity is 5, expected at least the 9 servers"}]
    with pytest.raises(ValueError, match="design point 1: capacity is 5, expected at least the 8 servers"):
        sporos.simulate("mmck", servers=[8, 9], capacity=5, replications=10)
    with pytest.raises(ValueError, match="cost is given without require: expected both"):
        sporos.simulate("pi", replications=10, point_cost="1")
    with pytest.raises(ValueError, match="picture is given with pi, expected it only with network"):
        sporos.simulate("pi", replications=10, picture="x.svg")
    with pytest.raises(ValueError, match="histogram is 'idle time=0:inf:5', which has an edge of inf; give finite edges"):
        sporos.simulate("mm1", replications=10, histogram="idle time=0:inf:5")


@pytest.mark.skipif(shutil.which("gnuplot") is None, reason="no gnuplot")
def test_reports_and_pictures(tmp_path):
    report, picture, timeline = (tmp_path / name for name in ("run.html", "network.svg", "numbers.svg"))
    sporos.simulate("network", replications=10, report=report, picture=picture, timeline=str(timeline))
    assert "sporos simulate network --replications 10" in report.read_text()
    assert report.read_text().count('<figure class="animation">') == 1
    assert "<svg" in picture.read_text() and "<svg" in timeline.read_text()
    with pytest.raises(ValueError, match="report is given with design"):
        sporos.simulate("mm1", design=[{"arrival_rate": 0.5}], replications=10, report=report)
    with pytest.raises(ValueError, match="picture is given for 2 design points, expected one"):
        sporos.simulate("network", replications=10, picture=picture, **{"stations.triage.servers": [2, 3]})
