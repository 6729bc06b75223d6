# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an import from Ciw returns, warns about and refuses. Objects of Ciw yield the same networks as stand-ins."""

import math
import operator
import warnings
from types import SimpleNamespace

import pytest
from ciw_networks import (
    CIW,
    INFINITE,
    NETWORKS,
    STAND_INS,
    class_changes,
    class_changes_while_waiting,
    imported,
    in_ciw,
    limited_system,
    needs_ciw,
    priorities,
    rates,
    reneging_to_another_node,
    rising_priorities,
    schedule,
    sequences,
    sharing,
    single,
    stand_in,
    tandem,
    two_streams,
)

import sporos


@pytest.mark.parametrize(
    ("preempt", "discipline"),
    [(False, "priority"), ("restart", "preemptive-restart"), ("resample", "preemptive-resample")],
)
def test_preemption_has_a_discipline(preempt, discipline):
    network = sporos.network_from_ciw(**priorities(STAND_INS, preempt), horizon=9)
    assert network["stations"]["node-1"]["discipline"] == discipline


# Distributions


@pytest.mark.parametrize(
    ("distribution", "mean", "variance"),
    [
        (STAND_INS.Exponential(0.5), 2, 4),
        (STAND_INS.Uniform(1, 4), 2.5, 9 / 12),
        (STAND_INS.Triangular(1, 2, 6), 3, (1 + 4 + 36 - 2 - 6 - 12) / 18),
        (STAND_INS.Gamma(2.0, 3.0), 6, 18),
        (STAND_INS.Lognormal(0.5, 0.4), math.exp(0.58), (math.exp(0.16) - 1) * math.exp(1.16)),
        (STAND_INS.Weibull(3.0, 2.0), 3 * math.gamma(1.5), 9 * (1 - math.gamma(1.5) ** 2)),
        (STAND_INS.Erlang(2.0, 3), 1.5, 0.75),
        (STAND_INS.HyperExponential([1.0, 0.25], [0.6, 0.4]), 2.2, 2 * (0.6 + 0.4 * 16) - 2.2**2),
        # A normal distribution with mean 1 and deviation 2, truncated at 0: h = φ(0.5) / Φ(0.5).
        (STAND_INS.Normal(1.0, 2.0), 1 + 2 * 0.50916043, 4 * (1 - 0.5 * 0.50916043 - 0.50916043**2)),
    ],
    ids=lambda one: type(one).__name__ if hasattr(one, "__dict__") else "",
)
def test_parameters_of_distributions(distribution, mean, variance):
    case = sporos.network_from_ciw(**{**single(STAND_INS), "service_distributions": [distribution]}, horizon=1)
    drawn = sporos.sample("lattice", 2**16, distribution=case["stations"]["node-1"]["service"])
    assert float(drawn.mean()) == pytest.approx(mean, rel=2e-3) and float(drawn.var()) == pytest.approx(
        variance, rel=1e-2
    )


def test_tables_and_constants():
    def service(distribution):
        given = {**single(STAND_INS), "service_distributions": [distribution]}
        return sporos.network_from_ciw(**given, horizon=1)["stations"]["node-1"]["service"]

    assert service(STAND_INS.Empirical([2, 1, 2, 4])) == "discrete(1.0:0.25, 2.0:0.5, 4.0:0.25)"
    assert service(STAND_INS.Pmf([3.0, 1.0], [0.25, 0.75])) == "discrete(1.0:0.75, 3.0:0.25)"
    assert service(STAND_INS.Deterministic(2)) == 2.0
    one, two = STAND_INS.Deterministic(0), STAND_INS.Exponential(2.0)
    assert service(STAND_INS.Sum(one, two)) == "exponential(2.0)"
    assert service(STAND_INS.Sum(STAND_INS.Sum(two, two), two)) == ["exponential(2.0)"] * 3


# Cases


def test_arrivals_at_several_nodes():
    classes = imported(class_changes, STAND_INS, horizon=10)["classes"]
    assert classes["a"] == {
        "interarrival": "exponential(0.4)",
        "enters": [{"to": "node-1", "probability": 0.3 / 0.4}, {"to": "node-2", "probability": 0.1 / 0.4}],
    }
    classes = imported(two_streams, STAND_INS, horizon=10)["classes"]
    assert classes["Customer"] == {}
    assert classes["Customer-at-node-1"] == {
        "interarrival": "uniform(2.0, 4.0)",
        "enters": [{"to": "node-1", "becomes": "Customer"}],
    }


