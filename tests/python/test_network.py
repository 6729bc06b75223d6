# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks built in Python are the cases of the same members in files, and wrong members are refused by their paths."""

import csv
import inspect
import json
import math
import re
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest
from command_line import DATA, SOURCE, command_of, json_of

import sporos

SCHEMA = json.loads((SOURCE / "docs" / "network.schema.json").read_text())
CASES = sorted((DATA / "networks").glob("*.json"))


def clinic(**members):
    network = sporos.Network(time_unit="min", horizon="8 h", wait_limits=["15 min"], **members)
    network.add_class("patient", interarrival="exponential(0.2)", enters="triage")
    branches = [sporos.branch("doctor", 0.7), sporos.branch("leave", 0.3)]
    network.add_station("triage", servers=2, service="uniform(4, 10)", next=branches)
    network.add_station("doctor", servers=3, service="lognormal(2.5, 0.5)")
    return network


def small(**station):
    """A network whose only station has further members."""
    network = sporos.Network(time_unit="min", horizon=100)
    network.add_class("patient", interarrival="exponential(0.2)", enters="triage")
    network.add_station("triage", **{"service": "uniform(4, 10)", **station})
    return network


def digest(network, **arguments):
    return sporos.simulate(network, replications=32, **arguments).digest


# Cases


def test_the_clinic_is_the_built_in_one(tmp_path):
    built_in = sporos.simulate("network", replications=500)
    network = clinic()
    assert sporos.simulate(network, replications=500).digest == built_in.digest
    assert sporos.simulate("network", case=network, replications=500).digest == built_in.digest
    assert sporos.simulate(network.to_dict(), replications=500).digest == built_in.digest
    network.save(tmp_path / "clinic.json")
    expected = json_of("simulate", "network", f"--case={tmp_path / 'clinic.json'}", "--replications=500")
    assert expected["tables"]["points"]["rows"][0]["digest"] == built_in.digest
    network.change(**{"stations.doctor.servers": 2})  # control
    assert sporos.simulate(network, replications=500).digest != built_in.digest


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_examples_survive_a_round_trip(path, tmp_path):
    network = sporos.Network.read(path)
    assert network == json.loads(path.read_text()) == json.loads(str(network)) == network.to_dict()
    assert digest(network) == digest("network", case=path)
    again = sporos.Network(**{name: value for name, value in network.items() if name not in ("classes", "stations")})
    for name, members in network["classes"].items():
        again.add_class(name, **members)
    for name, members in network["stations"].items():
        again.add_station(name, **members)
    again.save(tmp_path / "again.json")
    assert sporos.Network.read(tmp_path / "again.json") == network
    assert digest(again) == digest(network)
    assert all(len(line) <= 120 for line in str(network).splitlines() if line.count(",") > 1)


def test_examples_of_the_repository_have_many_members():
    """Guards the round trip: it is void for members that no example has."""
    texts = "".join(path.read_text() for path in CASES)
    members = [*SCHEMA["$defs"]["class"]["properties"], *SCHEMA["$defs"]["station"]["properties"]]
    assert len([name for name in members if f'"{name}"' in texts]) > 15


@pytest.mark.parametrize(
    ("function", "owner"),
    [
        (sporos.Network, SCHEMA),
        (sporos.Network.add_class, SCHEMA["$defs"]["class"]),
        (sporos.Network.add_station, SCHEMA["$defs"]["station"]),
        (sporos.branch, SCHEMA["$defs"]["branch"]),
    ],
)
def test_every_member_is_a_keyword_with_a_meaning(function, owner):
    keywords = inspect.signature(function).parameters
    assert set(owner["properties"]) <= set(keywords)
    for name in owner["properties"]:
        assert re.search(rf"(- {name}:|{name} : .*\n) *\S", inspect.getdoc(function)), name


def test_every_member_goes_into_the_json():
    """Members need not make sense together here: only the reader of the program checks that."""
    of_class = {name: 1 for name in SCHEMA["$defs"]["class"]["properties"]}
    of_station = {name: 1 for name in SCHEMA["$defs"]["station"]["properties"]}
    network = sporos.Network()
    network.add_class("a", **of_class)
    network.add_station("b", **of_station)
    assert network["classes"]["a"] == of_class and network["stations"]["b"] == of_station


