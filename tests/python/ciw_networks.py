# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of Ciw for tests, from Ciw's objects or from stand-ins with their type names and attributes."""

import operator
from types import SimpleNamespace

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
    Sequential=lambda sequence: stand_in("Sequential", sequence=sequence),
    Sum=lambda one, other: stand_in("CombinedDistribution", d1=one, d2=other, operator=operator.add),
    PoissonIntervals=lambda rates, endpoints, max_sample_date: stand_in(
        "PoissonIntervals", rates=rates, endpoints=endpoints, max_sample_date=max_sample_date
    ),
    Schedule=lambda numbers, ends, preemption=False, offset=0.0: stand_in(
        "Schedule", numbers_of_servers=numbers, shift_end_dates=ends, preemption=preemption, offset=offset
    ),
    FIFO=FIFO,
    LIFO=LIFO,
    PSNode=type("PSNode", (), {}),
    Leave=lambda: stand_in("Leave"),
    LeaveOrRenege=lambda to: stand_in("Leave"),
    LoadBalancing=lambda destinations, tie_break: stand_in(
        "LoadBalancing", destinations=destinations, tie_break=tie_break
    ),
    NetworkRouting=lambda routers: stand_in("NetworkRouting", routers=routers),
)
CIW = None
if ciw is not None:

    def leave_or_renege(to):
        """Returns a router by which customers leave after a service, and go to node `to` when they renege."""

        class LeaveOrRenege(ciw.routing.Leave):
            def next_node_for_jockeying(self, ind):
                return self.simulation.nodes[to]

        return LeaveOrRenege()

    CIW = SimpleNamespace(
        **{name: getattr(ciw.dists, name) for name in vars(STAND_INS) if hasattr(ciw.dists, name)},
        Sum=operator.add,
        Schedule=ciw.Schedule,
        FIFO=ciw.disciplines.FIFO,
        LIFO=ciw.disciplines.LIFO,
        PSNode=ciw.PSNode,
        Leave=ciw.routing.Leave,
        LeaveOrRenege=leave_or_renege,
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


def sums(of):
    setup = of.Sum(of.Deterministic(0.1), of.Deterministic(0.2))
    return {**single(of), "service_distributions": [of.Sum(setup, of.Exponential(2.0))]}


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


def resuming_shifts(of):
    return {
        **schedule(of),
        "arrival_distributions": [of.Exponential(1.5)],
        "number_of_servers": [of.Schedule([3, 1, 2, 0], [6, 9, 11, 13], "resume")],
    }


def restarting_shifts(of):
    return {**schedule(of), "number_of_servers": [of.Schedule([2, 0, 1, 0], [2, 3, 5, 7], "restart")]}


def resampling_shifts(of):
    return {**restarting_shifts(of), "number_of_servers": [of.Schedule([1, 0, 2, 0], [2, 3, 5, 7], "resample")]}


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


def limited_system(of):
    return dict(
        arrival_distributions=[of.Exponential(0.9), of.Exponential(0.2)],
        service_distributions=[of.Exponential(1.0), of.Exponential(0.8)],
        number_of_servers=[1, 1],
        routing=[[0.0, 0.6], [0.0, 0.0]],
        system_capacity=4,
    )


def sequences(of):
    return dict(
        arrival_distributions=[of.Sequential([0.5, 1.5, 0.25, 3.0]), of.Sequential([1.0, 0.0, 2.0, INFINITE])],
        service_distributions=[of.Exponential(1.0), of.Exponential(0.5)],
        number_of_servers=[1, 1],
        routing=[[0.0, 0.2], [0.0, 0.0]],
    )


def reneging_to_another_node(of):
    return dict(
        arrival_distributions=[of.Exponential(1.2), None],
        service_distributions=[of.Exponential(1.0), of.Exponential(0.5)],
        number_of_servers=[1, INFINITE],
        routing=of.NetworkRouting([of.LeaveOrRenege(2), of.Leave()]),
        reneging_time_distributions=[of.Exponential(0.5), None],
        reneging_destinations=[2, -1],
    )


def class_changes_while_waiting(of, priorities=(0, 0)):
    return dict(
        arrival_distributions={"a": [of.Exponential(0.6)], "b": [of.Exponential(0.2)]},
        service_distributions={name: [of.Exponential(1.0)] for name in "ab"},
        number_of_servers=[1],
        routing={name: [[0.0]] for name in "ab"},
        class_change_time_distributions={"a": {"b": of.Exponential(0.4)}},
        priority_classes=dict(zip("ab", priorities)),
    )


def rising_priorities(of):
    return class_changes_while_waiting(of, (1, 0))


NETWORKS = [
    several_servers,
    sums,
    tandem,
    priorities,
    preemptive,
    reneging,
    batches,
    geometric_batches,
    class_changes,
    sharing,
    schedule,
    resuming_shifts,
    restarting_shifts,
    resampling_shifts,
    last_in_first_out,
    balancing,
    rates,
    two_streams,
    limited_system,
    sequences,
    reneging_to_another_node,
    class_changes_while_waiting,
    rising_priorities,
]


def imported(network, of, **members):
    """The network in Sporos; `members` are those of the case."""
    return sporos.network_from_ciw(**network(of), node_class=of.PSNode if network is sharing else None, **members)


def in_ciw(network):
    """The network of Ciw, whose routers know where reneging customers go."""
    arguments = network(CIW)
    arguments.pop("reneging_destinations", None)
    return ciw.create_network(**arguments)
