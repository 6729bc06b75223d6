# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that use every construct of the subset of Python, in all combinations of lanes and derivatives."""

import math

import sporos

W = (0.25, 0.5, 1.0)
T = ((1, 2), (3, 4))
LIMIT = 2.5
NAN = 3


def double(x: float) -> float:
    return 2 * x


def grown(x: float, n: int, up: bool) -> float:
    y = x
    for i in range(n):
        y = y * 1.5 if up else y / 1.5
    return y


def noisy(draw, scale: float) -> float:
    return scale * draw.random("b")


@sporos.model
class Lanes:
    """Lanes and derivatives."""

    rate: float = sporos.parameter(1.0, above=0)
    count: int = sporos.parameter(4, low=1, high=9)
    flag: bool = False
    inputs = ("a", "b")
    responses = ("x", "y", "z", "w")

    def replicate(self, draw):
        x = [0.0] * 9
        g = [[1.0] * 2 for _ in range(3)]
        s = 0.0
        k = 1.0 / self.rate
        half = double(LIMIT)
        for i in range(self.count):
            u = draw.uniform("a", 0.0, k)
            v = draw.normal("b", k, 1.0)
            x[i] = u * v + W[i % 3]
            g[i % 3][i % 2] += u
            if u > v and v > 0:
                s += u
            else:
                s -= 1
            t = u if v > k else v
            s += t if self.flag else -t
            a, b = u, v
            a, b = b, a
            s += a - b
            q = math.exp(-u) + math.sqrt(abs(v)) + math.log1p(u * u) + math.sin(u) + math.cos(v) + u**2
            s += q
        total = 0.0
        for y in x:
            total += y
        for j, y in enumerate(x):
            total += y * j + T[j % 2][1]
        n = 3
        while n > 0:
            n -= 1
            total += draw.exponential("a", self.rate)
        if self.rate > 2.0:
            total = total * 2
        return s, total, max(g[0][1], s, 0.0), min(total, half)


@sporos.model
class Gradients:
    """Derivatives without lanes."""

    rate: float = sporos.parameter(1.0, above=0)
    other: float = 2.0
    n: int = 5
    inputs = ("a", "b")
    responses = ("x", "y")

    def level(self) -> float:
        return 3.0

    def replicate(self, draw):
        now = 0.0
        steps = 0
        best = [self.rate, self.other, 0.0]
        while now < 10.0 and steps < 1000:
            gap = draw.gamma("a", 2.0, self.rate)
            now += gap
            steps += 1
            if gap > self.level():
                continue
            if now > 8.0:
                break
            w = draw.triangular("b", 0.0, 1.0, self.other + 1.0)
            best[steps % 3] = max(best[steps % 3], w)
            flag = w > gap
            now += 1.0 if flag else 0.5
            now = now if steps % 2 == 0 else now + w
        return now / self.rate, best[0] + best[-1]


@sporos.model
class Everything:
    """All distributions and tools, and names with a meaning in C++."""

    class_ = 3
    int_: int = 4
    short: float = 1.5
    name: float = 2.0
    check: int = 1
    double: float = sporos.parameter(0.5, low=0, high=1, help='a "quoted" \\ help')
    inputs = ("a", "b", "service", "short", "int_")
    responses = ('the "x"', "y", "z")
    BIG = 5000

    def new(self, draw, auto: float) -> float:
        return auto * draw.random("a") * self.short

    def replicate(self, draw):
        this = draw.exponential("a", self.short) + draw.weibull("b", 2.0, 3.0)
        this += draw.lognormal("a", 0.0, 1.0) + draw.gamma_by_rate("b", 2.0, 1.0)
        this += draw.erlang("a", 3, 1.0) + draw.beta("b", 2.0, 3.0) + draw.pareto("short", 3.0, 1.0)
        this += draw.student("a", 5.0, 0.0, 1.0) + draw.log_logistic("b", 3.0, 1.0)
        this += draw.burr("service", 2.0, 2.0, 1.0)
        this += draw.johnson_su("a", 0.0, 1.0, 0.0, 1.0) + draw.johnson_sb("b", 0.0, 1.0, 0.0, 1.0)
        this += draw.truncated_normal("a", 0.0, 1.0, -1.0, 2.0) + draw.hyperexponential("b", 0.5, 1.0, 2.0)
        k = draw.uniform_integer("a", 0, 5) + draw.geometric("b", 0.5) + draw.poisson("service", 3.5)
        k += draw.binomial("a", 10, 0.3) + draw.negative_binomial("b", 2.5, 0.5)
        k += draw.hypergeometric("service", 10, 4, 3)
        delete = self.new(draw, 2.0)
        union = noisy(draw, 1.0)
        template = [True] * 4
        operator = [[0] * 3 for _ in range(2)]
        template[k % 4] = this > 1 and not template[k % 4]
        operator[k % 2][-1] += k // 3 - k % 7
        calendar = sporos.Calendar(16)
        fifo = sporos.FifoQueue(4)
        lifo = sporos.LifoQueue(4)
        r = sporos.Resource(2.0, 0.0)
        t = sporos.Tally()
        level = sporos.TimeAverage(value=1.0)
        calendar.schedule(time=1.0, event=NAN)
        calendar.schedule(2.0, 1, k)
        calendar.schedule(math.inf, 1)
        while calendar.next():
            now = calendar.now()
            ok = r.try_seize(now)
            r.try_seize(now, 0.5)
            if not ok or fifo.size() + lifo.size() > 3:
                break
            fifo.push(now)
            lifo.push(now + calendar.event() + calendar.entity() + calendar.size())
            if fifo.front() > 0 and not fifo.is_empty():
                t.add(fifo.pop())
            r.release(now, amount=0.5)
            r.set_units(now, 3.0)
            level.set(now, 2.0)
            level.add(now, -1.0)
            x = calendar.next_time()
            if x < 1e9:
                t.add(x)
        level.restart(0.0)
        r.restart(0.0)
        end = calendar.now() + 1
        s = r.units() + r.used() + r.free() + r.average_used(end) + r.utilization(end)
        s += t.count() + t.sum() + t.mean() + t.minimum() + t.maximum()
        s += level.value() + level.maximum() + level.area(end) + level.average(end)
        i = int(this) % 5 + round(s) * 0 + math.floor(this) * 0 + math.trunc(s) * 0 + abs(-3)
        i += min(k, 3) + max(k, self.int_, 2)
        b = bool(this > 0) == (s > 0)
        z = math.lgamma(2.5) + math.expm1(0.1) + math.pi + math.fabs(this) % 0.75 + this // 2.0
        z += self.name + self.check + self.class_ + grown(1.0, i % 3, b)
        for i2 in range(10, 0, -3):
            z += i2
        for _ in range(2):
            for _ in range(2):
                z += self.BIG
        for c in template:
            z += float(c)
        return z, s + delete + union if b else -s, k