def test_values_of_python():
    numbers = np.array([1, 2])
    frozen = SimpleNamespace(  # as scipy.stats.expon(scale=5)
        dist=SimpleNamespace(name="expon", _parse_args=lambda scale: ((), 0, scale)), args=(5,), kwds={}
    )
    network = sporos.Network(time_unit="min", horizon=np.float64(100), wait_limits=numbers, customers=None)
    network.add_class("a", rates=[(0, 0.2), ("1 h", "12 / h")], cycle="2 h", enters=sporos.branch("s"))
    network.add_class("b", interarrival=frozen, enters=[sporos.branch(["s", "t"], choice="shortest", becomes="a")])
    network.add_station(
        "s", servers=np.int64(2), service={"a": frozen, "b": 2.5}, next={"a": "t", "b": [sporos.branch("t", 0.5)]}
    )
    network.add_station("t", servers=math.inf, service=1)
    network.add_station("u", shifts=((0, 1), ("30 min", 2)), service=1)
    assert network == {
        "time_unit": "min",
        "horizon": 100.0,
        "wait_limits": [1, 2],
        "classes": {
            "a": {
                "rates": [{"from": 0, "rate": 0.2}, {"from": "1 h", "rate": "12 / h"}],
                "cycle": "2 h",
                "enters": [{"to": "s"}],
            },
            "b": {
                "interarrival": "exponential(0.2)",
                "enters": [{"to": ["s", "t"], "choice": "shortest", "becomes": "a"}],
            },
        },
        "stations": {
            "s": {
                "servers": 2,
                "service": {"a": "exponential(0.2)", "b": 2.5},
                "next": {"a": "t", "b": [{"to": "t", "probability": 0.5}]},
            },
            "t": {"servers": "unlimited", "service": 1},
            "u": {"shifts": [{"from": 0, "servers": 1}, {"from": "30 min", "servers": 2}], "service": 1},
        },
    }
    assert len(digest(network)) == 16


def test_arrivals_areas_and_ends(tmp_path, monkeypatch):
    """A file of arrivals is relative to the current folder, although the case is written to another one."""
    (tmp_path / "times.csv").write_text("time\n0\n1\n2 min\n")
    monkeypatch.chdir(tmp_path)

    def means_of(network):
        result = sporos.simulate(network, replications=2)
        return dict(zip(result.responses, result.mean))

    network = sporos.Network(
        time_unit="min", horizon=100, areas={"ward": {"stations": ["a"], "room": 2}}, until={"empty_after": 5}
    )
    network.add_class("c", arrivals={"file": "times.csv"}, enters="a")
    network.add_station("a", service=4)
    means = means_of(network)
    assert means["end time in network"] == 8 and means["lost at ward"] == pytest.approx(1 / 3)
    network.change(**{"classes.c.arrivals": [0, 1, "2 min"]})
    assert means_of(network) == means
    network.change(**{"areas.ward.room": 3})  # control
    assert means_of(network) != means


def test_groups_sums_and_speeds():
    """A coach takes two guests at twice the speed. Its service is a sum of two parts."""
    network = sporos.Network(time_unit="min", horizon=10)
    network.add_class("guest", population=3, enters="coach")
    network.add_station("coach", service=[7, "60 s"], speeds=[2], group={"most": 2}, next="desk")
    network.add_station("desk", service=1)

    def utilization():
        result = sporos.simulate(network, replications=2)
        return dict(zip(result.responses, result.mean))["utilization at coach"]

    assert utilization() == pytest.approx(0.4)
    network.change(**{"stations.coach.speeds.1": 4})  # control
    assert utilization() == pytest.approx(0.2)


def test_resources():
    """Two patients need a nurse and one room, which the first of them keeps in the hall."""
    network = sporos.Network(time_unit="min", horizon=20, resources={"room": 1, "nurse": 2})
    network.add_class("patient", population=2, enters="desk")
    network.add_station("desk", service=2, seize=["room", "nurse"], release=["nurse"], next="hall")
    network.add_station("hall", servers="unlimited", service=3, release=["room"])

    def means():
        result = sporos.simulate(network, replications=2)
        return dict(zip(result.responses, result.mean))

    assert means()["wait for room"] == means()["wait for nurse"] == 2.5
    assert means()["utilization of room"] == 0.5 and means()["utilization of nurse"] == 0.1
    network.change(**{"resources.room": 2})  # control
    assert means()["wait for room"] == 0
    with pytest.raises(ValueError, match="stations.desk.seize.1. is '\"bed\"', expected a resource: nurse, room"):
        network.change(**{"stations.desk.seize.2": "bed"})
        sporos.simulate(network)


