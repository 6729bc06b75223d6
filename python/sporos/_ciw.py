# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports networks of Ciw. Its objects are recognized by the names of their types, so that Ciw is not required."""

from __future__ import annotations

import itertools
import math
import operator
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._arguments import shown
from ._network import Network, branch, members_of, suggestion

_arguments = (
    "arrival_distributions", "baulking_functions", "class_change_matrices", "class_change_time_distributions",
    "number_of_servers", "priority_classes", "queue_capacities", "service_distributions", "routing",
    "batching_distributions", "ps_thresholds", "server_priority_functions", "reneging_time_distributions",
    "reneging_destinations", "service_disciplines", "system_capacity",
)  # fmt: skip
_required = ("arrival_distributions", "service_distributions", "number_of_servers")
_change_of_priority = (
    "class_change_time_distributions: a customer whose priority changes goes behind all waiting customers of the new "
    "priority in Ciw, and to its place in the order of arrival in Sporos"
)
_only_class = "Customer"  # name that Ciw gives to the class of a network without classes


def _field(distribution: Any, name: str) -> Any:
    """Returns a parameter. Versions of Ciw store the parameter `mean` as `mean` or as `_mean`."""
    fields = vars(distribution)
    return fields[f"_{name}"] if f"_{name}" in fields else fields[name]


def _text(name: str, *parameters: float) -> str:
    return f"{name}({', '.join(repr(float(number)) for number in parameters)})"


def _table(pairs: Iterable[tuple[float, float]]) -> str:
    """Returns a discrete distribution with probabilities that add up to 1."""
    weights: dict[float, float] = {}
    for value, weight in pairs:
        weights[float(value)] = weights.get(float(value), 0) + float(weight)
    total = math.fsum(weights.values())
    return (
        f"discrete({', '.join(f'{value!r}:{weight / total!r}' for value, weight in sorted(weights.items()) if weight)})"
    )


def _geometric(distribution: Any) -> str:
    """Returns a table of Ciw's geometric distribution, which begins at 1. The tail beyond it is below 2⁻⁵³."""
    probability = _field(distribution, "prob")
    most = math.ceil(math.log(2**-53) / math.log1p(-probability)) if probability < 1 else 1
    if most > 2000:
        raise ValueError(f"has the probability {probability}, expected at least 0.02")
    return _table((number, probability * (1 - probability) ** (number - 1)) for number in range(1, most + 1))


def _hyperexponential(distribution: Any) -> str:
    rates, probabilities = _field(distribution, "rates"), _field(distribution, "probs")
    if len(rates) != 2:
        raise ValueError(f"has {len(rates)} rates, expected 2")
    return _text("hyperexponential", probabilities[0], *rates)


def _sum(distribution: Any) -> list[Any] | str | float:
    """Returns the parts of a sum, without zeros."""
    if distribution.operator is not operator.add:
        raise ValueError(f"has the operator {distribution.operator.__name__}, expected a sum")
    parts: list[Any] = []
    for part in (distribution.d1, distribution.d2):
        name = type(part).__name__
        if name not in _distributions:
            raise ValueError(f"contains {name}, which has no counterpart in Sporos")
        value = _distributions[name](part)
        parts += value if isinstance(value, list) else [value] if value != 0 else []
    return parts if len(parts) > 1 else parts[0] if parts else 0.0