def test_sequences_are_lists_of_arrivals():
    case = imported(sequences, STAND_INS, horizon="1 h")
    assert case["classes"] == {
        "Customer": {},
        "Customer-at-node-1": {
            "enters": [{"to": "node-1", "becomes": "Customer"}],
            "arrivals": [0.5, 2.0, 2.25],
            "cycle": 5.25,
        },
        "Customer-at-node-1-2": {"enters": [{"to": "node-1", "becomes": "Customer"}], "interarrival": 5.25},
        "Customer-at-node-2": {"enters": [{"to": "node-2", "becomes": "Customer"}], "arrivals": [1.0, 1.0, 3.0]},
    }
    short = imported(sequences, STAND_INS, horizon=5)["classes"]["Customer-at-node-1"]
    assert short == {"enters": [{"to": "node-1", "becomes": "Customer"}], "arrivals": [0.5, 2.0, 2.25, 5.25]}


def test_preemption_of_a_schedule_is_the_end_of_its_shifts():
    for preemption in ("resume", "restart", "resample"):
        shifts = {**single(STAND_INS), "number_of_servers": [STAND_INS.Schedule([1, 0], [5, 9], preemption)]}
        assert sporos.network_from_ciw(**shifts, horizon=9)["stations"]["node-1"]["shift_end"] == preemption
    assert "shift_end" not in imported(schedule, STAND_INS, horizon=9)["stations"]["node-1"]


def test_a_limit_of_the_system_is_an_area():
    assert imported(limited_system, STAND_INS, horizon=9)["areas"] == {"system": {"room": 4}}
    names = sporos.network_from_ciw(
        **limited_system(STAND_INS),
        station_names=["system", "desk"],
        areas={"hall": {"stations": ["desk"], "room": 2}},
        horizon=9,
    )
    assert names["areas"] == {"hall": {"stations": ["desk"], "room": 2}, "system-2": {"room": 4}}


@pytest.mark.filterwarnings("ignore:works differently than in Ciw")
def test_reneging_and_changes_are_members_of_stations_where_customers_wait():
    stations = imported(reneging_to_another_node, STAND_INS, horizon=9)["stations"]
    assert stations["node-1"]["reneging"] == "node-2" and "reneging" not in stations["node-2"]
    two = {**class_changes(STAND_INS), "number_of_servers": [1, INFINITE]}
    patience = {"a": [STAND_INS.Exponential(1.0), None], "b": [None, None]}
    two |= {"reneging_time_distributions": patience, "reneging_destinations": {"a": [2, -1], "b": [2, -1]}}
    two |= {"class_change_time_distributions": {"a": {"a": None, "b": STAND_INS.Exponential(0.4)}, "b": {}}}
    stations = sporos.network_from_ciw(**two, horizon=9)["stations"]
    assert stations["node-1"]["reneging"] == {"a": "node-2", "b": "leave"}
    assert stations["node-1"]["changes"] == {"a": {"after": "exponential(0.4)", "becomes": "b"}}
    assert "changes" not in stations["node-2"]


def test_members_of_a_case():
    case = imported(rates, STAND_INS, horizon=8, wait_limits=["2 min"], time_unit="h")
    assert case["classes"]["Customer"]["rates"] == [{"from": 0, "rate": 0.2}, {"from": 10, "rate": 1.2}]
    assert case["classes"]["Customer"]["cycle"] == 20
    assert (case["time_unit"], case["horizon"], case["wait_limits"]) == ("h", 8, ["2 min"])
    names = sporos.network_from_ciw(**tandem(STAND_INS), station_names=["wash", "dry"], horizon=9)
    assert list(names["stations"]) == ["wash", "dry"] and names["stations"]["wash"]["next"] == [
        {"to": "dry", "probability": 0.9}
    ]
    assert names["stations"]["dry"] == {"servers": 1, "waiting": 0, "full": "block", "service": "exponential(0.8)"}
    spaces = single(STAND_INS)
    for name in ("arrival_distributions", "service_distributions"):
        spaces[name] = {"Class 0": spaces[name]}
    assert list(sporos.network_from_ciw(**spaces, routing={"Class 0": [[0.0]]}, horizon=9)["classes"]) == ["Class-0"]