def test_changes():
    network = clinic()
    copied = network.copy()
    network.change(
        horizon="10 h", wait_limits=None, **{"stations.triage.servers": 3, "stations.triage.next.1.probability": 0.6}
    )
    assert network["horizon"] == "10 h" and "wait_limits" not in network
    assert network["stations"]["triage"]["servers"] == 3
    assert network["stations"]["triage"]["next"] == [
        {"to": "doctor", "probability": 0.6},
        {"to": "leave", "probability": 0.3},
    ]
    assert copied == clinic() != network
    network.change(**{"stations.triage.next.2": sporos.branch("doctor", 0.4), "classes.patient.priority": 2})
    assert network["stations"]["triage"]["next"][1] == {"to": "doctor", "probability": 0.4}
    network.change(**{"stations.doctor.servers": None})
    assert network["stations"]["doctor"] == {"service": "lognormal(2.5, 0.5)"}
    network.to_dict()["stations"].clear()
    assert repr(network) == "Network(2 stations, 1 class)"


# Functions


def test_replay_writes_the_visits(tmp_path):
    result = sporos.simulate(small(servers=1), replications=4)
    log = tmp_path / "visits.csv"
    responses = sporos.replay(result, 2, log=log)
    assert responses == sporos.replay(result, 2)
    with log.open() as file:
        visits = list(csv.DictReader(file))
    assert {visit["replication"] for visit in visits} == {"2"}
    waits = [float(visit["wait"]) for visit in visits if visit["station"] == "triage" and visit["service_begin"]]
    assert responses["wait at triage"] == pytest.approx(sum(waits) / len(waits), rel=1e-12)
    with pytest.raises(ValueError, match="log is given with pi, expected it only with network"):
        sporos.replay(sporos.simulate("pi", replications=2), 0, log=log)


def test_periods_have_a_table():
    members = {"periods": {"every": "1 h", "responses": ["wait"], "stations": ["triage"]}}
    result = sporos.simulate(sporos.Network(**{**small(servers=2).to_dict(), **members}), replications=8)
    periods = result.table("periods")
    assert periods["from"].tolist() == [0, 60] and periods["to"].tolist() == [60, 100]
    means = {row["response"]: row["mean"] for row in result.table().rows()}
    assert periods["wait"][1] == means["wait at triage from 60 to 100 min"]


def test_functions_take_a_network():
    network = small(servers=2)
    over = {"stations.triage.servers": (1, 4)}
    task = dict(minimize="number waiting at triage + 2*stations.triage.servers", replications=500)
    found = sporos.optimize(network, over=over, **task)
    assert found.table().rows() == sporos.optimize("network", case=network.to_dict(), over=over, **task).table().rows()
    chosen = sporos.select(network, over={"stations.triage.servers": [1, 2, 4]}, smallest="wait at triage", delta=0.5)
    assert chosen.table()["stations.triage.servers"].tolist() == [4]
    points = sporos.simulate(network, replications=8, outputs=True, **{"stations.triage.servers": [1, 2]})
    assert len(points.points) == 2
    row = sporos.replay(points, 3, point=1)
    assert list(row.values()) == points.points[1].outputs[3].tolist()
    by_design = sporos.simulate("network", design=[{"case": network}], replications=8)
    assert by_design.digest == points.points[1].digest
    uncertain = {"stations.triage.speed": (0.8, 1.2), "classes.patient.arrival_speed": (0.9, 1.1)}
    indices = sporos.sensitivity(network, uncertain, base_points=16, replications=2).table("indices")
    assert set(indices["parameter"]) == set(uncertain)


def without_triage():
    """The clinic with another route and more doctors."""
    network = clinic()
    network.change(**{"stations.triage.next": "doctor", "stations.doctor.servers": 4})
    return network


def digests(document):
    return [row["digest"] for row in document["tables"]["points"]["rows"]]


def test_a_design_of_cases(tmp_path):
    """Each point of a design has the members of its case, and the results of that case alone."""
    servers = "stations.doctor.servers"
    alone = [digest(clinic()), digest(without_triage()), digest(without_triage(), **{servers: 5})]
    design = [{"case": clinic()}, {"case": without_triage()}, {"case": without_triage(), servers: 5}]
    points = sporos.simulate("network", design=design, replications=32)
    assert points.table("points")["digest"].tolist() == alone
    assert [point.parameters[servers] for point in points.points] == [3, 4, 5]
    files = [tmp_path / "clinic.json", tmp_path / "other.json"]
    for network, file in zip((clinic(), without_triage()), files):
        network.save(file)
    table, run = tmp_path / "design.csv", tmp_path / "run.json"
    table.write_text(f"case\n{files[0]}\n{files[1]}\n")
    words = ("simulate", "network", "--replications=32")
    assert digests(json_of(*words, f"--design={table}")) == alone[:2]
    found = json_of(*words, f"--design={table}", "--stations.doctor.servers=5")
    assert digests(found) == [digest(clinic(), **{servers: 5}), alone[2]]
    table.write_text(f"{servers},case\n3,{files[0]}\n5,{files[1]}\n")
    found = json_of(*words, f"--design={table}")
    assert digests(found) == [alone[0], alone[2]]
    run.write_text(json.dumps(found))
    assert digests(json_of("simulate", "network", f"--plan={run}")) == [alone[0], alone[2]]


