# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models in Python of the comparison in compare.py, and C++ models that are compiled in the same way."""

import copy

import sporos
from sporos._model import ModelName

CALL, END_OF_SERVICE, HANGS_UP = 0, 1, 2


@sporos.model
class MM1:
    """M/M/1 queue, initially empty."""

    arrival_rate: float = sporos.parameter(0.5, above=0)
    service_rate: float = sporos.parameter(1.0, above=0)
    customers: int = sporos.parameter(10000, low=1)
    inputs = ("interarrival", "service")
    responses = ("time in queue", "time in system", "idle time", "queue length")

    def replicate(self, draw):
        mean_gap, mean_service = 1.0 / self.arrival_rate, 1.0 / self.service_rate
        arrival = departure = 0.0
        wait = stay = idle = 0.0
        for _ in range(self.customers):
            arrival += draw.exponential_by_mean("interarrival", mean_gap)
            if arrival > departure:
                idle += arrival - departure
            start = max(arrival, departure)
            departure = start + draw.exponential_by_mean("service", mean_service)
            wait += start - arrival
            stay += departure - arrival
        return wait / self.customers, stay / self.customers, idle, wait / departure


@sporos.record
class Caller:
    """A caller, who waits until the patience ends."""

    arrival: float
    patience_ends: sporos.Ticket = sporos.Ticket()


@sporos.model
class CallCentre:
    """Callers wait for an agent and hang up when their patience ends."""

    arrival_rate: float = sporos.parameter(2.0, unit="1/min", above=0)
    service_rate: float = sporos.parameter(0.25, unit="1/min", above=0)
    patience_rate: float = sporos.parameter(0.5, unit="1/min", above=0)
    agents: int = sporos.parameter(10, low=1)
    minutes: float = sporos.parameter(5000.0, unit="min", above=0)
    inputs = ("interarrival", "service", "patience")
    responses = ("share who hang up", "mean wait of those served", "utilization")

    def replicate(self, draw):
        calendar = sporos.Calendar(1024)
        callers = sporos.EntityPool(Caller, 1024)
        line = sporos.Line(callers)
        busy = sporos.Resource(self.agents)
        waits = sporos.Tally()
        calls = lost = 0
        calendar.schedule(draw.exponential("interarrival", self.arrival_rate), CALL)
        while calendar.next() and calendar.now() < self.minutes:
            now = calendar.now()
            caller = calendar.entity()
            starts = False
            if calendar.event() == CALL:
                calls += 1
                calendar.schedule(now + draw.exponential("interarrival", self.arrival_rate), CALL)
                caller = callers.add(Caller(now))
                starts = busy.try_seize(now)
                if not starts:
                    line.push_back(caller)
                    patience = draw.exponential("patience", self.patience_rate)
                    callers[caller].patience_ends = calendar.schedule(now + patience, HANGS_UP, caller)
            elif calendar.event() == HANGS_UP:
                lost += 1
                line.take_out(caller)
                callers.remove(caller)
            else:
                callers.remove(caller)
                starts = not line.is_empty()
                if starts:
                    caller = line.pop_front()
                    calendar.cancel(callers[caller].patience_ends)
                else:
                    busy.release(now)
            if starts:
                waits.add(now - callers[caller].arrival)
                service = draw.exponential("service", self.service_rate)
                calendar.schedule(now + service, END_OF_SERVICE, caller)
        return lost / calls, waits.mean(), busy.utilization(calendar.now())


def in_cpp(model, header):
    """Returns a C++ model with the class name of `model`, compiled as models in Python are. `header` is its text."""
    definition = copy.copy(model._definition)
    definition.header = header
    return ModelName(definition)


def mm1_in_cpp():
    """Returns the built-in model mm1."""
    return in_cpp(MM1, "#include <sporos/models/queues/mm1.hpp>\nusing sporos::models::MM1;\n")


def call_centre_in_cpp(example):
    """Returns the model of examples/call_centre.cpp, to whose text a description is added."""
    described = """struct CallCentre {
  static constexpr std::string_view name = "call-centre", title = "call centre";
  static constexpr auto parameters() {
    using M = CallCentre;
    using sporos::Parameter;
    return std::tuple{Parameter<M, double>{"arrival_rate", &M::arrival_rate, 2.0, "", "arrivals", nullptr},
                      Parameter<M, double>{"service_rate", &M::service_rate, 0.25, "", "services", nullptr},
                      Parameter<M, double>{"patience_rate", &M::patience_rate, 0.5, "", "patience", nullptr},
                      Parameter<M, std::int64_t>{"agents", &M::agents, 10, "", "agents", nullptr},
                      Parameter<M, double>{"minutes", &M::minutes, 5000.0, "", "minutes", nullptr}};
  }
"""
    text = example[: example.index("int main")].replace("struct CallCentre {", described)
    return in_cpp(CallCentre, "#include <sporos/core/replication/described_model.hpp>\n" + text)