def test_differences_are_warnings():
    shifts = {**single(STAND_INS), "number_of_servers": [STAND_INS.Schedule([1, 2], [5, 10])]}
    with pytest.warns(
        UserWarning, match=r"works differently than in Ciw:\n- number_of_servers\[0\]: at the end of a shift"
    ):
        sporos.network_from_ciw(**shifts, horizon=10)
    feedback = {**tandem(STAND_INS), "routing": [[0.2, 0.7], [0.0, 0.0]]}
    with pytest.warns(UserWarning, match="- routing: node 1 leads back to itself"):
        sporos.network_from_ciw(**feedback, horizon=10)
    with pytest.warns(UserWarning, match="- class_change_time_distributions: a customer whose priority changes goes"):
        imported(rising_priorities, STAND_INS, horizon=10)
    patience = {name: [STAND_INS.Exponential(1.0)] for name in "ab"}
    with pytest.warns(UserWarning, match="- class_change_time_distributions: Ciw 3.2.7 also changes the class of"):
        sporos.network_from_ciw(**rising_priorities(STAND_INS), reneging_time_distributions=patience, horizon=10)
    early = {**single(STAND_INS), "arrival_distributions": [STAND_INS.PoissonIntervals([1.0], [10], 50)]}
    with pytest.warns(
        UserWarning, match=r"- arrival_distributions\['Customer'\]\[0\]: customers arrive after max_sample_date 50"
    ):
        sporos.network_from_ciw(**early, horizon=60)
    with warnings.catch_warnings():  # control
        warnings.simplefilter("error")
        imported(rates, STAND_INS, horizon=1000)
        imported(schedule, STAND_INS, horizon=10)
        imported(class_changes_while_waiting, STAND_INS, horizon=10)


# Refusals


def test_all_problems_are_listed_at_once():
    of = STAND_INS
    siro = SimpleNamespace(__name__="SIRO")
    shifts = of.Schedule([1], [9], "resume", 1.0)
    with pytest.raises(ValueError, match="^the network of Ciw does not carry over:\n") as error:
        sporos.network_from_ciw(
            arrival_distributions={"a": [of.Sequential([0, 0]), None, None], "b": [of.Exponential(1), None, None]},
            service_distributions={
                "a": [stand_in("Coxian"), of.Deterministic(0), of.Exponential(1)],
                "b": [of.Exponential(1)] * 3,
            },
            number_of_servers=[0, stand_in("Slotted", slots=[1]), shifts],
            queue_capacities=[INFINITE, INFINITE, 4],
            routing={"a": stand_in("ProcessBased"), "b": [[0.0, 0.0], stand_in("JoinShortestQueue"), [0.0] * 3]},
            batching_distributions={"a": [None] * 3, "b": [of.Pmf([0, 1], [0.5, 0.5]), None, None]},
            reneging_time_distributions={"a": [of.Exponential(1)] * 3, "b": [None] * 3, "c": [None] * 3},
            baulking_functions={"a": [len, None, None], "b": [None] * 3},
            class_change_matrices=[{"a": {"a": 0.5}}, None, None],
            reneging_destinations={"a": [4, "x", 3], "b": [-1] * 3},
            class_change_time_distributions={
                "a": {"b": of.Exponential(1)},
                "b": {"a": of.Exponential(1), "b": of.Exponential(2)},
                "d": {"a": of.Exponential(1)},
            },
            priority_classes=({"a": 0, "b": 1}, ["reroute", "resume", "resume"]),
            service_disciplines=[siro, of.LIFO, of.FIFO],
            system_capacity=2.5,
            node_class=[None, None, type("ExactNode", (), {})],
            horizon=100,
        )
    lines = str(error.value).splitlines()[1:]
    assert len(lines) == len(PROBLEMS)
    for line, begin in zip(lines, PROBLEMS):
        assert line.startswith(f"- {begin}")


