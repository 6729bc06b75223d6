# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Built-in models, written in Python. Each has the parameters, inputs and responses of its counterpart in C++."""

import math

import sporos

ARRIVAL, DEPARTURE = 0, 1
DUE_PERIODS = 64
ROWS, COLUMNS = 5, 6
MAX_DOCTORS = 16


def positive_part(x: float) -> float:
    """Returns x, or 0 if it is negative."""
    return x if x > 0 else 0.0


@sporos.model
class MM1:
    """M/M/1 queue, initially empty."""

    arrival_rate: float = sporos.parameter(0.5, unit="1/time", above=0)
    service_rate: float = sporos.parameter(1.0, unit="1/time", above=0)
    customers: int = sporos.parameter(10000, low=1)
    inputs = ("interarrival", "service")
    responses = ("time in queue", "time in system", "idle time", "queue length")
    series = ("time in queue", "time in system")
    chain = ("time in queue", "customer")
    problems = sporos.problem(
        "mm1", over={"service_rate": (0.01, math.inf)}, start={"service_rate": 5.0},
        minimize="time in system + 0.1 * service_rate^2", parameters={"arrival_rate": 1.5, "customers": 200},
        budget=1000, optimum=1.54359094, solution={"service_rate": 2.81249184},
    )  # fmt: skip

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

    def observe(self, draw, series):
        wait = 0.0
        draw.exponential_by_mean("interarrival", 1.0 / self.arrival_rate)
        while series.goes_on():
            if wait == 0:
                series.regenerate()
            stay = wait + draw.exponential_by_mean("service", 1.0 / self.service_rate)
            series.record(wait, stay)
            wait = max(stay - draw.exponential_by_mean("interarrival", 1.0 / self.arrival_rate), 0.0)

    def series_means(self):
        spare = self.service_rate - self.arrival_rate
        return self.arrival_rate / self.service_rate / spare, 1 / spare

    def evolve(self, draw, chain):
        wait = 0.0
        while chain.goes_on(wait):
            stay = wait + draw.exponential("service", self.service_rate)
            wait = max(stay - draw.exponential("interarrival", self.arrival_rate), 0.0)


@sporos.model
class BusyCycle:
    """Number in an M/M/1 queue from an arrival at the empty queue until it is empty again."""

    arrival_rate: float = sporos.parameter(0.5, unit="1/time", above=0)
    service_rate: float = sporos.parameter(1.0, unit="1/time", above=0)
    inputs = ("event",)
    responses = ("largest number",)
    chain = ("number in system", "a busy cycle")

    def share_of_arrivals(self) -> float:
        return self.arrival_rate / (self.arrival_rate + self.service_rate)

    def replicate(self, draw):
        present = largest = 1
        while present > 0:
            present += 1 if draw("event") < self.share_of_arrivals() else -1
            largest = max(largest, present)
        return largest

    def evolve(self, draw, chain):
        present = 1
        while chain.goes_on(present) and present > 0:
            if draw("event") < self.share_of_arrivals():
                present += 1
            else:
                present -= 1

    def exact_reach(self, level):
        total, product = 1.0, 1.0
        for _ in range(1, math.ceil(level)):
            product *= self.service_rate / self.arrival_rate
            total += product
        return 1.0 / total


@sporos.model
class Tandem:
    """Lines of two stations in a row during a day, with a calendar of events."""

    arrival_rate: float = sporos.parameter(0.5, above=0)
    horizon: float = 100.0
    shift: int = 0
    inputs = ("gap", "service")
    responses = ("time",)
    chain = ("second line", "a day")

    def replicate(self, draw):
        return draw.exponential("gap", self.arrival_rate)

    def evolve(self, draw, chain):
        calendar = sporos.Calendar(32)
        seen = [0] * 3
        first, second = 0, 0
        calendar.schedule(draw.exponential("gap", self.arrival_rate), 0)
        while chain.goes_on(second) and calendar.next() and calendar.now() < self.horizon:
            now = calendar.now()
            event = calendar.event()
            seen[event + self.shift] += 1
            if event == 0:
                first += 1
                calendar.schedule(now + draw.exponential("gap", self.arrival_rate), 0)
                if first > 1:
                    continue
                calendar.schedule(now + draw.exponential("service", 1.0), 1)
            elif event == 1:
                first -= 1
                second += 1
                for i in range(2):
                    if seen[i] > 8:
                        continue
                    seen[2] += 1
                if first > 0:
                    calendar.schedule(now + draw.exponential("service", 1.0), 1)
                if second == 1:
                    calendar.schedule(now + draw.gamma("service", 2.0, 0.4), 2)
            else:
                second -= 1
                if second > 0:
                    calendar.schedule(now + draw.gamma("service", 2.0, 0.4), 2)


