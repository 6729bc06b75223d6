# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imported networks of Ciw agree with closed forms and with Ciw's own simulation.

Most tests use stand-ins, which have the type names and attributes of Ciw's objects. If Ciw is installed, further tests
check that its objects yield the same networks, and compare means of both simulations. Each statistical check has a
confidence of 99.9 % and a network with faster servers that it must reject.
"""

import math
import statistics
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import sporos

try:
    import ciw
except ImportError:
    ciw = None

needs_ciw = pytest.mark.skipif(ciw is None, reason="Ciw is not installed")
INFINITE = float("inf")


def stand_in(name, **fields):
    """An object with the type name and the attributes of one of Ciw."""
    made = type(name, (), {})()
    vars(made).update(fields)
    return made


def FIFO(individuals, time):
    """Stands for ciw.disciplines.FIFO."""


def LIFO(individuals, time):
    """Stands for ciw.disciplines.LIFO."""


STAND_INS = SimpleNamespace(
    Exponential=lambda rate: stand_in("Exponential", rate=rate),
    Uniform=lambda lower, upper: stand_in("Uniform", lower=lower, upper=upper),
    Deterministic=lambda value: stand_in("Deterministic", value=value),
    Triangular=lambda lower, mode, upper: stand_in("Triangular", lower=lower, mode=mode, upper=upper),
    Gamma=lambda shape, scale: stand_in("Gamma", shape=shape, scale=scale),
    Normal=lambda mean, sd: stand_in("Normal", _mean=mean, _sd=sd),
    Lognormal=lambda mean, sd: stand_in("Lognormal", _mean=mean, _sd=sd),
    Weibull=lambda scale, shape: stand_in("Weibull", scale=scale, shape=shape),
    Erlang=lambda rate, num_phases: stand_in("Erlang", rate=rate, num_phases=num_phases),
    HyperExponential=lambda rates, probs: stand_in("HyperExponential", rates=rates, probs=probs),
    Empirical=lambda observations: stand_in("Empirical", observations=observations),
    Pmf=lambda values, probs: stand_in("Pmf", values=values, probs=probs),
    Geometric=lambda prob: stand_in("Geometric", prob=prob),
    PoissonIntervals=lambda rates, endpoints, max_sample_date: stand_in(
        "PoissonIntervals", rates=rates, endpoints=endpoints, max_sample_date=max_sample_date
    ),
    Schedule=lambda numbers, ends: stand_in(
        "Schedule", numbers_of_servers=numbers, shift_end_dates=ends, preemption=False, offset=0.0
    ),
    FIFO=FIFO,
    LIFO=LIFO,
    PSNode=type("PSNode", (), {}),
    Leave=lambda: stand_in("Leave"),
    LoadBalancing=lambda destinations, tie_break: stand_in(
        "LoadBalancing", destinations=destinations, tie_break=tie_break
    ),
    NetworkRouting=lambda routers: stand_in("NetworkRouting", routers=routers),
)
if ciw is not None:
    CIW = SimpleNamespace(
        **{name: getattr(ciw.dists, name) for name in vars(STAND_INS) if hasattr(ciw.dists, name)},
        Schedule=ciw.Schedule,
        FIFO=ciw.disciplines.FIFO,
        LIFO=ciw.disciplines.LIFO,
        PSNode=ciw.PSNode,
        Leave=ciw.routing.Leave,
        LoadBalancing=ciw.routing.LoadBalancing,
        NetworkRouting=ciw.routing.NetworkRouting,
    )


# Networks: functions of Ciw's types, which return the arguments of ciw.create_network


def single(of, **arguments):
    return dict(
        arrival_distributions=[of.Exponential(0.7)],
        service_distributions=[of.Exponential(1.0)],
        number_of_servers=[1],
        **arguments,
    )


def several_servers(of):
    return {**single(of), "arrival_distributions": [of.Exponential(2.0)], "number_of_servers": [3]}


def tandem(of):
    return dict(
        arrival_distributions=[of.Exponential(0.7), None],
        service_distributions=[of.Exponential(1.0), of.Exponential(0.8)],
        number_of_servers=[1, 1],
        queue_capacities=[1, 0],
        routing=[[0.0, 0.9], [0.0, 0.0]],
    )


def priorities(of, preempt=False):
    return dict(
        arrival_distributions={"a": [of.Exponential(0.3)], "b": [of.Exponential(0.4)]},
        service_distributions={"a": [of.Exponential(1.0)], "b": [of.Lognormal(-0.1, 0.5)]},
        number_of_servers=[1],
        routing={"a": [[0.0]], "b": [[0.0]]},
        priority_classes=({"a": 0, "b": 1}, [preempt]),
    )


def preemptive(of):
    return priorities(of, "resume")


def reneging(of):
    return {
        **single(of),
        "arrival_distributions": [of.Exponential(1.2)],
        "reneging_time_distributions": [of.Exponential(0.5)],
    }


def batches(of):
    return {
        **single(of),
        "arrival_distributions": [of.Exponential(0.35)],
        "batching_distributions": [of.Pmf([1, 2, 4], [0.5, 0.3, 0.2])],
    }


def geometric_batches(of):
    return {**batches(of), "batching_distributions": [of.Geometric(0.6)]}


def class_changes(of):
    return dict(
        arrival_distributions={"a": [of.Exponential(0.3), of.Exponential(0.1)], "b": [None, of.Exponential(0.2)]},
        service_distributions={name: [of.Exponential(1.5), of.Exponential(0.6)] for name in "ab"},
        number_of_servers=[1, 2],
        routing={"a": [[0.0, 0.5], [0.2, 0.0]], "b": [[0.0, 0.0], [0.3, 0.1]]},
        class_change_matrices=[
            {"a": {"a": 0.5, "b": 0.5}, "b": {"a": 0.0, "b": 1.0}},
            {"a": {"a": 1.0, "b": 0.0}, "b": {"a": 0.3, "b": 0.7}},
        ],
    )


def sharing(of):
    return {
        **single(of),
        "service_distributions": [of.Erlang(4.0, 3)],
        "number_of_servers": [INFINITE],
        "ps_thresholds": [1],
    }


def schedule(of):
    return {
        **single(of),
        "service_distributions": [of.Uniform(0.2, 1.0)],
        "number_of_servers": [of.Schedule([2, 0, 1, 0], [10, 14, 20, 24])],
    }


def last_in_first_out(of):
    return dict(
        arrival_distributions=[of.Normal(2.0, 1.5)],
        service_distributions=[of.HyperExponential([1.0, 0.4], [0.6, 0.4])],
        number_of_servers=[1],
        service_disciplines=[of.LIFO],
    )


def balancing(of):
    return dict(
        arrival_distributions=[of.Exponential(1.2), None, None],
        service_distributions=[of.Deterministic(0.1), of.Weibull(1.0, 1.5), of.Gamma(2.0, 0.5)],
        number_of_servers=[INFINITE, 1, 1],
        routing=of.NetworkRouting([of.LoadBalancing([2, 3], tie_break="order"), of.Leave(), of.Leave()]),
    )


def rates(of):
    return {
        **single(of),
        "arrival_distributions": [of.PoissonIntervals([0.2, 1.2], [10, 20], 1000)],
        "service_distributions": [of.Triangular(0.2, 0.8, 1.4)],
    }


def two_streams(of):
    return dict(
        arrival_distributions=[of.Uniform(2.0, 4.0), of.Exponential(0.3)],
        service_distributions=[of.Empirical([0.5, 1.0, 1.0, 2.5]), of.Exponential(1.0)],
        number_of_servers=[1, 1],
        routing=[[0.0, 0.5], [0.0, 0.0]],
    )


NETWORKS = [
    several_servers,
    tandem,
    priorities,
    preemptive,
    reneging,
    batches,
    geometric_batches,
    class_changes,
    sharing,
    schedule,
    last_in_first_out,
    balancing,
    rates,
    two_streams,
]


def imported(network, of, **members):
    """The network in Sporos; `members` are those of the case."""
    return sporos.network_from_ciw(**network(of), node_class=of.PSNode if network is sharing else None, **members)


# Closed forms


def birth_and_death(birth, death, states=400):
    """The stationary probabilities of a birth-and-death process."""
    weights = [1.0]
    for n in range(1, states):
        weights.append(weights[-1] * birth(n - 1) / death(n))
    return np.array(weights) / sum(weights)


def mean_number(probabilities):
    return float(np.arange(len(probabilities)) @ probabilities)


def means_of_priorities(preempt):
    """Cobham's waits, and the times in system with preemptive resumption."""
    load_a, load_b = 0.3, 0.4 * math.exp(-0.1 + 0.125)
    work_a, work_b = 0.3 * 2 / 2, 0.4 * math.exp(-0.2 + 0.5) / 2
    work = work_a + work_b
    if preempt:
        time_a = 1 + work_a / (1 - load_a)
        time_b = load_b / 0.4 / (1 - load_a) + work / (1 - load_a) / (1 - load_a - load_b)
    else:
        time_a = 1 + work / (1 - load_a)
        time_b = load_b / 0.4 + work / (1 - load_a) / (1 - load_a - load_b)
    return {"number of a at node-1": 0.3 * time_a, "number of b at node-1": 0.4 * time_b}