PROBLEMS = [
    "baulking_functions['a'][0] is a function, which a case cannot contain",
    "system_capacity is 2.5, expected a whole number from 1, or float('inf')",
    "arrival_distributions['a'][0] is Sequential with the times [0.0, 0.0], expected",
    "batching_distributions['b'][0] has batches of 0 customers, expected at least 1",
    "reneging_time_distributions['c'] is a class without arrival_distributions,",
    "class_change_time_distributions['b'] has 2 distributions, expected one",
    "class_change_time_distributions['d'] names 'd', which has no arrival_distributions,",
    "routing['a'] is ProcessBased, expected a matrix with a row for each node, or",
    "routing['b'][0] is [0.0, 0.0], expected 3 probabilities",
    "routing['b'][1] is JoinShortestQueue, expected probabilities, Direct, Leave,",
    "number_of_servers[0] is 0, expected a whole number of at least 1, float('inf')",
    "service_disciplines[0] is SIRO, expected FIFO, or LIFO without priorities",
    "priority_classes[1][0] is 'reroute', expected one of False, 'resume',",
    "service_distributions['a'][0] is Coxian, which has no counterpart in Sporos,",
    "reneging_destinations['a'][0] leads to node 4, expected 1 to 3",
    "class_change_matrices[0] has for 'a' {'a': 0.5}, expected probabilities whose",
    "class_change_matrices[0] has for 'b' None, expected probabilities whose sum is 1",
    "number_of_servers[1] is Slotted, expected a whole number of at least 1,",
    "service_disciplines[1] is LIFO, expected FIFO, or LIFO without priorities",
    "service_distributions['a'][1] is always 0, expected a positive mean",
    "reneging_destinations['a'][1] is 'x', expected the number of a node, or -1 to",
    "number_of_servers[2] has the offset 1.0, expected 0",
    "node_class[2] is ExactNode, expected ciw.Node or ciw.PSNode",
    "queue_capacities[2] is 4 for a Schedule, expected float('inf'), because Ciw",
    "priority_classes[1][2] is 'resume' for a Schedule, expected False",
    "reneging_time_distributions: node 1 has preemptive priorities, and in Ciw",
    "class_change_time_distributions: node 1 has preemptive priorities, and in Ciw",
    "reneging_time_distributions: node 2 has preemptive priorities, and in Ciw",
    "class_change_time_distributions: node 2 has preemptive priorities, and in Ciw",
    "reneging_time_distributions: node 3 has preemptive priorities, and in Ciw",
    "class_change_time_distributions: node 3 has preemptive priorities, and in Ciw",
    "reneging_destinations: node 3 leads to a node with a queue capacity, which reneging",
    "number_of_servers: node 3 has a Schedule that interrupts services, with priorities,",
]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"number_of_server": [1]},
            r"^number_of_server is unknown: did you mean 'number_of_servers'\? Expected one of arrival_distributions, ",
        ),
        (
            {"number_of_servers": None},
            r"^number_of_servers is missing, expected a network of Ciw, or arrival_distributions, ",
        ),
        ({"station_names": ["a", "b"]}, r"^station_names has 2 names, expected 1, one for each node$"),
        ({"network": 3}, r"^network is 3, expected the result of ciw\.create_network$"),
        ({"horizn": 3}, r"^horizn is unknown"),
        (
            {"service_distributions": [1, 2]},
            r"\n- service_distributions\['Customer'\] is \[1, 2\], expected a list of 1 values",
        ),
        (
            {"service_distributions": [7]},
            r"\n- service_distributions\['Customer'\]\[0\] is int, which has no counterpart in Sporos",
        ),
        (
            {"number_of_servers": [STAND_INS.Schedule([1, 2], [5, 9], "restart")]},
            r"\n- number_of_servers\[0\] has preemption 'restart', which interrupts all services between two shifts",
        ),
        (
            {"number_of_servers": [STAND_INS.Schedule([1, 2], [5, 9], "reroute")]},
            r"\n- number_of_servers\[0\] has preemption 'reroute', expected False, 'resume', 'restart' or 'resample'",
        ),
        (
            {"service_distributions": [stand_in("CombinedDistribution", d1=None, d2=None, operator=operator.sub)]},
            r"\n- service_distributions\['Customer'\]\[0\] is CombinedDistribution, which has the operator sub",
        ),
        (
            {"service_distributions": [STAND_INS.Sum(STAND_INS.Deterministic(1), stand_in("Coxian"))]},
            r"\[0\] is CombinedDistribution, which contains Coxian, which has no counterpart in Sporos",
        ),
        ({"number_of_servers": [True]}, r"\n- number_of_servers\[0\] is True, expected a whole number of at least 1"),
        (
            {"batching_distributions": [STAND_INS.Geometric(0.001)]},
            r"is Geometric, which has the probability 0\.001, expected at least 0\.02",
        ),
        (
            {"routing": STAND_INS.NetworkRouting([stand_in("Direct", to=2)])},
            r"\n- routing\['Customer'\]\[0\] leads to node 2, expected 1 to 1",
        ),
        ({"number_of_servers": 3}, r"^number_of_servers is 3, expected a list$"),
        (
            {"class_change_matrices": [[[1.0]]]},
            r"\n- class_change_matrices\[0\] has for 'Customer' \[\[1\.0\]\], expected",
        ),
        ({"routing": [[0.5, 0.5]]}, r"\n- routing\['Customer'\]\[0\] is \[0\.5, 0\.5\], expected 1 probabilities"),
    ],
)
def test_wrong_uses(change, message):
    with pytest.raises((ValueError, TypeError), match=message):
        sporos.network_from_ciw(**{**single(STAND_INS), "horizon": 10, **change})


# With Ciw


@needs_ciw
@pytest.mark.filterwarnings("ignore:works differently than in Ciw")
@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
def test_objects_of_ciw_yield_the_same_network(network):
    expected = imported(network, STAND_INS, horizon=10)
    assert imported(network, CIW, horizon=10) == expected
    options = {"reneging_destinations": [2, -1]} if network is reneging_to_another_node else {}
    options["node_class"] = CIW.PSNode if network is sharing else None
    assert sporos.network_from_ciw(in_ciw(network), **options, horizon=10) == expected