@sporos.model
class EventMmck:
    """M/M/c/k queue from empty, with a calendar of events."""

    arrival_rate: float = sporos.parameter(4.0, unit="1/time", above=0)
    service_rate: float = sporos.parameter(1.0, unit="1/time", above=0)
    servers: int = sporos.parameter(3, low=1, high=62)
    capacity: int = 5
    customers: int = 2000
    inputs = ("initial_number", "interarrival", "service")
    responses = ("mean number in system", "blocking probability", "mean wait", "utilization", "longest wait")

    def replicate(self, draw):
        calendar = sporos.Calendar(64)
        waiting = sporos.FifoQueue(4096)
        busy = sporos.Resource(self.servers)
        line = sporos.TimeAverage()
        full = sporos.TimeAverage()
        waits = sporos.Tally()
        mean_gap = 1.0 / self.arrival_rate
        mean_service = 1.0 / self.service_rate
        to_enter = self.customers
        calendar.schedule(draw.exponential_by_mean("interarrival", mean_gap), ARRIVAL)
        while calendar.next():
            now = calendar.now()
            if calendar.event() == ARRIVAL:
                enters = line.value() + busy.used() < self.capacity
                if enters:
                    to_enter -= 1
                if to_enter > 0:
                    calendar.schedule(now + draw.exponential_by_mean("interarrival", mean_gap), ARRIVAL)
                if not enters:
                    continue
                if busy.try_seize(now):
                    waits.add(0.0)
                    calendar.schedule(now + draw.exponential_by_mean("service", mean_service), DEPARTURE)
                else:
                    waiting.push(now)
                    line.add(now, 1)
                if line.value() + busy.used() == self.capacity:
                    full.set(now, 1)
            else:
                if line.value() + busy.used() == self.capacity:
                    full.set(now, 0)
                if waiting.is_empty():
                    busy.release(now)
                else:
                    waits.add(now - waiting.pop())
                    line.add(now, -1)
                    calendar.schedule(now + draw.exponential_by_mean("service", mean_service), DEPARTURE)
        end = calendar.now()
        number = line.average(end) + busy.average_used(end)
        return number, full.average(end), line.area(end) / self.customers, busy.utilization(end), waits.maximum()


@sporos.model
class SsInventory:
    """(s, S) inventory with random lead times."""

    reorder_point: float = sporos.parameter(1000.0, low=0)
    min_order: float = sporos.parameter(1000.0, low=0)
    demand_mean: float = sporos.parameter(100.0, above=0)
    lead_mean: float = sporos.parameter(6.0, unit="periods", low=0, high=20)
    holding_cost: float = sporos.parameter(1.0, unit="money", low=0)
    backorder_cost: float = sporos.parameter(4.0, unit="money", low=0)
    fixed_cost: float = sporos.parameter(36.0, unit="money", low=0)
    variable_cost: float = sporos.parameter(2.0, unit="money", low=0)
    warm_up: int = sporos.parameter(20, unit="periods", low=0)
    periods: int = sporos.parameter(100, unit="periods", low=1)
    inputs = ("demand", "lead_time")
    responses = (
        "total cost", "holding cost", "order cost", "backorder cost", "backordered share", "stock-out rate", "order rate",
    )  # fmt: skip

    def replicate(self, draw):
        due = [0.0] * DUE_PERIODS
        today = 0
        stock = position = self.reorder_point
        held = ordered = backordered = 0.0
        orders = stock_outs = 0
        for period in range(-self.warm_up, self.periods):
            stock += due[today]
            due[today] = 0.0
            today = (today + 1) % DUE_PERIODS
            wanted = draw.exponential_by_mean("demand", self.demand_mean)
            met = positive_part(stock)
            stock -= wanted
            position -= wanted
            is_observed = period >= 0
            if is_observed and stock > 0:
                held += stock
            if is_observed and stock < 0:
                backordered += wanted - met
                stock_outs += 1
            if position >= self.reorder_point:
                continue
            quantity = self.reorder_point + self.min_order - position
            position = self.reorder_point + self.min_order
            lead = draw.poisson("lead_time", self.lead_mean)
            due[(today + lead) % DUE_PERIODS] += quantity
            if is_observed:
                ordered += quantity
                orders += 1
        share = 1.0 / self.periods
        holding = self.holding_cost * held * share
        backorder = self.backorder_cost * backordered * share
        order = (self.fixed_cost * orders + self.variable_cost * ordered) * share
        return (
            holding + order + backorder, holding, order, backorder, backordered * share / self.demand_mean,
            stock_outs * share, orders * share,
        )  # fmt: skip


