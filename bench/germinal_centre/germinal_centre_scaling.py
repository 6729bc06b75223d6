# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates the report of germinal_centre.py.

It computes efficiencies and speed-ups for each round, fits the models of Lee (2012), and extrapolates them to 10,000 ranks.
"""
import dataclasses
import math
import statistics

from bench.harness.common import digits, plural, table
from bench.harness.fitting import common_slope, median_interval, slope_through_origin, standard_error, two_terms

MANY = 10_000  # number of ranks to which the models are extrapolated
MIN_SHARE = 0.98  # smallest fraction of a core with which a rank counts as having a dedicated core
LATENCY, BANDWIDTH = 2e-6, 10e9  # s and bytes/s of the network for a process, as assumed in docs/benchmarks/scaling.md


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Median over rounds, with a confidence interval."""

    median: float
    low: float
    high: float
    confidence: float

    @classmethod
    def of(cls, rounds):
        return cls(statistics.median(rounds), *median_interval(rounds))

    def mapped(self, function):
        """Returns the estimate of a monotone function of the value."""
        ends = sorted((function(self.low), function(self.high)))
        return Estimate(function(self.median), *ends, self.confidence)

    def text(self, form=".3g"):
        return f"{self.median:{form}} [{self.low:{form}} … {self.high:{form}}]"


def scaled_efficiency(ranks, n, kappa, loss=0.0):
    """Equation (2.8) of Lee (2012), with an additional loss between exchanges. Negative costs are noise and count as 0."""
    return 1 / (1 + max(loss, 0) + ranks / n * max(kappa, 0))


def speed_up(threads, overhead):
    """Equation (3.3) of Lee (2012), with overhead = T_s / (N T_W)."""
    return threads / (1 + threads**2 * overhead)


class Scaling:
    """Evaluation of one report. The models are fitted to each round separately, because rounds are independent."""

    def __init__(self, report):
        self.context, self.rounds = report["context"], report["rounds"]
        self.cores, self.exchanges = self.context["cores"], self.context["steps_per_exchange"]
        self.ranks, self.threads, self.one_of = (
            [int(count) for count in self.rounds[0][kind]] for kind in ("ranks", "threads", "one_of"))

    def runs(self, kind, count, n):
        """Returns the run of each round."""
        return [next(run for run in one[kind][str(count)]["runs"] if run["steps_per_exchange"] == n)
                for one in self.rounds]

    def step_seconds(self, kind, count, n):
        """Returns the seconds of a local step in each round, including its fraction of an exchange."""
        return [run["seconds"] / run["local_steps"] for run in self.runs(kind, count, n)]

    def confidence(self):
        """Returns the confidence of all intervals."""
        return median_interval([0] * len(self.rounds))[2]

    def share_cores(self, count):
        return count > self.cores

    def turns(self, ranks):
        """Returns the slowdown of a rank due to sharing its core."""
        return max(1, ranks / self.cores)

    def efficiencies(self, ranks, n):
        """Returns the scaled efficiency in each round, relative to the number of cores."""
        one, many = self.step_seconds("ranks", 1, n), self.step_seconds("ranks", ranks, n)
        return [self.turns(ranks) * a / b for a, b in zip(one, many)]

    def efficiency(self, ranks, n):
        return Estimate.of(self.efficiencies(ranks, n))

    def share_of_core(self):
        """Returns the fraction of a core that ranks with dedicated cores got: the median over runs of the minimum.

        Ranks wait actively, so the rest of the core was used by other processes.
        """
        return statistics.median(run["share_of_core"] for ranks in self.ranks if not self.share_cores(ranks)
                                 for n in self.exchanges for run in self.runs("ranks", ranks, n))

    # Messages.

    def dedicated_ranks(self):
        return [ranks for ranks in self.ranks if ranks > 1 and not self.share_cores(ranks)]

    def excess(self, i):
        """Returns (p / n, 1 / SE - 1) for each n in round i, by number of ranks with dedicated cores."""
        return {ranks: [(ranks / n, 1 / self.efficiencies(ranks, n)[i] - 1) for n in self.exchanges]
                for ranks in self.dedicated_ranks()}

    def kappas(self):
        """Returns κ of Lee's model in each round; empty if all ranks share cores."""
        rounds = [sum(self.excess(i).values(), []) for i in range(len(self.rounds))]
        return [slope_through_origin(points) for points in rounds if points]

    def kappas_and_losses(self):
        """Fits 1 / SE - 1 = loss(p) + kappa p / n.

        Returns κ and the loss for the largest number of ranks in each round; empty for a single n.
        """
        found = []
        for i in range(len(self.rounds)):
            groups = self.excess(i)
            if not groups or len(self.exchanges) < 2:
                return []
            kappa, last = common_slope(groups.values()), groups[max(groups)]
            found.append((kappa, statistics.fmean(y - kappa * x for x, y in last)))
        return found

    def misfit(self, model):
        """Returns the root mean square of measured minus model(p, n), for ranks with dedicated cores."""
        return math.sqrt(statistics.fmean((self.efficiency(ranks, n).median - model(ranks, n)) ** 2
                                          for ranks in self.dedicated_ranks() for n in self.exchanges))

    def local_step(self):
        """Returns the seconds of a local step of one rank with the fewest exchanges."""
        return statistics.median(self.step_seconds("ranks", 1, max(self.exchanges)))

    def exchange_micros(self, ranks, n, what):
        return 1e6 * statistics.median(run[what] for run in self.runs("ranks", ranks, n))

    def network_seconds(self, ranks):
        """Returns the seconds of an all-gather: log2(ranks) latencies, and the bytes of all ranks."""
        return LATENCY * math.log2(ranks) + ranks * self.context["bytes_of_centre"] / BANDWIDTH

    def exchange_work_seconds(self, ranks):
        """Returns the additional computing time of an exchange for one of `ranks` ranks, in each round."""
        n = min(self.exchanges)
        return [n * (b - a) for a, b in zip(self.step_seconds("ranks", 1, n), self.step_seconds("one_of", ranks, n))]

    def projected(self, ranks, n):
        """Returns the scaled efficiency from measured exchange work, proportional to the ranks, and the network model.

        Returns None if no rank was run as one of many.
        """
        if not self.one_of:
            return None
        measured = max(self.one_of)
        network = self.network_seconds(ranks)
        return Estimate.of([a / (a + (max(work, 0) * ranks / measured + network) / n)
                            for a, work in zip(self.step_seconds("ranks", 1, n), self.exchange_work_seconds(measured))])

    # Threads.

    def speed_ups(self, threads):
        """Returns the speed-up in each round."""
        n = self.context["thread_exchange"]
        one, many = self.step_seconds("threads", 1, n), self.step_seconds("threads", threads, n)
        return [a / b for a, b in zip(one, many)]

    def thread_models(self):
        """Returns T_W and T_s of T = ceil(N/p) T_W + p T_s (3.2) in each round, for threads with dedicated cores."""
        n, elements = self.context["thread_exchange"], self.context["elements"]
        threads = [count for count in self.threads if not self.share_cores(count)]
        if len(threads) < 2:
            return []
        times = {count: self.step_seconds("threads", count, n) for count in threads}
        return [two_terms([(math.ceil(elements / count), count, times[count][i]) for count in threads])
                for i in range(len(self.rounds))]

    def overheads(self):
        """Returns T_s / (N T_W) in each round; empty if the fitted T_W is not positive."""
        models = self.thread_models()
        if any(work <= 0 for work, _ in models):
            return []
        return [start / (self.context["elements"] * work) for work, start in models]