def means_of_batches(sizes, weights):
    """The mean number in an M^X/M/1 queue."""
    first = sum(x * p for x, p in zip(sizes, weights))
    second = sum(x * x * p for x, p in zip(sizes, weights))
    load = 0.35 * first
    return {"number at node-1": load * (1 + second / first) / (2 * (1 - load))}


def means_of_tandem():
    """Stationary means of the chain with states (number at node 1, number at node 2, whether node 1 is blocked)."""
    states = [(n, m, 0) for n in range(3) for m in range(2)] + [(n, 1, 1) for n in (1, 2)]
    index = {state: i for i, state in enumerate(states)}
    generator = np.zeros((len(states), len(states)))

    def add(start, end, rate):
        generator[index[start], index[end]] += rate
        generator[index[start], index[start]] -= rate

    for n, m, blocked in states:
        if n < 2:
            add((n, m, blocked), (n + 1, m, blocked), 0.7)
        if n > 0 and not blocked:
            add((n, m, 0), (n - 1, m, 0), 0.1)
            add((n, m, 0), (n, 1, 1) if m else (n - 1, 1, 0), 0.9)
        if m > 0:
            add((n, m, blocked), (n - 1, 1, 0) if blocked else (n, 0, 0), 0.8)
    rows = np.vstack([generator.T, np.ones(len(states))])
    p = np.linalg.lstsq(rows, np.array([0.0] * len(states) + [1.0]), rcond=None)[0]
    return {
        "number at node-1": float(p @ [n for n, _, _ in states]),
        "number at node-2": float(p @ [m for _, m, _ in states]),
        "blocked servers at node-1": float(p @ [blocked for _, _, blocked in states]),
        "lost at node-1": float(p @ [n == 2 for n, _, _ in states]),
    }


