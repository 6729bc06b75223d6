# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Event tools, as models in Python use them. A compiled model uses those of C++, which compute the same."""

from __future__ import annotations

import heapq
import math
from typing import Any, Optional


class ReplicationFailed(RuntimeError):
    """A replication of a model in Python cannot go on, such as when a calendar is full.

    Examples
    --------
    >>> import sporos
    >>> line = sporos.FifoQueue(1)
    >>> line.push(1.0)
    >>> line.push(2.0)
    Traceback (most recent call last):
        ...
    sporos._model.events.ReplicationFailed: the queue has room for 1 entities and is full: give it more room
    """


class Ticket(int):
    """Identifies a scheduled event, to cancel it. `Ticket()` and tickets of past events identify no event.

    Examples
    --------
    >>> import sporos
    >>> calendar = sporos.Calendar(2)
    >>> ticket = calendar.schedule(1.5, 0)
    >>> calendar.cancel(ticket), calendar.cancel(ticket), calendar.next()
    (True, False, False)
    """


class Calendar:
    """Future events of a replication, at most `slots` at a time.

    An event has a kind and an entity, which are ints. Events happen in the order of their times; of events at one time,
    the one that was scheduled first happens first.

    Parameters
    ----------
    slots : int
        Room for events.

    Examples
    --------
    >>> import sporos
    >>> calendar = sporos.Calendar(2)
    >>> ticket = calendar.schedule(1.5, 0)
    >>> calendar.next(), calendar.now(), calendar.event()
    (True, 1.5, 0)
    """

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._events: list[tuple[float, int, int, int]] = []
        self._future: set[int] = set()
        self._now = 0.0
        self._scheduled = 0
        self._event = (0, 0)

    def schedule(self, time: float, event: int, entity: int = 0) -> Ticket:
        """Schedules an event at a time, which is not before the current time. An event at infinity never happens."""
        if not time >= self._now:
            raise ReplicationFailed(
                f"an event is scheduled at {time}, before the current time {self._now}: schedule it later"
            )
        if time == math.inf:
            return Ticket()
        if len(self._future) == self._slots:
            raise ReplicationFailed(f"the calendar has room for {self._slots} events and is full: give it more room")
        self._scheduled += 1
        self._future.add(self._scheduled)
        heapq.heappush(self._events, (time + 0.0, self._scheduled, event, entity))
        return Ticket(self._scheduled)

    def cancel(self, ticket: Ticket) -> bool:
        """Cancels an event. Returns False if it has happened or was cancelled before."""
        if ticket not in self._future:
            return False
        self._future.remove(ticket)
        return True

    def reschedule(self, ticket: Ticket, time: float, event: int, entity: int = 0) -> Ticket:
        """Cancels an event, if it is still to come, and schedules one at `time` instead."""
        self.cancel(ticket)
        return self.schedule(time, event, entity)

    def is_scheduled(self, ticket: Ticket) -> bool:
        """Returns whether an event is still to come."""
        return ticket in self._future

    def next(self) -> bool:
        """Advances to the next event. Returns False if there is none."""
        if self.next_time() == math.inf:
            return False
        self._now, order, *event = heapq.heappop(self._events)
        self._future.remove(order)
        self._event = (event[0], event[1])
        return True

    def next_time(self) -> float:
        """Returns the time of the next event; infinity if there is none."""
        while self._events and self._events[0][1] not in self._future:
            heapq.heappop(self._events)
        return self._events[0][0] if self._events else math.inf

    def now(self) -> float:
        """Returns the time of the current event; initially 0."""
        return self._now

    def event(self) -> int:
        """Returns the kind of the current event."""
        return self._event[0]

    def entity(self) -> int:
        """Returns the entity of the current event."""
        return self._event[1]

    def size(self) -> int:
        """Returns the number of future events."""
        return len(self._future)


