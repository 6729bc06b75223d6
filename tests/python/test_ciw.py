# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imported networks of Ciw agree with closed forms and with Ciw's own simulation.

The closed forms need no Ciw. If Ciw is installed, means of both simulations are compared. Each statistical check has a
confidence of 99.9 % and a network with faster servers that it must reject.
"""

import math
import statistics

import numpy as np
import pytest
from ciw_networks import (
    INFINITE,
    NETWORKS,
    STAND_INS,
    batches,
    ciw,
    class_changes,
    class_changes_while_waiting,
    geometric_batches,
    imported,
    in_ciw,
    limited_system,
    needs_ciw,
    preemptive,
    priorities,
    reneging,
    reneging_to_another_node,
    rising_priorities,
    several_servers,
    sharing,
    single,
    sums,
    tandem,
)

import sporos

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


def means_of_a_limited_system():
    """Means in a Jackson network that loses arrivals if it holds four customers: a product form."""
    loads = (0.9 / 1.0, (0.2 + 0.6 * 0.9) / 0.8)
    states = [(n, m) for n in range(5) for m in range(5 - n)]
    weights = np.array([loads[0] ** n * loads[1] ** m for n, m in states])
    p = weights / weights.sum()
    return {
        "number at node-1": float(p @ [n for n, _ in states]),
        "number at node-2": float(p @ [m for _, m in states]),
        "lost at system": float(p @ [n + m == 4 for n, m in states]),
    }


def means_of_class_changes_while_waiting():
    """Numbers in an M/M/1 queue, and those served before they change: the transform of its wait at the rate 0.4."""
    unchanged = 0.2 + 0.8 * 0.2 / (0.2 + 0.4)
    return {
        "number at node-1": 4.0,
        "throughput of a at node-1": 0.6 * unchanged,
        "throughput of b at node-1": 0.8 - 0.6 * unchanged,
    }


CLOSED_FORMS = {
    several_servers: {"number at node-1": mean_number(birth_and_death(lambda n: 2.0, lambda n: min(n, 3), 600))},
    sums: {"number at node-1": 0.56 + 0.7**2 * (0.8**2 + 0.5**2) / (2 * (1 - 0.56))},  # Pollaczek and Khinchine
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
    limited_system: means_of_a_limited_system(),
    reneging_to_another_node: {
        "number at node-2": 2 * (1.2 - (1 - birth_and_death(lambda n: 1.2, lambda n: 1 + 0.5 * (n - 1))[0]))
    },
    class_changes_while_waiting: means_of_class_changes_while_waiting(),
    rising_priorities: {"number at node-1": 4.0},
}


@pytest.mark.filterwarnings("ignore:works differently than in Ciw")
@pytest.mark.parametrize("network", CLOSED_FORMS, ids=lambda network: network.__name__)
def test_closed_forms(network):
    case = imported(network, STAND_INS, horizon=2500, warm_up=500)
    result = sporos.simulate(case, replications=200, confidence=0.999)
    for response, exact in CLOSED_FORMS[network].items():
        low, high = result[response].interval
        assert low < exact < high, (response, exact, low, high)
    for name in case["stations"]:  # control: services are 5 % faster
        case.change(**{f"stations.{name}.speed": 1.05})
    control = sporos.simulate(case, replications=200, confidence=0.999)
    assert not all(
        control[response].interval[0] < exact < control[response].interval[1]
        for response, exact in CLOSED_FORMS[network].items()
    )


def waits_of(arrivals, service):
    """The waits of customers whom one server serves in the order of arrival."""
    free, waits = 0.0, []
    for arrival in arrivals:
        start = max(free, arrival)
        free = start + service
        waits.append(start - arrival)
    return waits


@pytest.mark.parametrize(
    ("sequence", "arrivals"),
    [
        ([0.5, 1.5, 0.25, 3.0], [5.25 * n + date for n in range(10) for date in (0.5, 2, 2.25, 5.25)]),
        ([2.0, 1.0, 0.0], [3.0 * n + date for n in range(17) for date in (2, 3, 3)]),
        ([1.5], [1.5 * n for n in range(1, 34)]),
        ([1.0, 0.0, 2.0, INFINITE], [1, 1, 3]),
        ([0.0, 1.0, 1000.0], [0, 1]),
    ],
)
def test_arrivals_of_a_sequence(sequence, arrivals):
    of = STAND_INS
    arguments = {
        **single(of),
        "arrival_distributions": [of.Sequential(sequence)],
        "service_distributions": [of.Deterministic(1.25)],
    }
    result = sporos.simulate(sporos.network_from_ciw(**arguments, horizon=50.1), replications=2)
    waits = waits_of([arrival for arrival in arrivals if arrival <= 50.1], 1.25)
    waits = [wait for wait, arrival in zip(waits, arrivals) if wait + arrival <= 50.1]
    assert result["wait at node-1"].mean == pytest.approx(statistics.fmean(waits), rel=1e-9)
    served = [arrival for wait, arrival in zip(waits, arrivals) if wait + arrival + 1.25 <= 50.1]
    assert result["throughput in network"].mean == pytest.approx(len(served) / 50.1, rel=1e-9)


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


# With Ciw


HORIZON = 60.0


def means_in_ciw(network, seed):
    """The mean waits, the mean times at nodes and the throughput of one replication in Ciw.

    The simulation goes on after the horizon, so that waits that end before it have records.
    """
    ciw.seed(seed)
    options = {"node_class": ciw.PSNode} if network is sharing else {}
    simulation = ciw.Simulation(in_ciw(network), **options)
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
    classes = {record.customer_class for record in served}
    for node in range(1, len(network(STAND_INS)["number_of_servers"]) + 1):
        own = [wait for visit, wait in waits.items() if visit[1] == node]
        times = [record.exit_date - record.arrival_date for record in served if record.node == node]
        means[f"wait at node-{node}"] = statistics.fmean(own) if own else 0.0
        means[f"time at node-{node}"] = statistics.fmean(times) if times else 0.0
        for of in classes:
            count = sum(record.node == node and record.customer_class == of for record in served)
            means[f"throughput of {of} at node-{node}"] = count / HORIZON
    means["throughput in network"] = sum(record.destination == -1 for record in served) / HORIZON
    return means


@needs_ciw
@pytest.mark.filterwarnings("ignore:works differently than in Ciw")
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