# Ciw names the parameters of `random`. Its Weibull distribution has the scale first, and its normal distribution is
# truncated at 0.
_distributions: dict[str, Callable[[Any], list[Any] | str | float]] = {
    "Exponential": lambda of: _text("exponential", _field(of, "rate")),
    "Uniform": lambda of: _text("uniform", _field(of, "lower"), _field(of, "upper")),
    "Deterministic": lambda of: float(_field(of, "value")),
    "Triangular": lambda of: _text("triangular", _field(of, "lower"), _field(of, "mode"), _field(of, "upper")),
    "Gamma": lambda of: _text("gamma", _field(of, "shape"), _field(of, "scale")),
    "Normal": lambda of: _text("truncated-normal", _field(of, "mean"), _field(of, "sd"), 0, math.inf),
    "Lognormal": lambda of: _text("lognormal", _field(of, "mean"), _field(of, "sd")),
    "Weibull": lambda of: _text("weibull", _field(of, "shape"), _field(of, "scale")),
    "Erlang": lambda of: _text("gamma", _field(of, "num_phases"), 1 / _field(of, "rate")),
    "HyperExponential": _hyperexponential,
    "Empirical": lambda of: _table(Counter(_field(of, "observations")).items()),
    "Pmf": lambda of: _table(zip(_field(of, "values"), _field(of, "probs"))),
    "CombinedDistribution": _sum,
}
_batches: dict[str, Callable[[Any], list[Any] | str | float]] = {
    "Deterministic": lambda of: int(_field(of, "value")),
    "Geometric": _geometric,
    "Empirical": _distributions["Empirical"],
    "Pmf": _distributions["Pmf"],
}


def _arguments_of(network: Any) -> dict[str, Any]:
    """Returns the arguments of `ciw.create_network` for a network of Ciw."""
    nodes, classes = network.service_centres, network.customer_classes

    def by_class(name: str) -> dict[str, Any]:
        return {of: getattr(one, name) for of, one in classes.items()}

    def by_node(name: str) -> list[Any]:
        return [getattr(one, name) for one in nodes]

    same = ("arrival_distributions", "service_distributions", "batching_distributions", "reneging_time_distributions",
            "baulking_functions", "class_change_time_distributions", "routing")  # fmt: skip
    earlier = [name for name in ("reneging_destinations",) if all(hasattr(one, name) for one in classes.values())]
    return {
        **{name: by_class(name) for name in same},
        "number_of_servers": by_node("number_of_servers"),
        "queue_capacities": by_node("queueing_capacity"),
        "class_change_matrices": by_node("class_change_matrix"),
        "priority_classes": (by_class("priority_class"), by_node("priority_preempt")),
        "server_priority_functions": by_node("server_priority_function"),
        "service_disciplines": by_node("service_discipline"),
        "ps_thresholds": by_node("ps_threshold"),
        "system_capacity": network.system_capacity,
        **{name: by_class(name) for name in earlier},
    }


def _kind(router: Any) -> str:
    """Returns the name of a router's type. A type that only overrides next_node_for_jockeying counts as its base."""
    kinds = iter(type(router).__mro__)
    kind = next(kinds)
    while [name for name, member in vars(kind).items() if callable(member)] == ["next_node_for_jockeying"]:
        kind = next(kinds)
    return kind.__name__


def _new_name(name: Any, taken: Iterable[str]) -> str:
    """Returns a valid name of a class, a station or an area that is not taken."""
    plain = re.sub("[^A-Za-z0-9_-]+", "-", str(name))[:36] or "class"
    return next(one for one in (plain, *(f"{plain}-{i}" for i in range(2, 10000))) if one not in {*taken, "leave"})


def _unique_names(names: Iterable[Any]) -> dict[Any, str]:
    """Returns a valid and unique name for each name of Ciw."""
    made: dict[Any, str] = {}
    for name in names:
        made[name] = _new_name(name, made.values())
    return made


def _is_infinite(value: Any) -> bool:
    return value == "Inf" or (isinstance(value, float) and value == math.inf)