def means_of_class_changes():
    """Numbers in a Jackson network, from the traffic equations of the pairs of a class and a node."""
    pairs = [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    given = class_changes(STAND_INS)
    arrivals = np.array([0.3, 0.1, 0.0, 0.2])
    moves = np.array(
        [[given["class_change_matrices"][i][c][d] * given["routing"][d][i][j] for d, j in pairs] for c, i in pairs]
    )
    flows = np.linalg.solve(np.eye(4) - moves.T, arrivals)
    load = (flows[0] + flows[2]) / 1.5
    flow = flows[1] + flows[3]
    second = birth_and_death(lambda n: flow, lambda n: 0.6 * min(n, 2))
    return {"number at node-1": load / (1 - load), "number at node-2": mean_number(second)}


CLOSED_FORMS = {
    several_servers: {"number at node-1": mean_number(birth_and_death(lambda n: 2.0, lambda n: min(n, 3), 600))},
    tandem: means_of_tandem(),
    priorities: means_of_priorities(False),
    preemptive: means_of_priorities(True),
    reneging: {
        "number at node-1": mean_number(birth_and_death(lambda n: 1.2, lambda n: 1 + 0.5 * (n - 1))),
        "throughput at node-1": 1 - birth_and_death(lambda n: 1.2, lambda n: 1 + 0.5 * (n - 1))[0],
    },
    batches: means_of_batches([1, 2, 4], [0.5, 0.3, 0.2]),
    geometric_batches: means_of_batches(range(1, 99), [0.6 * 0.4 ** (x - 1) for x in range(1, 99)]),
    class_changes: means_of_class_changes(),
    sharing: {"number at node-1": 0.525 / 0.475},  # insensitive to the distribution
}


@pytest.mark.parametrize("network", CLOSED_FORMS, ids=lambda network: network.__name__)
def test_closed_forms(network):
    case = imported(network, STAND_INS, horizon=2500, warm_up=500)
    result = sporos.simulate(case, replications=600, confidence=0.999)
    for response, exact in CLOSED_FORMS[network].items():
        low, high = result[response].interval
        assert low < exact < high, (response, exact, low, high)
    for name in case["stations"]:  # control: services are 5 % faster
        case.change(**{f"stations.{name}.speed": 1.05})
    control = sporos.simulate(case, replications=600, confidence=0.999)
    assert not all(
        control[response].interval[0] < exact < control[response].interval[1]
        for response, exact in CLOSED_FORMS[network].items()
    )


def test_a_schedule_without_randomness():
    """Customers arrive at 1, 2, 3, ... and are served for 0.6; the server works from 0 to 5, from 10 to 15, ..."""
    of = STAND_INS
    arguments = {
        **single(of),
        "arrival_distributions": [of.Deterministic(1.0)],
        "service_distributions": [of.Deterministic(0.6)],
        "number_of_servers": [of.Schedule([1, 0], [5, 10])],
    }
    free, waits = 0.0, []
    for arrival in range(1, 51):
        start = max(free, float(arrival))
        if start % 10 >= 5:
            start = start - start % 10 + 10
        free = start + 0.6
        if start <= 50:
            waits.append(start - arrival)
    found = sporos.simulate(sporos.network_from_ciw(**arguments, horizon=50.5), replications=2)["wait at node-1"]
    assert found.mean == pytest.approx(statistics.fmean(waits), rel=1e-9) and found.deviation == 0


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
    early = {**single(STAND_INS), "arrival_distributions": [STAND_INS.PoissonIntervals([1.0], [10], 50)]}
    with pytest.warns(
        UserWarning, match=r"- arrival_distributions\['Customer'\]\[0\]: customers arrive after max_sample_date 50"
    ):
        sporos.network_from_ciw(**early, horizon=60)
    with warnings.catch_warnings():  # control
        warnings.simplefilter("error")
        imported(rates, STAND_INS, horizon=1000)
        imported(schedule, STAND_INS, horizon=10)


# Refusals


def test_all_problems_are_listed_at_once():
    of = STAND_INS
    siro = SimpleNamespace(__name__="SIRO")
    shifts = stand_in("Schedule", numbers_of_servers=[1], shift_end_dates=[9], preemption="resume", offset=1.0)
    with pytest.raises(ValueError, match="^the network of Ciw does not carry over:\n") as error:
        sporos.network_from_ciw(
            arrival_distributions={"a": [stand_in("Sequential"), None, None], "b": [of.Exponential(1), None, None]},
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
            class_change_time_distributions={"a": {"b": of.Exponential(1)}},
            priority_classes=({"a": 0, "b": 1}, ["reroute", "resume", "resume"]),
            service_disciplines=[siro, of.LIFO, of.FIFO],
            system_capacity=20,
            node_class=[None, None, type("ExactNode", (), {})],
            horizon=100,
        )
    lines = str(error.value).splitlines()[1:]
    assert len(lines) == len(PROBLEMS)
    for line, begin in zip(lines, PROBLEMS):
        assert line.startswith(f"- {begin}")


PROBLEMS = [
    "baulking_functions['a'][0] is a function, which a case cannot contain",
    "class_change_time_distributions change the class of waiting customers, expected",
    "system_capacity is 20, expected float('inf')",
    "arrival_distributions['a'][0] is Sequential, which has no counterpart in",
    "batching_distributions['b'][0] has batches of 0 customers, expected at least 1",
    "reneging_time_distributions['c'] is a class without arrival_distributions,",
    "routing['a'] is ProcessBased, expected a matrix with a row for each node, or",
    "routing['b'][0] is [0.0, 0.0], expected 3 probabilities",
    "routing['b'][1] is JoinShortestQueue, expected probabilities, Direct, Leave,",
    "number_of_servers[0] is 0, expected a whole number of at least 1, float('inf')",
    "service_disciplines[0] is SIRO, expected FIFO, or LIFO without priorities",
    "priority_classes[1][0] is 'reroute', expected one of False, 'resume',",
    "service_distributions['a'][0] is Coxian, which has no counterpart in Sporos,",
    "class_change_matrices[0] has for 'a' {'a': 0.5}, expected probabilities whose",
    "class_change_matrices[0] has for 'b' None, expected probabilities whose sum is 1",
    "number_of_servers[1] is Slotted, expected a whole number of at least 1,",
    "service_disciplines[1] is LIFO, expected FIFO, or LIFO without priorities",
    "service_distributions['a'][1] is always 0, expected a positive mean",
    "number_of_servers[2] interrupts services at the end of a shift ('resume'),",
    "number_of_servers[2] has the offset 1.0, expected 0",
    "node_class[2] is ExactNode, expected ciw.Node or ciw.PSNode",
    "queue_capacities[2] is 4 for a Schedule, expected float('inf'), because Ciw",
    "priority_classes[1][2] is 'resume' for a Schedule, expected False",
    "reneging_time_distributions: node 1 has preemptive priorities, and in Ciw",
    "reneging_time_distributions: node 2 has preemptive priorities, and in Ciw",
    "reneging_time_distributions: node 3 has preemptive priorities, and in Ciw",
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
@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
def test_objects_of_ciw_yield_the_same_network(network):
    expected = imported(network, STAND_INS, horizon=10)
    assert imported(network, CIW, horizon=10) == expected
    made = ciw.create_network(**network(CIW))
    assert sporos.network_from_ciw(made, node_class=CIW.PSNode if network is sharing else None, horizon=10) == expected


HORIZON = 60.0


def means_in_ciw(network, seed):
    """The mean waits, the mean times at nodes and the throughput of one replication in Ciw.

    The simulation goes on after the horizon, so that waits that end before it have records.
    """
    ciw.seed(seed)
    options = {"node_class": ciw.PSNode} if network is sharing else {}
    simulation = ciw.Simulation(ciw.create_network(**network(CIW)), **options)
    simulation.simulate_until_max_time(HORIZON + 150)
    records = simulation.get_all_records()
    waits = {}
    for record in records:  # an interrupted customer has several records, and the first one ends the wait
        reneges = record.record_type == "renege"
        if record.record_type not in ("service", "interrupted service", "renege"):
            continue
        end = record.exit_date if reneges else record.service_start_date
        visit = (record.id_number, record.node, record.arrival_date)
        if end <= HORIZON:
            waits[visit] = min(waits.get(visit, INFINITE), end - record.arrival_date)
    means = {}
    served = [record for record in records if record.record_type == "service" and record.exit_date <= HORIZON]
    for node in range(1, len(network(CIW)["number_of_servers"]) + 1):
        own = [wait for visit, wait in waits.items() if visit[1] == node]
        times = [record.exit_date - record.arrival_date for record in served if record.node == node]
        means[f"wait at node-{node}"] = statistics.fmean(own) if own else 0.0
        means[f"time at node-{node}"] = statistics.fmean(times) if times else 0.0
    means["throughput in network"] = sum(record.destination == -1 for record in served) / HORIZON
    return means


@needs_ciw
@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
def test_simulations_of_ciw(network):
    rows = [means_in_ciw(network, seed) for seed in range(100)]

    def distances(case):
        result = sporos.simulate(case, replications=10000)
        found = {}
        for response in set(rows[0]) & set(result.responses):
            values = [row[response] for row in rows]
            error = math.hypot(statistics.stdev(values) / math.sqrt(len(rows)), result[response].deviation / 100)
            difference = abs(statistics.fmean(values) - result[response].mean)
            found[response] = difference / error if error > 1e-9 else difference / 1e-9
        return found

    quantile = 3.39  # of Student's t with 99 degrees of freedom, for 99.9 %
    case = imported(network, STAND_INS, horizon=HORIZON)
    assert {response: distance for response, distance in distances(case).items() if distance > quantile} == {}
    for name in case["stations"]:  # control: services are 40 % faster
        case.change(**{f"stations.{name}.speed": 1.4})
    assert max(distances(case).values()) > quantile
