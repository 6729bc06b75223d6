# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of compare.py in SimPy, Numba and JAX. Each function returns the first response of every replication."""

import random


def simpy_mm1(replications, customers, seed):
    """An M/M/1 queue as a process for each customer."""
    import simpy

    draw, means = random.Random(seed), []

    def customer(environment, server, waits):
        arrival = environment.now
        with server.request() as turn:
            yield turn
            waits.append(environment.now - arrival)
            yield environment.timeout(draw.expovariate(1.0))

    def source(environment, server, waits):
        for _ in range(customers):
            yield environment.timeout(draw.expovariate(0.5))
            environment.process(customer(environment, server, waits))

    for _ in range(replications):
        environment, waits = simpy.Environment(), []
        environment.process(source(environment, simpy.Resource(environment), waits))
        environment.run()
        means.append(sum(waits) / customers)
    return means


def simpy_call_centre(replications, minutes, seed):
    """A call centre whose callers hang up when their patience ends."""
    import simpy

    draw, shares = random.Random(seed), []

    def caller(environment, agents, counts):
        with agents.request() as turn:
            yield turn | environment.timeout(draw.expovariate(0.5))
            if not turn.triggered:
                counts[1] += 1
                return
            yield environment.timeout(draw.expovariate(0.25))

    def source(environment, agents, counts):
        while True:
            yield environment.timeout(draw.expovariate(2.0))
            counts[0] += 1
            environment.process(caller(environment, agents, counts))

    for _ in range(replications):
        environment, counts = simpy.Environment(), [0, 0]
        environment.process(source(environment, simpy.Resource(environment, 10), counts))
        environment.run(until=minutes)
        shares.append(counts[1] / counts[0])
    return shares


def simpy_ss_inventory(replications, periods, seed):
    """An (s, S) inventory with random lead times. Orders are processes."""
    import simpy

    draw, costs = random.Random(seed), []

    def delivery(environment, stock, quantity, lead):
        yield environment.timeout(lead + 0.5)
        stock[0] += quantity

    def reviews(environment, stock, cost):
        position = stock[0]
        for period in range(-20, periods):
            yield environment.timeout(1)
            wanted = draw.expovariate(0.01)
            stock[0] -= wanted
            position -= wanted
            cost[0] += (stock[0] if stock[0] > 0 else 0) if period >= 0 else 0
            if stock[0] < 0 and period >= 0:
                cost[0] += 4 * min(wanted, -stock[0])
            if position < 1000:
                quantity, position = 2000 - position, 2000
                environment.process(delivery(environment, stock, quantity, _poisson(draw, 6.0)))
                cost[0] += 36 + 2 * quantity if period >= 0 else 0

    for _ in range(replications):
        environment, stock, cost = simpy.Environment(), [1000.0], [0.0]
        environment.process(reviews(environment, stock, cost))
        environment.run()
        costs.append(cost[0] / periods)
    return costs


def _poisson(draw, mean):
    count, time = 0, draw.expovariate(1.0)
    while time < mean:
        count, time = count + 1, time + draw.expovariate(1.0)
    return count


def numba_mm1(replications, customers, seed):
    """An M/M/1 queue by Lindley's recursion, with the same responses as the model of Sporos."""
    return _numba_function()(replications, customers, seed)[:, 0]


_compiled = {}


def _numba_function():
    import numba
    import numpy

    if "numba" not in _compiled:

        @numba.njit
        def run(replications, customers, seed):
            numpy.random.seed(seed)
            rows = numpy.empty((replications, 4))
            for i in range(replications):
                arrival = departure = wait = stay = idle = 0.0
                for _ in range(customers):
                    arrival += numpy.random.exponential(2.0)
                    if arrival > departure:
                        idle += arrival - departure
                    start = max(arrival, departure)
                    departure = start + numpy.random.exponential(1.0)
                    wait += start - arrival
                    stay += departure - arrival
                rows[i] = wait / customers, stay / customers, idle, wait / departure
            return rows

        _compiled["numba"] = run
    return _compiled["numba"]


def jax_mm1(replications, customers, seed):
    """An M/M/1 queue as a scan over customers, for all replications at a time, in double precision."""
    return _jax_function()(replications, customers, seed)[:, 0]


def _jax_function():
    import functools

    import jax
    import numpy

    if "jax" not in _compiled:
        jax.config.update("jax_enable_x64", True)
        numbers = jax.numpy

        @functools.partial(jax.jit, static_argnums=(0, 1))
        def run(replications, customers, key):
            def step(state, one):
                arrival, departure, wait, stay, idle = state
                gaps, services = jax.random.exponential(one, (2, replications))
                arrival = arrival + 2.0 * gaps
                idle = idle + numbers.maximum(arrival - departure, 0.0)
                start = numbers.maximum(arrival, departure)
                departure = start + services
                return (arrival, departure, wait + start - arrival, stay + departure - arrival, idle), None

            zero = numbers.zeros(replications)
            (_, departure, wait, stay, idle), _ = jax.lax.scan(step, (zero,) * 5, jax.random.split(key, customers))
            return numbers.stack([wait / customers, stay / customers, idle, wait / departure], axis=1)

        _compiled["jax"] = run
    return lambda replications, customers, seed: numpy.asarray(
        _compiled["jax"](replications, customers, jax.random.key(seed))
    )