class _Line:
    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._entities: list[float] = []

    def push(self, entity: float) -> None:
        """Adds a number, such as the time of an arrival. The replication fails if there is no room."""
        if len(self._entities) == self._slots:
            raise ReplicationFailed(f"the queue has room for {self._slots} entities and is full: give it more room")
        self._entities.append(entity)

    def size(self) -> int:
        """Returns the number of waiting entities."""
        return len(self._entities)

    def is_empty(self) -> bool:
        """Returns whether no entity waits."""
        return not self._entities


class FifoQueue(_Line):
    """A first-in, first-out queue of numbers, such as the times of arrivals, with room for `slots` of them.

    Parameters
    ----------
    slots : int
        Room for entities.

    Examples
    --------
    >>> import sporos
    >>> line = sporos.FifoQueue(8)
    >>> line.push(1.0)
    >>> line.push(2.0)
    >>> line.pop()
    1.0
    """

    def pop(self) -> float:
        """Removes and returns the number that has waited longest; there must be one."""
        return self._entities.pop(0)

    def front(self) -> float:
        """Returns the number that has waited longest; there must be one."""
        return self._entities[0]


class LifoQueue(_Line):
    """A last-in, first-out queue of numbers, with room for `slots` of them.

    Parameters
    ----------
    slots : int
        Room for entities.

    Examples
    --------
    >>> import sporos
    >>> line = sporos.LifoQueue(8)
    >>> line.push(1.0)
    >>> line.push(2.0)
    >>> line.pop()
    2.0
    """

    def pop(self) -> float:
        """Removes and returns the number that was added last; there must be one."""
        return self._entities.pop()


class PriorityQueue:
    """A queue of numbers by rank: smallest rank first; of equal ranks, the one that came first.

    Parameters
    ----------
    slots : int
        Room for entities.

    Examples
    --------
    >>> import sporos
    >>> line = sporos.PriorityQueue(8)
    >>> line.push(1.0, 2)
    >>> line.push(3.0, 1)
    >>> line.pop()
    3.0
    """

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._entities: list[tuple[float, int, float]] = []
        self._pushed = 0

    def push(self, entity: float, rank: float) -> None:
        """Adds a number with a rank. The replication fails if there is no room."""
        if math.isnan(rank):
            raise ReplicationFailed("the rank of an entity is NaN: give it a number")
        if len(self._entities) == self._slots:
            raise ReplicationFailed(f"the queue has room for {self._slots} entities and is full: give it more room")
        heapq.heappush(self._entities, (rank, self._pushed, entity))
        self._pushed += 1

    def pop(self) -> float:
        """Removes and returns the first number; there must be one."""
        return heapq.heappop(self._entities)[2]

    def front(self) -> float:
        """Returns the first number; there must be one."""
        return self._entities[0][2]

    def front_rank(self) -> float:
        """Returns the rank of the first number; there must be one."""
        return self._entities[0][0] + 0.0

    def size(self) -> int:
        """Returns the number of waiting entities."""
        return len(self._entities)

    def is_empty(self) -> bool:
        """Returns whether no entity waits."""
        return not self._entities