@sporos.model
class Plain:
    """No parameters and no draws."""

    inputs = ("a",)
    responses = "x"

    def replicate(self, draw):
        return 1


@sporos.model
class Select:
    """Selections by conditions that differ between lanes."""

    inputs = ("a",)
    responses = ("x",)
    level: float = 0.3

    def replicate(self, draw):
        u = draw.random("a")
        lost = 0.0
        if u > self.level or u < 0.1:
            lost = 1.0
            lost += u
        v = 1.0 if u > 0.5 else 0.0
        return lost + v


@sporos.model
class Mixed:
    """Numbers that depend on parameters and on draws."""

    rate: float = sporos.parameter(1.0, above=0)
    n: int = 3
    inputs = ("a", "b", "c", "d", "e", "f", "g", "h")
    responses = ("x", "y", "z", "w")

    def replicate(self, draw):
        k = self.rate * 2
        a = draw.uniform("a", k, 2 * k) + draw.weibull("b", 2.0, 3.0) + draw.lognormal("c", self.rate, 1)
        a += draw.pareto("d", 3.0, 1.0)
        a += draw.log_logistic("e", 3.0, 1.0) + draw.exponential("f", k * 2) + draw.random("g")
        b = min(a, self.rate) + a / self.rate + (self.rate - a) + max(self.rate, a, k)
        c = self.rate if a > self.rate else a
        d = a if self.rate > a else self.rate
        e = [self.rate, a, 1.0]
        f = [self.rate] * 3
        f[1] = b
        e[0] = 1
        g = k if self.n > 2 else 0.0
        h = a if self.n > 2 else k
        p = math.pow(self.rate, k) + self.rate**2 + math.sqrt(k) + abs(-k) + math.exp(k)
        m = self.rate
        if a < k and not (a < 0.1):
            m = k
        if a == k or a != b:
            m += 2
        for i in range(self.n):
            if k > 3:
                break
            m += i * a
        w = 0.0
        w -= k
        w *= a
        w /= 3
        lost = self.rate
        return self.rate, a + b + c + d + g + h + p + m, e[0] + f[1] + w, lost


@sporos.model
class MixedNoLanes:
    """Such numbers, with branches that depend on draws."""

    rate: float = sporos.parameter(1.0, above=0)
    inputs = ("a", "b")
    responses = ("x", "y")

    def f(self, x: float) -> float:
        return x

    def replicate(self, draw):
        k = self.rate * 2
        s = 0.0
        while s < 10:
            a = draw.gamma("a", k, self.rate) + draw.beta("b", k, 2.0)
            s += a + math.pow(a + 1, self.rate) + math.pow(self.rate, a)
            if a > k:
                x = a
            else:
                x = k
            s += x if a > 1 else k
            best = [k, a, 2.0]
            i = 0
            for j in range(3):
                if best[j] < best[i]:
                    i = j
            s += best[i] + self.f(2.0)
            done = s > 5 and a > 0.1 or k < s
            if done:
                return s, self.rate
        return k, s