class _Import:
    """Converts the arguments of `ciw.create_network`, and collects what does not carry over."""

    def __init__(self, given: Mapping[str, Any], stations: Sequence[str] | None, node_class: Any) -> None:
        if not isinstance(given["number_of_servers"], (list, tuple)):
            raise TypeError(f"number_of_servers is {shown(given['number_of_servers'])}, expected a list")
        self.given = given
        self.problems: list[str] = []
        self.notes: list[str] = []
        self.count = len(given["number_of_servers"])
        self.nodes = range(self.count)
        horizon = given.get("horizon")
        self.horizon = horizon if isinstance(horizon, (int, float)) else math.inf
        arrivals = given["arrival_distributions"]
        self.names = _unique_names(arrivals if isinstance(arrivals, Mapping) else [_only_class])
        self.stations = list(stations) if stations is not None else [f"node-{i + 1}" for i in self.nodes]
        if len(self.stations) != self.count:
            raise ValueError(f"station_names has {len(self.stations)} names, expected {self.count}, one for each node")
        self.node_classes = list(node_class) if isinstance(node_class, (list, tuple)) else [node_class] * self.count
        self.priorities, self.preempts = self._priorities()

    def refuse(self, where: str, why: str) -> None:
        problem = f"{where} {why}"
        if problem not in self.problems:
            self.problems.append(problem)

    def by_node(self, name: str, default: Any = None) -> list[Any]:
        """Returns an argument that has a value for each node."""
        values = self.given.get(name)
        return [default] * self.count if values is None else self._as_long(name, values)

    def by_class(self, name: str) -> dict[Any, list[Any]]:
        """Returns an argument that has a list for each class, with a value for each node."""
        given = self.given.get(name)
        lists = given if isinstance(given, Mapping) else {} if given is None else {_only_class: given}
        for of in lists:
            if of not in self.names:
                self.refuse(
                    f"{name}[{of!r}]",
                    f"is a class without arrival_distributions{suggestion(str(of), list(self.names))}",
                )
        return {
            of: self._as_long(f"{name}[{of!r}]", lists[of]) if of in lists else [None] * self.count for of in self.names
        }

    def _as_long(self, where: str, values: Any) -> list[Any]:
        found = list(values) if isinstance(values, (list, tuple)) else []
        if len(found) != self.count:
            self.refuse(where, f"is {shown(values)}, expected a list of {self.count} values, one for each node")
        return (found + [None] * self.count)[: self.count]

    def _priorities(self) -> tuple[dict[Any, int], list[Any]]:
        given = self.given.get("priority_classes")
        levels, preempts = given if isinstance(given, tuple) else (given or {}, [False] * self.count)
        return {of: levels.get(of, 0) for of in self.names}, self._as_long("priority_classes[1]", preempts)

    def has_priorities(self) -> bool:
        return len(set(self.priorities.values())) > 1

    def distribution(self, where: str, of: Any, known: Mapping[str, Callable[[Any], Any]]) -> Any:
        """Returns the distribution of Sporos for one of Ciw. Returns None for None, and if there is no counterpart."""
        name = type(of).__name__
        if of is None or name == "NoArrivals":
            return None
        if name not in known:
            self.refuse(where, f"is {name}, which has no counterpart in Sporos, expected one of {', '.join(known)}")
            return None
        try:
            return known[name](of)
        except (KeyError, TypeError) as error:
            self.refuse(where, f"is {name}, whose parameters cannot be read: {error}")
        except ValueError as error:
            self.refuse(where, f"is {name}, which {error}")
        return None

    # Arrivals

    def classes(self) -> dict[str, dict[str, Any]]:
        """Returns the members of all classes."""
        arrivals, batches = self.by_class("arrival_distributions"), self.by_class("batching_distributions")
        made: dict[str, dict[str, Any]] = {}
        for of, name in self.names.items():
            priority = {"priority": self.priorities[of]} if self.has_priorities() else {}
            streams = _merged(
                [stream for i in self.nodes for stream in self._streams(of, i, arrivals[of][i], batches[of][i])]
            )
            made[name] = {**(streams[0] if len(streams) == 1 else {}), **priority}
            for stream in streams if len(streams) > 1 else []:
                entry = _new_name(f"{name}-at-{stream['enters']}", [*made, *self.names.values()])
                made[entry] = {**stream, "enters": branch(stream["enters"], becomes=name)}
        return made

    def _streams(self, of: Any, node: int, arrivals: Any, batch: Any) -> list[dict[str, Any]]:
        """Returns the members of the classes whose customers arrive as one class of Ciw at one node."""
        where = f"arrival_distributions[{of!r}][{node}]"
        if type(arrivals).__name__ == "PoissonIntervals":
            sources = [self._rates(where, arrivals)]
        elif type(arrivals).__name__ == "Sequential":
            sources = self._sequence(where, [float(time) for time in arrivals.sequence])
        else:
            interarrival = self.distribution(where, arrivals, _distributions)
            sources = [] if interarrival is None else [{"interarrival": interarrival}]
        where = f"batching_distributions[{of!r}][{node}]"
        number = self.distribution(where, batch, _batches) if sources else None
        if number == 0 or re.search(r"[( ]0\.0:", str(number)):
            self.refuse(where, "has batches of 0 customers, expected at least 1")
        batches = {} if number in (None, 1) else {"batch": number}
        return [{"enters": self.stations[node], **source, **batches} for source in sources]

    def _sequence(self, where: str, times: list[float]) -> list[dict[str, Any]]:
        """Returns arrivals whose interarrival times are a list, which Ciw repeats unless it has an infinite time."""
        dates = list(itertools.accumulate(itertools.takewhile(math.isfinite, times)))
        is_infinite = len(dates) < len(times)
        if not is_infinite and not any(dates):
            self.refuse(where, f"is Sequential with the times {shown(times)}, expected a positive one")
            return []
        if is_infinite or dates[-1] >= self.horizon:
            return [{"arrivals": dates}] if dates else []
        early = [date for date in dates if date < dates[-1]]
        # The last arrivals are at the end of each cycle, where a list of arrivals begins again.
        last = [{"interarrival": dates[-1]}] * (len(dates) - len(early))
        return [{"arrivals": early, "cycle": dates[-1]}, *last] if early else last

    def _rates(self, where: str, arrivals: Any) -> dict[str, Any]:
        ends, last = arrivals.endpoints, arrivals.max_sample_date
        if self.horizon > last:
            self.notes.append(
                f"{where}: customers arrive after max_sample_date {last}, unless the horizon is before it"
            )
        return {"rates": list(zip([0, *ends[:-1]], arrivals.rates)), "cycle": ends[-1]}

    # Routes

    def routes(self) -> dict[Any, list[list[tuple[Any, float]]]]:
        """Returns for each class and each node the destinations with their probabilities."""
        given = self.given.get("routing")
        if given is None:
            if self.count > 1:
                self.refuse("routing", f"is missing, expected it for {self.count} nodes")
            given = {of: [[0.0]] for of in self.names}
        by_class = given if isinstance(given, Mapping) else {_only_class: given}
        made = {}
        for of in self.names:
            rows: Any = by_class.get(of)
            routers = rows.routers if _kind(rows) in ("NetworkRouting", "TransitionMatrix") else rows
            if isinstance(routers, (list, tuple)) and len(routers) == self.count:
                self._check_jockeying(f"routing[{of!r}]", rows)
                made[of] = [self._route(f"routing[{of!r}][{i}]", router) for i, router in enumerate(routers)]
                continue
            made[of] = [[] for _ in self.nodes]
            kind = shown(rows) if rows is None or isinstance(rows, (list, tuple)) else _kind(rows)
            self.refuse(f"routing[{of!r}]", f"is {kind}, expected a matrix with a row for each node, or routers")
        return made

    def _route(self, where: str, router: Any) -> list[tuple[Any, float]]:
        name = _kind(router)
        self._check_jockeying(where, router)
        if isinstance(router, (list, tuple)):
            if len(router) != self.count:
                self.refuse(where, f"is {shown(router)}, expected {self.count} probabilities")
            return [(self.stations[i], float(p)) for i, p in enumerate(router[: self.count]) if p > 0]
        if name == "Probabilistic":
            pairs = zip(router.destinations, router.probs)
            return [(self._to(where, node), float(p)) for node, p in pairs if node != -1 and p > 0]
        if name == "Direct":
            return [(self._to(where, router.to), 1.0)] if router.to != -1 else []
        if name == "LoadBalancing" and router.tie_break == "order":
            return [([self._to(where, node) for node in router.destinations], 1.0)]
        if name != "Leave":
            self.refuse(
                where,
                f"is {name}, expected probabilities, Direct, Leave, Probabilistic, or LoadBalancing with "
                "tie_break 'order'",
            )
        return []

    def _check_jockeying(self, where: str, router: Any) -> None:
        if _kind(router) != type(router).__name__ and self.given.get("reneging_destinations") is None:
            self.refuse(
                where,
                f"is {type(router).__name__}, whose next_node_for_jockeying is a function, expected also "
                "reneging_destinations",
            )

    def _reneging(self, of: Any, node: int, destination: Any) -> str:
        """Returns the station to which customers renege."""
        if destination in (None, -1):
            return "leave"
        where = f"reneging_destinations[{of!r}][{node}]"
        if isinstance(destination, int):
            return self._to(where, destination)
        self.refuse(where, f"is {shown(destination)}, expected the number of a node, or -1 to leave")
        return "leave"

    def _to(self, where: str, node: int) -> str:
        """Returns the name of the station of a node, which Ciw numbers from 1."""
        if 1 <= node <= self.count:
            return self.stations[node - 1]
        self.refuse(where, f"leads to node {node}, expected 1 to {self.count}")
        return self.stations[0]

    def _next(self, of: Any, node: int, routes: Mapping[Any, list[list[tuple[Any, float]]]], changes: Any) -> Any:
        """Returns the route of a class after a service. In Ciw, the class changes before the route is chosen."""
        becomes = {of: 1.0}
        if changes is not None:
            becomes = changes.get(of) if isinstance(changes, Mapping) else changes
            if not isinstance(becomes, Mapping) or abs(math.fsum(becomes.values()) - 1) > 1e-9:
                self.refuse(
                    f"class_change_matrices[{node}]",
                    f"has for {of!r} {shown(becomes)}, expected probabilities whose sum is 1",
                )
                return None
        made = [
            branch(to, None if p * q == 1 else p * q, becomes=None if other == of else self.names[other])
            for other, p in becomes.items() if other in self.names and p > 0
            for to, q in routes[other][node]
        ]  # fmt: skip
        if len(made) == 1 and list(made[0]) == ["to"] and isinstance(made[0]["to"], str):
            return made[0]["to"]
        return made or None

    # Stations

    def station(self, node: int) -> dict[str, Any]:
        """Returns the members of a station, except for what depends on the class."""
        servers = self.given["number_of_servers"][node]
        members = self._servers(node, servers)
        capacity = self.by_node("queue_capacities", math.inf)[node]
        is_shared = self._is_shared(node)
        if is_shared:
            threshold = self.by_node("ps_thresholds", 1)[node]
            if not _is_infinite(servers):
                self.refuse(f"number_of_servers[{node}]", f"is {shown(servers)} for a PSNode, expected float('inf')")
            return {"servers": threshold, "discipline": "processor-sharing"}
        if not _is_infinite(capacity) and not _is_infinite(servers):
            if "shifts" in members:
                self.refuse(
                    f"queue_capacities[{node}]",
                    f"is {capacity} for a Schedule, expected float('inf'), because "
                    "Ciw does not count the servers of a Schedule as places",
                )
            members |= {"waiting": capacity, "full": "block"}
        if members.get("servers") != "unlimited":
            members |= self._discipline(node, "shifts" in members)
        return members

    def _servers(self, node: int, servers: Any) -> dict[str, Any]:
        where = f"number_of_servers[{node}]"
        if _is_infinite(servers):
            return {"servers": "unlimited"}
        if hasattr(servers, "shift_end_dates"):
            return self._shifts(where, servers)
        if isinstance(servers, bool) or not isinstance(servers, int) or servers < 1:
            kind = type(servers).__name__ if hasattr(servers, "slots") else shown(servers)
            self.refuse(where, f"is {kind}, expected a whole number of at least 1, float('inf') or a Schedule")
            return {}
        return {"servers": servers}

    def _shifts(self, where: str, schedule: Any) -> dict[str, Any]:
        numbers, ends, interrupts = schedule.numbers_of_servers, schedule.shift_end_dates, schedule.preemption
        if getattr(schedule, "offset", 0) != 0:
            self.refuse(where, f"has the offset {schedule.offset}, expected 0")
        has_breaks = all(before == 0 or after == 0 for before, after in zip(numbers, [*numbers[1:], numbers[0]]))
        if interrupts not in (False, "resume", "restart", "resample"):
            self.refuse(where, f"has preemption {interrupts!r}, expected False, 'resume', 'restart' or 'resample'")
            interrupts = False
        elif interrupts in ("restart", "resample") and not has_breaks:
            self.refuse(
                where,
                f"has preemption {interrupts!r}, which interrupts all services between two shifts with servers, "
                "expected 'resume', or shifts with 0 servers between the others",
            )
        elif interrupts is False and not has_breaks:
            self.notes.append(
                f"{where}: at the end of a shift, Ciw adds the servers of the next shift to those who complete "
                "a service; in Sporos, a service in overtime occupies a server of the next shift"
            )
        shift_end = {"shift_end": interrupts} if interrupts else {}
        return {"shifts": list(zip([0, *ends[:-1]], numbers)), "cycle": ends[-1], **shift_end}

    def _is_shared(self, node: int) -> bool:
        kind = self.node_classes[node]
        name = getattr(kind, "__name__", None) if kind is not None else "Node"
        if name not in ("Node", "PSNode"):
            self.refuse(f"node_class[{node}]", f"is {name or shown(kind)}, expected ciw.Node or ciw.PSNode")
        return name == "PSNode"

    def _discipline(self, node: int, has_shifts: bool) -> dict[str, Any]:
        rule = self.by_node("service_disciplines")[node]
        name = "FIFO" if rule is None else getattr(rule, "__name__", shown(rule))
        if name not in ("FIFO", "LIFO") or (name == "LIFO" and self.has_priorities()):
            self.refuse(f"service_disciplines[{node}]", f"is {name}, expected FIFO, or LIFO without priorities")
        if not self.has_priorities():
            return {"discipline": "last-in-first-out"} if name == "LIFO" else {}
        preempt = self.preempts[node]
        rules: dict[bool | str, str] = {
            False: "priority",
            "resume": "preemptive",
            "restart": "preemptive-restart",
            "resample": "preemptive-resample",
        }
        discipline = next((name for word, name in rules.items() if word == preempt), None)
        if discipline is None:
            words = ", ".join(map(repr, rules))
            self.refuse(f"priority_classes[1][{node}]", f"is {preempt!r}, expected one of {words}")
        if preempt and has_shifts:
            self.refuse(f"priority_classes[1][{node}]", f"is {preempt!r} for a Schedule, expected False")
        return {"discipline": discipline or "preemptive"}

    def network(self, members: Mapping[str, Any]) -> Network:
        """Returns the network, which is only valid if there are no problems."""
        self._refuse_functions()
        made = self._with_capacity(Network(**{"time_unit": "min", **members}))
        for name, of in self.classes().items():
            made.add_class(name, **of)
        services, patience = self.by_class("service_distributions"), self.by_class("reneging_time_distributions")
        destinations, while_waiting = self.by_class("reneging_destinations"), self._changes_while_waiting()
        changes, routes = self.by_node("class_change_matrices"), self.routes()
        for node, name in enumerate(self.stations):
            station = self.station(node)
            waits = station.get("servers") != "unlimited" and station.get("discipline") != "processor-sharing"
            made.add_station(
                name,
                **station,
                service=self._durations("service_distributions", node, services),
                patience=self._durations("reneging_time_distributions", node, patience) if waits else None,
                reneging=self._reneging_routes(node, patience, destinations) if waits else None,
                changes=while_waiting if waits else None,
                next=self._one_or_by_class({of: self._next(of, node, routes, changes[node]) for of in self.names}),
            )
        self._refuse_combinations(made)
        return made

    def _reneging_routes(self, node: int, patience: Mapping[Any, list[Any]], to: Mapping[Any, list[Any]]) -> Any:
        reneges = {of for of in self.names if patience[of][node] is not None}
        routes = {of: self._reneging(of, node, to[of][node]) if of in reneges else "leave" for of in self.names}
        return None if set(routes.values()) == {"leave"} else self._one_or_by_class(routes)

    def _changes_while_waiting(self) -> dict[str, Any] | None:
        """Returns the changes of the classes of waiting customers, at all stations."""
        made: dict[str, Any] = {}
        for of, row in (self.given.get("class_change_time_distributions") or {}).items():
            where = f"class_change_time_distributions[{of!r}]"
            times = {to: time for to, time in row.items() if time is not None}
            unknown = [name for name in (of, *times) if name not in self.names]
            if unknown:
                known = ", ".join(map(str, self.names))
                self.refuse(where, f"names {unknown[0]!r}, which has no arrival_distributions, expected one of {known}")
                continue
            if len(times) > 1:
                self.refuse(where, f"has {len(times)} distributions, expected one")
                continue
            for to, time in times.items():
                if to == of:
                    continue
                after = self._duration(f"{where}[{to!r}]", time)
                if isinstance(after, list):
                    self.refuse(f"{where}[{to!r}]", "is a sum, expected a single distribution")
                made[self.names[of]] = {"after": after, "becomes": self.names[to]}
                if self.priorities[of] != self.priorities[to]:
                    self.notes.append(_change_of_priority)
        return made or None

    def _duration(self, where: str, time: Any) -> Any:
        duration = self.distribution(where, time, _distributions)
        if duration == 0:
            self.refuse(where, "is always 0, expected a positive mean")
        return duration

    def _durations(self, what: str, node: int, given: Mapping[Any, list[Any]]) -> Any:
        return self._one_or_by_class(
            {of: self._duration(f"{what}[{of!r}][{node}]", given[of][node]) for of in self.names}
        )

    def _one_or_by_class(self, values: Mapping[Any, Any]) -> Any:
        """Returns the value if it is the same for all classes, and otherwise a dictionary without missing values."""
        first, *others = values.values()
        if all(other == first for other in others):
            return first
        return {self.names[of]: value for of, value in values.items() if value is not None}

    def _refuse_functions(self) -> None:
        for of, functions in self.by_class("baulking_functions").items():
            for node, function in enumerate(functions):
                if function is not None:
                    self.refuse(f"baulking_functions[{of!r}][{node}]", "is a function, which a case cannot contain")
        if any(function is not None for function in self.by_node("server_priority_functions")):
            self.notes.append("server_priority_functions: the servers of a station in Sporos do not differ")

    def _with_capacity(self, network: Network) -> Network:
        """Returns a network without stations with an area of all stations for the capacity of the system."""
        capacity = self.given.get("system_capacity", math.inf)
        if _is_infinite(capacity):
            return network
        if isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1:
            self.refuse("system_capacity", f"is {shown(capacity)}, expected a whole number from 1, or float('inf')")
            return network
        areas = network.get("areas", {})
        name = _new_name("system", [*areas, *self.stations])
        return Network(**{**network, "areas": {**areas, name: {"room": capacity}}})

    def _refuse_combinations(self, network: Network) -> None:
        """Refuses members whose combination means something else in Ciw."""
        stations = network["stations"]
        for node, name in enumerate(self.stations):
            station, targets = stations[name], _targets(stations[name].get("next"))
            blocking = [to for to in targets if "full" in stations[to]]
            preempts = station.get("discipline", "").startswith("preemptive")
            if preempts and "patience" in station:
                self.refuse(
                    f"reneging_time_distributions: node {node + 1}",
                    "has preemptive priorities, and in Ciw interrupted customers renege, expected one of them",
                )
            if preempts and "changes" in station:
                self.refuse(
                    f"class_change_time_distributions: node {node + 1}",
                    "has preemptive priorities, and in Ciw interrupted customers change their class, expected one of "
                    "them",
                )
            if any("full" in stations[to] for to in _targets(station.get("reneging"))):
                self.refuse(
                    f"reneging_destinations: node {node + 1}",
                    "leads to a node with a queue capacity, which reneging customers ignore in Ciw, expected another "
                    "node",
                )
            if {"changes", "patience"} <= set(station) and ("reneging" in station or self.has_priorities()):
                self.notes.append(
                    "class_change_time_distributions: Ciw 3.2.7 also changes the class of customers who have reneged, "
                    "and fails if their priority changes"
                )
            if "shift_end" in station and (blocking or "discipline" in station):
                self.refuse(
                    f"number_of_servers: node {node + 1}",
                    "has a Schedule that interrupts services, with priorities, LIFO or blocking, expected one of them",
                )
            if preempts and blocking:
                self.refuse(
                    f"queue_capacities: node {node + 1}",
                    "has preemptive priorities, and in Ciw they interrupt blocked customers, expected one of them",
                )
            if name in blocking:
                self.notes.append(
                    f"routing: node {node + 1} leads back to itself: a full node blocks its own customers in "
                    "Ciw, but not in Sporos"
                )