class EntityPool:
    """Entities of a replication, such as customers, at most `slots` at a time.

    An entity is a record. Its number identifies it in events, queues and lines until it is removed.

    Parameters
    ----------
    record : type
        Class of the entities, under `record`.
    slots : int
        Room for entities.

    Examples
    --------
    >>> import sporos
    >>> @sporos.record
    ... class Customer:
    ...     arrival: float
    >>> customers = sporos.EntityPool(Customer, 8)
    >>> number = customers.add(Customer(1.5))
    >>> customers[number].arrival
    1.5
    """

    def __init__(self, record: Any, slots: int) -> None:
        self._slots = slots
        self._entities: dict[int, Any] = {}
        self._lines: dict[int, Optional[Line]] = {}
        self._removed: list[int] = []
        self._touched = 0

    def __getitem__(self, number: int) -> Any:
        """Returns the entity with a number."""
        return self._entities[self._number(number)]

    def add(self, entity: Any = None) -> int:
        """Adds an entity and returns its number. The replication fails if there is no room."""
        if len(self._entities) == self._slots:
            raise ReplicationFailed(f"the pool has room for {self._slots} entities and is full: give it more room")
        number = self._removed.pop() if self._removed else self._touched
        self._touched = max(self._touched, number + 1)
        self._entities[number] = entity
        self._lines[number] = None
        return number

    def remove(self, number: int) -> None:
        """Removes an entity, which must be in no line."""
        self._in_line(number, None)
        del self._entities[number], self._lines[number]
        self._removed.append(number)

    def size(self) -> int:
        """Returns the number of entities."""
        return len(self._entities)

    def _number(self, number: int) -> int:
        if number not in self._entities:
            raise IndexError(f"the pool has no entity {number}: use the number that add has returned, until remove")
        return number

    def _in_line(self, number: int, line: Optional[Line]) -> None:
        """Checks that an entity is in this line, or in none."""
        self._number(number)
        if self._lines[number] is not line:
            where = "in another line, or in none" if line else "in a line: take it out first"
            raise IndexError(f"the entity {number} is {where}")


class Line:
    """A line of entities of a pool. An entity is in at most one line.

    Parameters
    ----------
    pool : EntityPool
        The pool of the entities.

    Examples
    --------
    >>> import sporos
    >>> @sporos.record
    ... class Customer:
    ...     arrival: float
    >>> customers = sporos.EntityPool(Customer, 8)
    >>> line = sporos.Line(customers)
    >>> line.push_back(customers.add(Customer(1.5)))
    >>> line.push_back(customers.add(Customer(2.5)))
    >>> line.take_out(0)
    >>> customers[line.pop_front()].arrival
    2.5
    """

    def __init__(self, pool: EntityPool) -> None:
        self._pool = pool
        self._numbers: list[int] = []

    def push_back(self, number: int) -> None:
        """Appends an entity, which must be in no line."""
        self._pool._in_line(number, None)
        self._pool._lines[number] = self
        self._numbers.append(number)

    def push_front(self, number: int) -> None:
        """Puts an entity, which must be in no line, in front."""
        self.push_back(number)
        self._numbers.insert(0, self._numbers.pop())

    def take_out(self, number: int) -> None:
        """Removes an entity from the line, in which it must be; it stays in the pool."""
        self._pool._in_line(number, self)
        self._pool._lines[number] = None
        self._numbers.remove(number)

    def pop_front(self) -> int:
        """Removes the first entity from the line and returns its number; there must be one."""
        if not self._numbers:
            raise IndexError("the line is empty: call pop_front only if is_empty() is false")
        number = self._numbers[0]
        self.take_out(number)
        return number

    def first(self) -> int:
        """Returns the number of the first entity; -1 if the line is empty."""
        return self._numbers[0] if self._numbers else -1

    def next(self, number: int) -> int:
        """Returns the number of the entity after this one; -1 after the last one."""
        self._pool._in_line(number, self)
        place = self._numbers.index(number) + 1
        return self._numbers[place] if place < len(self._numbers) else -1

    def size(self) -> int:
        """Returns the number of entities."""
        return len(self._numbers)

    def is_empty(self) -> bool:
        """Returns whether no entity waits."""
        return not self._numbers