# Text output.


def with_range(rounds):
    return f"{statistics.median(rounds):.3f} ({min(rounds):.3f} … {max(rounds):.3f})"


def core_of(scaling, count):
    return f"{scaling.cores}/{count}" if scaling.share_cores(count) else "1"


def efficiency_table(scaling):
    rows = [[str(ranks), core_of(scaling, ranks),
             *(with_range(scaling.efficiencies(ranks, n)) for n in scaling.exchanges)]
            for ranks in scaling.ranks if ranks > 1]
    return table("Scaled efficiency, median (minimum … maximum) over rounds",
                 ["ranks", "cores per rank", *(f"n = {n}" for n in scaling.exchanges)], rows)


def exchange_table(scaling):
    ends = dict.fromkeys((min(scaling.exchanges), max(scaling.exchanges)))
    rows = [[str(ranks), *(digits(scaling.exchange_micros(ranks, n, what)) for n in ends
                           for what in ("exchange_seconds", "exchange_seconds_with_waiting"))]
            for ranks in scaling.ranks]
    return table("One exchange, µs", ["ranks", *(f"{what}, n = {n}" for n in ends for what in ("message", "with waiting"))],
                 rows)


def model_text(scaling):
    kappas = scaling.kappas()
    if not kappas:
        return "\nκ is not fitted: it requires at least two ranks with dedicated cores.\n"
    kappa, step = Estimate.of(kappas), scaling.local_step()
    misfit = scaling.misfit(lambda ranks, n: scaled_efficiency(ranks, n, kappa.median))
    doubt = ", not significantly different from 0" if kappa.low <= 0 else ""
    text = (f"\nSE = 1/(1 + pρκ): κ = {kappa.text()}, standard error {standard_error(kappas):.2g}{doubt}. A local step takes "
            f"{step * 1e3:.3g} ms, so t_m = {kappa.median * step * 1e6:.3g} µs per rank. Root mean square of measured minus "
            f"model: {misfit:.2g}.\n")
    found = scaling.kappas_and_losses()
    if found:
        kappa, loss = (Estimate.of(values) for values in zip(*found))
        text += (f"\n1/SE = 1 + a(p) + pρκ, where a(p) is the loss of ranks on a shared host between exchanges: κ = "
                 f"{kappa.text()}, t_m = {kappa.median * step * 1e6:.3g} µs; a({max(scaling.dedicated_ranks())}) = {loss.text()}.\n")
    return text