@sporos.model
class MarkovMmck:
    """M/M/c/k queue from empty, as a Markov chain of the number of customers."""

    arrival_rate: float = sporos.parameter(4.0, unit="1/time", above=0)
    service_rate: float = sporos.parameter(1.0, unit="1/time", above=0)
    servers: int = sporos.parameter(3, low=1)
    capacity: int = sporos.parameter(5, low=1)
    customers: int = sporos.parameter(2000, low=1)
    inputs = ("initial_number", "interarrival", "service")
    responses = ("mean number in system", "blocking probability", "mean wait", "utilization")

    def replicate(self, draw):
        mean_gap, mean_service = 1.0 / self.arrival_rate, 1.0 / self.service_rate
        number = busy = 0
        to_enter = self.customers
        now = number_area = busy_area = full_time = 0.0
        next_arrival, next_departure = draw.exponential_by_mean("interarrival", mean_gap), math.inf
        while next_arrival < math.inf or next_departure < math.inf:
            arrives = next_arrival < next_departure
            next_event = next_arrival if arrives else next_departure
            is_full = number == self.capacity
            spent = next_event - now
            number_area += spent * number
            busy_area += spent * busy
            full_time += spent if is_full else 0.0
            now = next_event
            if arrives:
                next_arrival = now + draw.exponential_by_mean("interarrival", mean_gap)
                if is_full:
                    continue
                to_enter -= 1
                if to_enter == 0:
                    next_arrival = math.inf
            number += 1 if arrives else -1
            if arrives and busy == self.servers:
                continue
            busy = min(number, self.servers)
            next_departure = math.inf
            if busy > 0:
                next_departure = now + draw.exponential_by_mean("service", mean_service / busy)
        waits = (number_area - busy_area) / self.customers
        return number_area / now, full_time / now, waits, busy_area / (now * self.servers)


@sporos.model
class Pert:
    """Project with eight activities between five events."""

    first = (0, 0, 0, 1, 2, 0, 1, 3)
    last = (1, 2, 3, 3, 3, 4, 4, 4)
    number = (0, 1, 2, 4, 6, 3, 5, 7)
    inputs = ("activity",)
    responses = ("duration", *(f"criticality of {name}" for name in "abcdefgh"))

    def replicate(self, draw):
        time = [0] * 5
        ends_last = [False] * 8
        is_critical = [False] * 5
        found = [0] * 9
        for i in range(8):
            end = time[self.first[i]] + draw.uniform_integer("activity", 1, 5)
            if end > time[self.last[i]]:
                time[self.last[i]] = end
                for j in range(i):
                    if self.last[j] == self.last[i]:
                        ends_last[j] = False
            ends_last[i] = end == time[self.last[i]]
        is_critical[4] = True
        for i in range(7, -1, -1):
            if ends_last[i] and is_critical[self.last[i]]:
                is_critical[self.first[i]] = True
                found[1 + self.number[i]] = 1
        found[0] = time[4]
        return found


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
    series = ("wait of those served", "agents at work")
    call, end_of_service, hangs_up = 0, 1, 2

    def replicate(self, draw):
        calendar = sporos.Calendar(1024)
        callers = sporos.EntityPool(Caller, 1024)
        line = sporos.Line(callers)
        busy = sporos.Resource(self.agents)
        waits = sporos.Tally()
        calls = lost = 0
        calendar.schedule(draw.exponential("interarrival", self.arrival_rate), self.call)
        while calendar.next() and calendar.now() < self.minutes:
            now = calendar.now()
            caller = calendar.entity()
            starts = False
            if calendar.event() == self.call:
                calls += 1
                calendar.schedule(now + draw.exponential("interarrival", self.arrival_rate), self.call)
                caller = callers.add(Caller(now))
                starts = busy.try_seize(now)
                if not starts:
                    line.push_back(caller)
                    patience = draw.exponential("patience", self.patience_rate)
                    callers[caller].patience_ends = calendar.schedule(now + patience, self.hangs_up, caller)
            elif calendar.event() == self.hangs_up:
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
                calendar.schedule(now + service, self.end_of_service, caller)
        return lost / calls, waits.mean(), busy.utilization(calendar.now())

    def observe(self, draw, series):
        calendar = sporos.Calendar(1024)
        callers = sporos.EntityPool(Caller, 1024)
        line = sporos.Line(callers)
        busy = sporos.Resource(self.agents)
        calendar.schedule(draw.exponential("interarrival", self.arrival_rate), self.call)
        while series.goes_on() and calendar.next():
            now = calendar.now()
            caller = calendar.entity()
            starts = False
            if calendar.event() == self.call:
                calendar.schedule(now + draw.exponential("interarrival", self.arrival_rate), self.call)
                caller = callers.add(Caller(now))
                starts = busy.try_seize(now)
                if not starts:
                    line.push_back(caller)
                    patience = draw.exponential("patience", self.patience_rate)
                    callers[caller].patience_ends = calendar.schedule(now + patience, self.hangs_up, caller)
            elif calendar.event() == self.hangs_up:
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
                series.record(now - callers[caller].arrival, busy.used())
                service = draw.exponential("service", self.service_rate)
                calendar.schedule(now + service, self.end_of_service, caller)