class TimeAverage:
    """Average over time of a number that changes at events, such as the number of waiting customers.

    Parameters
    ----------
    value : float
        Number at the start.
    start : float
        Time of the start.

    Examples
    --------
    >>> import sporos
    >>> line = sporos.TimeAverage()
    >>> line.set(1.0, 2)
    >>> line.average(4.0)
    1.5
    """

    def __init__(self, value: float = 0.0, start: float = 0.0) -> None:
        self._area = 0.0
        self._value = self._maximum = value
        self._start = self._changed = start

    def set(self, now: float, value: float) -> None:
        """Sets the number from `now` on."""
        self._area += self._value * (now - self._changed)
        self._changed = now
        self._value = value
        if value > self._maximum:
            self._maximum = value

    def add(self, now: float, difference: float) -> None:
        """Changes the number by `difference` at `now`."""
        self.set(now, self._value + difference)

    def restart(self, now: float) -> None:
        """Discards the time before `now`, for example a warm-up."""
        self.__init__(self._value, now)  # type: ignore[misc]

    def value(self) -> float:
        """Returns the current number."""
        return self._value

    def maximum(self) -> float:
        """Returns the largest number since the start."""
        return self._maximum

    def area(self, end: float) -> float:
        """Returns the integral from the start to `end`."""
        return self._area + self._value * (end - self._changed)

    def average(self, end: float) -> float:
        """Returns the average from the start to `end`; the current number if no time has passed."""
        return self.area(end) / (end - self._start) if end > self._start else self._value


class Resource:
    """Equal units, such as servers, which entities seize and release.

    Parameters
    ----------
    units : float
        Number of units.
    start : float
        Time of the start.

    Examples
    --------
    >>> import sporos
    >>> servers = sporos.Resource(1)
    >>> servers.try_seize(0.0), servers.try_seize(1.0), servers.utilization(2.0)
    (True, False, 1.0)
    """

    def __init__(self, units: float, start: float = 0.0) -> None:
        self._units = TimeAverage(units, start)
        self._used = TimeAverage(0.0, start)

    def try_seize(self, now: float, amount: float = 1.0) -> bool:
        """Seizes units at `now`. Returns False and seizes none if fewer are free."""
        if self.free() < amount:
            return False
        self._used.add(now, amount)
        return True

    def release(self, now: float, amount: float = 1.0) -> None:
        """Releases units, which must be in use, at `now`."""
        self._used.add(now, -amount)

    def set_units(self, now: float, units: float) -> None:
        """Sets the number of units from `now` on."""
        self._units.set(now, units)

    def restart(self, now: float) -> None:
        """Restarts the averages at `now`, for example after a warm-up."""
        self._units.restart(now)
        self._used.restart(now)

    def units(self) -> float:
        """Returns the number of units."""
        return self._units.value()

    def used(self) -> float:
        """Returns the number of units in use."""
        return self._used.value()

    def free(self) -> float:
        """Returns the number of units that can be seized."""
        free = self.units() - self.used()
        return free if free > 0 else 0.0

    def average_used(self, end: float) -> float:
        """Returns the average number of units in use from the start to `end`."""
        return self._used.average(end)

    def utilization(self, end: float) -> float:
        """Returns the units in use divided by the units, each integrated from the start to `end`."""
        available = self._units.area(end)
        return self._used.area(end) / available if available > 0 else 0.0


class Tally:
    """Statistics of observations, such as waits.

    Examples
    --------
    >>> import sporos
    >>> waits = sporos.Tally()
    >>> waits.add(1.0)
    >>> waits.add(2.0)
    >>> waits.mean(), waits.count()
    (1.5, 2)
    """

    def __init__(self) -> None:
        self._count = 0
        self._sum = self._minimum = self._maximum = 0.0

    def add(self, x: float) -> None:
        """Adds an observation."""
        self._minimum = x if self._count == 0 or x < self._minimum else self._minimum
        self._maximum = x if self._count == 0 or x > self._maximum else self._maximum
        self._sum += x
        self._count += 1

    def count(self) -> int:
        """Returns the number of observations."""
        return self._count

    def sum(self) -> float:
        """Returns the sum of the observations."""
        return self._sum

    def mean(self) -> float:
        """Returns the mean of the observations; 0 if there are none."""
        return self._sum / self._count if self._count > 0 else 0.0

    def minimum(self) -> float:
        """Returns the smallest observation; 0 if there are none."""
        return self._minimum

    def maximum(self) -> float:
        """Returns the largest observation; 0 if there are none."""
        return self._maximum