def _merged(streams: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merges Poisson streams of single customers to one whose customers enter stations with probabilities."""
    rates = [re.fullmatch(r"exponential\((.*)\)", str(stream.get("interarrival"))) for stream in streams]
    if len(streams) < 2 or any(rate is None or "batch" in stream for rate, stream in zip(rates, streams)):
        return streams
    numbers = [float(rate[1]) for rate in rates if rate]
    total = math.fsum(numbers)
    enters = [branch(stream["enters"], number / total) for stream, number in zip(streams, numbers)]
    return [{"interarrival": _text("exponential", total), "enters": enters}]


def _targets(route: Any) -> set[str]:
    """Returns the names of the stations to which a route leads."""
    if isinstance(route, str):
        return {route} - {"leave"}
    if isinstance(route, Mapping) and "to" not in route:
        return set().union(*(_targets(one) for one in route.values()))
    if isinstance(route, Mapping):
        return _targets(route["to"])
    return set().union(*(_targets(one) for one in route or []))


def network_from_ciw(
    network: Any = None, *, station_names: Sequence[str] | None = None, node_class: Any = None, **arguments: Any
) -> Network:
    """Imports a network of Ciw.

    Everything that does not carry over is refused by one error, which lists all problems.

    Parameters
    ----------
    network : ciw.network.Network, optional
        The network that `ciw.create_network` returns; default: the network that the other arguments describe.
    station_names : list of str, optional
        Names of the stations; default: "node-1", "node-2", ...
    node_class : type or list of types, optional
        The argument of `ciw.Simulation`: `ciw.PSNode` for nodes with processor sharing.
    **arguments : number, list or dict
        Arguments of `ciw.create_network`, the argument reneging_destinations of its earlier versions, and members of
        the case: horizon or customers, warm_up, time_unit (default: "min") and others.

    Returns
    -------
    Network
        The network. A warning lists what works differently.

    Raises
    ------
    ValueError, TypeError
        If something does not carry over, or a keyword is unknown.

    Notes
    -----
    A Poisson stream of a class at several nodes becomes one stream with probabilities; other streams become classes of
    arrivals, such as Customer-at-node-2. A queue capacity becomes `waiting` and `full="block"`, and the capacity of the
    system an area of all stations. Ciw's Normal is a normal distribution truncated at 0, and Empirical draws one of the
    observations.

    Examples
    --------
    >>> import ciw  # doctest: +SKIP
    >>> network = sporos.network_from_ciw(  # doctest: +SKIP
    ...     arrival_distributions=[ciw.dists.Exponential(0.2)],
    ...     service_distributions=[ciw.dists.Exponential(0.1)],
    ...     number_of_servers=[3],
    ...     horizon=1000,
    ... )
    """
    members = {name: value for name, value in arguments.items() if name in members_of("case")}
    given = {name: value for name, value in arguments.items() if name not in members and value is not None}
    for name in given:
        if name not in _arguments:
            raise ValueError(f"{name} is unknown{suggestion(name, _arguments)}, or members of a case")
    if network is not None:
        if not (hasattr(network, "service_centres") and hasattr(network, "customer_classes")):
            raise TypeError(f"network is {shown(network)}, expected the result of ciw.create_network")
        given = {**_arguments_of(network), **given}
    missing = [name for name in _required if name not in given]
    if missing:
        raise ValueError(f"{missing[0]} is missing, expected a network of Ciw, or {', '.join(_required)}")
    reader = _Import({**given, "horizon": members.get("horizon")}, station_names, node_class)
    made = reader.network(members)
    if reader.problems:
        raise ValueError("the network of Ciw does not carry over:" + "".join(f"\n- {one}" for one in reader.problems))
    if reader.notes:
        notes = "".join(f"\n- {one}" for one in dict.fromkeys(reader.notes))
        warnings.warn(f"works differently than in Ciw:{notes}", stacklevel=2)
    return made