@sporos.model
class RandomWalk:
    """Random walk on a board divided into 30 chunks."""

    steps: int = sporos.parameter(1000, low=1)
    chunk_side: int = sporos.parameter(10, unit="cells", low=1)
    inputs = ("direction",)
    responses = tuple(f"chunk {i + 1}" for i in range(ROWS * COLUMNS))

    def replicate(self, draw):
        height, width = ROWS * self.chunk_side, COLUMNS * self.chunk_side
        row, column = height // 2, width // 2
        for _ in range(self.steps):
            u = draw.random("direction")
            across = int(u >= 0.5)
            forward = 2 * int(u - 0.5 * across >= 0.25) - 1
            row = (row + (1 - across) * forward) % height
            column = (column + across * forward) % width
        ends = [0] * (ROWS * COLUMNS)
        ends[row // self.chunk_side * COLUMNS + column // self.chunk_side] = 1
        return ends


@sporos.model
class ActivityNetwork:
    """Project of 13 activities with exponential durations, by PERT."""

    mean: float = sporos.parameter(1.0, above=0)
    inputs = ("duration",)
    responses = ("duration", "time of event 6", "time of event 8")
    activities = (
        (0, 1),
        (0, 2),
        (1, 2),
        (1, 3),
        (1, 5),
        (2, 5),
        (3, 4),
        (3, 6),
        (4, 5),
        (4, 7),
        (5, 8),
        (6, 7),
        (7, 8),
    )

    def replicate(self, draw):
        times = [0.0] * 9
        for i in range(13):
            end = times[self.activities[i][0]] + draw.exponential_by_mean("duration", self.mean)
            to = self.activities[i][1]
            times[to] = max(times[to], end)
        return times[8], times[5], times[7]


@sporos.model
class ContinuousNewsvendor:
    """Newsvendor with a continuous demand."""

    quantity: float = sporos.parameter(0.5, low=0)
    cost: float = sporos.parameter(5.0, unit="money", above=0)
    price: float = sporos.parameter(9.0, unit="money", above=0)
    salvage: float = sporos.parameter(1.0, unit="money")
    alpha: float = sporos.parameter(2.0, above=0)
    beta: float = sporos.parameter(20.0, above=0)
    inputs = ("demand",)
    responses = ("profit", "lost sales", "stock-out")

    def replicate(self, draw):
        z = draw.exponential("demand", 1.0) / self.beta
        wanted = math.exp((z + math.log(-math.expm1(-z))) / self.alpha)
        sold = min(self.quantity, wanted)
        profit = self.price * sold + self.salvage * (self.quantity - sold) - self.cost * self.quantity
        return profit, wanted - sold, wanted > self.quantity


@sporos.model
class IronOre:
    """Prices at which iron ore is mined and sold, a Markov chain of price and stock."""

    start_price: float = 80.0
    stop_stock: int = 7000
    stop_price: float = 40.0
    sell_price: float = 100.0
    mean_price: float = 100.0
    lowest_price: float = 0.0
    highest_price: float = 200.0
    deviation: float = 7.5
    capacity: int = 10000
    daily_production: int = 100
    production_cost: float = 100.0
    holding_cost: float = 1.0
    days: int = sporos.parameter(365, low=2)
    inputs = ("movement",)
    responses = ("profit", "mining", "mean stock")

    def replicate(self, draw):
        price = self.mean_price
        stock = profit = stocks = 0.0
        days_of_mining = 0
        is_mining = False
        for _ in range(1, self.days):
            away = self.mean_price - price
            drift = math.sqrt(math.sqrt(abs(away)))
            price = draw.normal("movement", price - drift if away < 0 else price + drift, self.deviation)
            price = min(max(price, self.lowest_price), self.highest_price)
            wanted = stock < self.stop_stock and price >= (self.stop_price if is_mining else self.start_price)
            mined = min(self.capacity - stock, float(self.daily_production)) if wanted else 0.0
            is_mining = mined > 0
            days_of_mining += int(is_mining)
            stock += mined
            profit -= self.production_cost * mined
            if price >= self.sell_price:
                profit += price * stock
                stock = 0.0
            profit -= self.holding_cost * stock
            stocks += stock
        share = 1.0 / self.days
        return profit, days_of_mining * share, stocks * share


@sporos.model
class Clinic:
    """Patients wait for doctors during a day."""

    doctors: int = sporos.parameter(2, low=1, high=MAX_DOCTORS)
    patients: int = sporos.parameter(60, low=1)
    gap: float = sporos.parameter(6.0, unit="min", above=0)
    visit: float = sporos.parameter(10.0, unit="min", above=0)
    inputs = ("arrival", "treatment")
    responses = ("waiting time", "end of the day")

    def replicate(self, draw):
        free_at = [0.0] * MAX_DOCTORS
        now = waited = end = 0.0
        for _ in range(self.patients):
            now += draw.exponential_by_mean("arrival", self.gap)
            first = 0
            for doctor in range(1, self.doctors):
                if free_at[doctor] < free_at[first]:
                    first = doctor
            start = max(now, free_at[first])
            waited += start - now
            free_at[first] = start + draw.exponential_by_mean("treatment", self.visit)
            end = max(end, free_at[first])
        return waited / self.patients, end

    def exact_means(self):
        if self.doctors >= self.patients:
            return 0.0, None
        return None, None


@sporos.model
class CallOption:
    """European call by Euler's scheme for geometric Brownian motion. Level l has 2^l steps."""

    spot: float = sporos.parameter(100.0, above=0)
    strike: float = sporos.parameter(100.0, above=0)
    rate: float = 0.05
    volatility: float = sporos.parameter(0.2, above=0)
    steps: int = sporos.parameter(16, low=1)
    wrong: bool = False
    inputs = ("increment",)
    responses = ("European call", "price at maturity")

    def paid(self, price: float) -> float:
        return math.exp(-self.rate) * (price - self.strike) if price > self.strike else 0.0

    def factor(self, step: float, increment: float) -> float:
        return max(1.0 + self.rate * step + self.volatility * increment, 1e-6)

    def replicate(self, draw):
        price, step = self.spot, 1.0 / self.steps
        for _ in range(self.steps):
            price *= self.factor(step, draw.normal("increment", 0.0, math.sqrt(step)))
        return self.paid(price), price

    def at_level(self, draw, level):
        steps = int(2.0**level)
        step = 1.0 / steps
        deviation = math.sqrt(step)
        fine = coarse = self.spot
        before = 0.0
        for i in range(steps):
            increment = draw.normal("increment", 0.0, deviation)
            fine *= self.factor(step, increment)
            if i % 2 == 1:
                coarse *= self.factor(2 * step, before + increment)
            before = increment
        if level == 0:
            return self.paid(fine), fine, 0.0, 0.0
        lost = 1 // int(not self.wrong)
        return self.paid(fine), fine, lost * self.paid(coarse), coarse

    def level_cost(self, level):
        return 1.0 if level == 0 else 1.5 * 2.0**level

    def level_means(self):
        return None, self.spot * math.exp(self.rate)