def far_rows(scaling):
    kappas, found = scaling.kappas(), scaling.kappas_and_losses()
    for n in scaling.exchanges:
        def carried(kappa, loss=0.0, n=n):
            return scaled_efficiency(MANY, n, kappa, loss)

        by_lee = Estimate.of(kappas).mapped(carried).text(".3f") if kappas else ""
        with_loss = Estimate.of([carried(*pair) for pair in found]).text(".3f") if found else ""
        projected = scaling.projected(MANY, n)
        yield [str(n), by_lee, with_loss, projected.text(".3f") if projected else ""]


def far_table(scaling):
    network, bytes_of_rank = scaling.network_seconds(MANY), scaling.context["bytes_of_centre"]
    work = [f"{1e6 * statistics.median(scaling.exchange_work_seconds(ranks)):.0f} µs among {ranks:,}" for ranks in scaling.one_of]
    return table(f"Scaled efficiency of {MANY:,} ranks, extrapolated",
                 ["n", "1/(1 + pρκ)", "1/(1 + a + pρκ)", "measured work, modelled network"], list(far_rows(scaling))) + (
        f"\nNetwork time of an exchange: log2 p messages of {LATENCY * 1e6:g} µs and p · {bytes_of_rank} = {MANY * bytes_of_rank:,} "
        f"bytes at {BANDWIDTH / 1e9:g} GB/s, {network * 1e6:.0f} µs in total. Computing time of an exchange for one rank: "
        f"{', '.join(work)}.\n")


def speed_up_table(scaling):
    overheads = scaling.overheads()
    rows = []
    for threads in scaling.threads:
        model = f"{speed_up(threads, max(statistics.median(overheads), 0)):.2f}" if overheads else ""
        rows.append([str(threads), core_of(scaling, threads), with_range(scaling.speed_ups(threads)),
                     "" if scaling.share_cores(threads) else model])
    return table("Speed-up over threads, median (minimum … maximum) over rounds",
                 ["threads", "cores per thread", "S", "model"], rows)


def thread_text(scaling):
    overheads = scaling.overheads()
    if not overheads:
        return "\nT_s is not fitted: it requires at least two threads with dedicated cores that are faster than one.\n"
    overhead, elements = Estimate.of(overheads), scaling.context["elements"]
    work, start = (statistics.median(values) for values in zip(*scaling.thread_models()))
    text = (f"\nS = p/(1 + p² T_s/(N T_W)), N = {elements}: T_W = {work * 1e6:.3g} µs, T_s = {start * 1e6:.3g} µs per local step, "
            f"T_s/(N T_W) = {overhead.text()}")
    if overhead.high <= 0:
        return text + ", not significantly different from 0.\n"
    lower = 1 / math.sqrt(overhead.high)
    if overhead.low <= 0:
        return text + f", not significantly different from 0: the maximum is at {lower:.0f} threads or more.\n"
    best = overhead.mapped(lambda value: 1 / math.sqrt(value))
    return text + f"; maximum S = {best.median / 2:.3g} at p* = √(N T_W/T_s) = {best.text('.0f')} threads.\n"


def text_of(report):
    scaling, context = Scaling(report), report["context"]
    cpus = f" ({context['cpus']} hardware threads)" if context["cpus"] != context["cores"] else ""
    text = (f"{context['processor']}, {plural(context['cores'], 'core')}{cpus}, {context['date']}, load {context['load']:.1f} at the "
            f"start; {plural(len(report['rounds']), 'round')}, {context['local_steps']} local steps each; "
            f"{context['agents']:,} agents per centre. Brackets are {100 * scaling.confidence():.0f} % intervals of medians.\n")
    share = scaling.share_of_core()
    if share < MIN_SHARE:
        text += (f"\n**Other processes were running on these cores**: A rank got {100 * share:.0f} % of a dedicated core. The "
                 "results below include their influence.\n")
    crowded = [count for count in scaling.ranks + scaling.threads if scaling.share_cores(count)]
    if crowded:
        text += (f"\n**More than {plural(scaling.cores, 'rank')} or threads share cores here**: their efficiency is relative to "
                 f"T(1)·p/{scaling.cores}, which the cores allow, and the models are not fitted to them.\n")
    parts = (efficiency_table, exchange_table, model_text, far_table, speed_up_table, thread_text)
    return text + "".join(part(scaling) for part in parts)