def test_a_design_of_unlike_cases_is_refused(tmp_path):
    longer = clinic()
    longer.add_station("x-ray", service=5)
    turned = clinic().to_dict()
    turned["stations"] = dict(reversed(turned["stations"].items()))
    late = {**clinic(), "wait_limits": ["20 min"]}
    remedy = "expected cases with the same members, or a separate run for each case"
    refusals = [
        ([clinic(), longer], f"case: stations.x-ray.servers is no member of the first case, {remedy}"),
        ([longer, clinic()], f"case: stations.x-ray.servers is only a member of the first case, {remedy}"),
        ([clinic(), turned], "case: stations.doctor.servers is where the first case has stations.triage.servers, "
                             "expected members in the same order"),
    ]  # fmt: skip
    for cases, message in refusals:
        with pytest.raises(ValueError, match="^" + re.escape(f"design[1]: {message}") + "$"):
            sporos.simulate("network", design=[{"case": case} for case in cases])
        for i, case in enumerate(cases):
            (tmp_path / f"{i}.json").write_text(json.dumps(dict(case)))
        table = tmp_path / "design.csv"
        table.write_text(f"case\n{tmp_path / '0.json'}\n{tmp_path / '1.json'}\n")
        done = subprocess.run(command_of("simulate", "network", "--design", table), capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr == f"sporos: {table}, line 3: {message}\n"
    names = "the response 'wait over 20 min at triage', where design point 1 has 'wait over 15 min at triage'"
    with pytest.raises(ValueError, match=f"^design point 2 has {names}, expected the same responses$"):
        sporos.simulate("network", design=[{"case": clinic()}, {"case": late}])
    message = r"^case is \[Network\(2 stations, .*\], expected one value; design=\[\{'case': \.\.\.\}, \.\.\.\] of"
    with pytest.raises(TypeError, match=message):
        sporos.simulate("network", case=[clinic(), without_triage()])
    table.write_text(f"case\n{tmp_path / '0.json'}\n{tmp_path / '0.json'}\n")
    selection = ("select", "network", "--design", table, "--smallest", "wait at doctor", "--delta", 1)
    done = subprocess.run(command_of(*selection), capture_output=True, text=True)
    message = f"{table}, line 1: column 'case' names files, expected numbers, and --case for all systems"
    assert done.returncode == 2 and done.stderr == f"sporos: {message}\n"


@pytest.mark.skipif(shutil.which("gnuplot") is None, reason="no gnuplot")
def test_pictures(tmp_path):
    sporos.simulate(small(), replications=8, picture=tmp_path / "network.svg")
    assert "triage" in (tmp_path / "network.svg").read_text()


# Wrong uses

STATION = "servers, roles, discipline, service"


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (
            lambda: sporos.Network(horizont=3),
            r"^horizont is unknown: did you mean 'horizon'\? Expected one of time_unit, horizon, ",
        ),
        (
            lambda: sporos.Network(time_unit="minutes"),
            r"^time_unit is 'minutes': did you mean 'min'\? Expected one of ms, s, min, h, d$",
        ),
        (
            lambda: small(serverz=2),
            rf"^stations\.triage\.serverz is unknown: did you mean 'servers'\? Expected one of {STATION}",
        ),
        (lambda: small(qqq=2), rf"^stations\.triage\.qqq is unknown, expected one of {STATION}"),
        (
            lambda: small(discipline="fifo"),
            r"^stations\.triage\.discipline is 'fifo', expected one of first-in-first-out, ",
        ),
        (
            lambda: small(discipline="preemptiv"),
            r"is 'preemptiv': did you mean 'preemptive'\? Expected one of first-in-first-out, ",
        ),
        (
            lambda: small(breakdowns={"up": 3, "dwn": 1}),
            r"^stations\.triage\.breakdowns\.dwn is unknown: did you mean 'down'\?",
        ),
        (
            lambda: small(next=[{"to": "leave", "probabilty": 1}]),
            r"^stations\.triage\.next\[0\]\.probabilty is unknown: did you",
        ),
        (
            lambda: small(next={"patient": [{"too": "leave"}]}),
            r"^stations\.triage\.next\.patient\[0\]\.too is unknown: did you",
        ),
        (
            lambda: small(shifts=[(0, 1, 2)]),
            r"^stations\.triage\.shifts\[0\] is \(0, 1, 2\), expected a pair of from and servers$",
        ),
        (
            lambda: small(next=[("leave", 0.5)]),
            r"^stations\.triage\.next\[0\] is \('leave', 0\.5\), expected a dictionary with to$",
        ),
        (lambda: small(speed=math.nan), r"^stations\.triage\.speed is nan, expected a finite number$"),
        (lambda: small(speed=math.inf), r"^stations\.triage\.speed is inf, expected a finite number$"),
        (
            lambda: small(service=object),
            r"^stations\.triage\.service is <class 'object'>, expected a number, a string, a list, a ",
        ),
        (
            lambda: small(service={1: 2}),
            r"^stations\.triage\.service has the member 1, expected names that are strings$",
        ),
        (
            lambda: small().add_station("triage", service=1),
            r"^stations\.triage exists already, expected another name; `change` ",
        ),
        (
            lambda: small().add_station("leave", service=1),
            r"^stations has the name 'leave', expected up to 40 letters, digits, '_' ",
        ),
        (lambda: small().add_class("a b"), r"^classes has the name 'a b', expected up to 40 letters"),
        (
            lambda: sporos.branch("a", probabilty=0.3),
            r"^branch\.probabilty is unknown: did you mean 'probability'\? Expected one of to, ",
        ),
        (
            lambda: clinic().change(**{"stations.triag.servers": 2}),
            r"^stations\.triag\.servers is unknown: triag does not exist: did you",
        ),
        (
            lambda: clinic().change(**{"stations.triage.next.3.probability": 2}),
            r"^.* is unknown: 3 is no element of a list, expected a number from 1 to 2$",
        ),
        (
            lambda: clinic().change(**{"horizon.x": 2}),
            r"^horizon\.x is unknown: horizon is '8 h', which has no members$",
        ),
        (
            lambda: clinic().change(**{"stations.triage.room": None}),
            r"^stations\.triage\.room is unknown: room does not exist, expected one of ",
        ),
        (
            lambda: sporos.simulate(clinic(), case="clinic.json"),
            r"^case is 'clinic\.json', but the model is a network, expected only one of them$",
        ),
    ],
)
def test_wrong_uses(use, message):
    with pytest.raises((ValueError, TypeError), match=message) as error:
        use()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("station", "message"),
    [
        ({"servers": "many"}, r"^stations\.triage\.servers is '\"many\"', expected a whole number"),
        ({"servers": 0}, r"^stations\.triage\.servers is '0', expected a whole number from 1"),
        ({"service": "exponentil(1)"}, r"^stations\.triage\.service is 'exponentil\(1\)': .*exponential"),
        ({"next": "doctor"}, r"^stations\.triage\.next is '\"doctor\"', expected a station or 'leave': triage$"),
        ({"room": 3, "waiting": 2}, r"^stations\.triage has room and waiting, expected one of them$"),
        ({"cycle": 5}, r"^stations\.triage\.cycle is given without shifts, expected both$"),
    ],
)
def test_the_reader_names_the_path_of_a_member(station, message):
    network = small(**station)
    for use in (
        lambda: sporos.simulate(network, replications=4),
        lambda: sporos.simulate("network", case=network.to_dict(), replications=4),
        lambda: sporos.select(network, over={"stations.triage.speed": [1, 2]}, smallest="wait at triage", delta=1),
    ):
        with pytest.raises(ValueError, match=message) as error:
            use()
        assert "sporos-" not in str(error.value) and "line" not in str(error.value)


def test_a_failed_change_leaves_the_network_as_it_is():
    network = clinic()
    with pytest.raises(ValueError, match="serverz is unknown"):
        network.change(**{"horizon": "1 h", "stations.triage.serverz": 1})
    assert network == clinic()


def test_files_that_are_no_cases(tmp_path):
    path = tmp_path / "case.json"
    for text, message in (
        ("{", "case.json is not JSON: "),
        ("[1]", r"case.json is \[1\], expected an object"),
        ('{"a": 1}', "a is unknown"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            sporos.Network.read(path)
    with pytest.raises(FileNotFoundError):
        sporos.Network.read(tmp_path / "nowhere.json")
