#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole fit of paper 000, normal mixtures of 1 to 10 components to 28 204 losses: paper_000_table_1 against
scikit-learn's EM from as many starts and SciPy's Nelder–Mead from the same start (mixture_fit_peers.py), on the same cores;
prints tables in Markdown and writes a report.

  mixture_fit.py [--program build/bin/paper_000_table_1] [--out REPORT] [--into PAGE PLACE]
                 [--components K...] [--sides ours alone sklearn scipy]    some of it; exits 77 where NumPy or the program is missing
  mixture_fit.py --backends cuda --repeats-together 3 --sides ours sklearn   ours on a GPU, the peers on the host
  mixture_fit.py --tables REPORT... [--into PAGE PLACE]   of earlier runs together; nothing runs

The sample is examples/data/loss_given_default.csv four times over. L of our fits in NumPy must be ours to 1e-12, or it stops.
Our side runs once for all k together, which counts, and once for each k alone. scikit-learn runs twice: with the tolerance
and the iterations that it has by default, and until an iteration adds no more than 1e-6 to L/n; so does ours.
"""
import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import (BACKENDS, TREE, add_arguments, digits, fail, plural, run, run_program, show, skip, table)  # noqa: E402
from bench.harness.measurement import Measurement  # noqa: E402

PEER = pathlib.Path(__file__).with_name("mixture_fit_peers.py")
DATA = TREE / "examples" / "data" / "loss_given_default.csv"
OBSERVATIONS = 7051  # number of observations in that file
VALUE_TOLERANCE = 1e-12  # relative
SIDES = ["ours", "alone", "sklearn", "scipy"]  # alone: our fit for each k by itself
LIKELIHOOD_OF_ONE = 1.14  # |L|/n of the best fits, which converts tolerances of L/n to ours, relative to |L|
REPEATS_ALONE = 3  # the fastest repeat counts: small fits take only milliseconds
# Convergence criteria of scikit-learn: increase of L/n in an iteration, and largest number of iterations of a start.
TOLERANCES = {1e-3: 100, 1e-6: 1000}


class Bench:
    """What has been run: of ours a run of the program by method, backend, tolerance and components, of the peers a fit."""

    def __init__(self, options):
        self.options, self.ours, self.peers, self.context, self.rates = options, {}, {}, {}, {}

    # Our fits.

    def run_ours(self, folder):
        options = self.options
        for backend in options.backends:
            for method in options.methods:
                self.run_program(folder, method, backend, options.components, repeats=options.repeats_together,
                                 nelder_mead_starts=options.nelder_mead_starts)
            for tolerance in TOLERANCES if "em" in options.methods else ():
                self.run_program(folder, "em", backend, options.components, tolerance, options.repeats_together)
        self.run_exponentials(folder)

    def run_alone(self, folder):
        """EM of each k; Nelder–Mead of each runs beside SciPy."""
        for k in self.options.components:
            self.run_program(folder, "em", self.options.backends[-1], [k], repeats=REPEATS_ALONE)

    def run_program(self, folder, method, backend, components, tolerance=None, repeats=1, nelder_mead_starts=1):
        options, path = self.options, folder / f"{method}.json"
        command = [options.program, "--sizes", options.copies * OBSERVATIONS, "--data", DATA, "--method", method,
                   "--backends", backend, "--min-components", components[0], "--max-components", components[-1],
                   "--starts", options.starts, "--nelder-mead-starts", nelder_mead_starts, "--seed", options.seed,
                   "--repeats", repeats, "--json", path]
        if tolerance is not None:
            command += ["--tolerance", tolerance / LIKELIHOOD_OF_ONE]
        run(command, options.cores)
        self.ours[method, backend, tolerance, components[0], components[-1]] = json.loads(path.read_text())["runs"][0]
        return path

    def run_exponentials(self, folder):
        """How many the machine forms in a second, for the floor."""
        program = self.options.program.parent / "bench_mixtures"
        if not program.exists():
            return
        report = run_program(program, ["--observations", 64, "--mixtures", 1, "--benchmark_filter", "float64",
                                       "--benchmark_min_time", 0.05], folder / "rates.json", self.options.cores)
        self.context |= {name: report["context"][name] for name in ("compiler", "options", "kokkos", "sporos")}
        for benchmark in report["benchmarks"]:
            backend = benchmark["name"].split("/")[1]
            if "exponentials" in benchmark:
                self.rates[backend] = max(benchmark["exponentials"], self.rates.get(backend, 0))

    # Peers.

    def run_peer(self, library, k, **flags):
        options = self.options
        command = [sys.executable, PEER, library, "--data", DATA, "--copies", options.copies, "--components", k]
        for name, value in flags.items():
            command += [f"--{name}", value]
        found = run(command, options.cores)
        if found is None:
            skip("NumPy, scikit-learn or SciPy is missing")
        found = json.loads(found)
        self.context |= found["context"]
        return found

    def run_sklearn(self):
        options = self.options
        for k in options.components:
            for tolerance, iterations in TOLERANCES.items():
                self.peers["sklearn", tolerance, k] = self.run_peer(
                    "sklearn", k, starts=options.starts, tolerance=tolerance, iterations=iterations, limit=options.limit,
                    seed=options.seed)

    def run_scipy(self, folder):
        backend = self.options.backends[-1]
        for k in self.options.components:
            path = self.run_program(folder, "nelder-mead", backend, [k], repeats=REPEATS_ALONE)
            found = self.run_peer("scipy", k, report=path)
            self.peers["scipy", None, k] = found
            if not found["error"] <= VALUE_TOLERANCE:
                fail(f"L of our {k} components in NumPy differs by {found['error']:.1e} from ours, expected "
                     f"{VALUE_TOLERANCE:.0e} at most")

    def run_all(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if "sklearn" in self.options.sides:  # before ours, which need not run if scikit-learn is missing
                self.run_sklearn()
            if "ours" in self.options.sides:
                self.run_ours(folder)
            if "alone" in self.options.sides:
                self.run_alone(folder)
            if "scipy" in self.options.sides:
                self.run_scipy(folder)

    # Reports.

    def report(self):
        return {"context": self.context, "starts": self.options.starts, "exponentials": self.rates,
                "ours": [{"of": key, "found": found} for key, found in self.ours.items()],
                "peers": [{"of": key, "found": found} for key, found in self.peers.items()]}

    def restore(self, report):
        self.context |= report["context"]
        self.rates |= report["exponentials"]
        self.ours |= {tuple(one["of"]): one["found"] for one in report["ours"]}
        self.peers |= {tuple(one["of"]): one["found"] for one in report["peers"]}

    # Tables.

    def all_k(self):
        """All fits of ours that ran together, by method, backend and tolerance: those of the most components."""
        together = [key for key in self.ours if key[3] < key[4]]
        last = max((key[4] - key[3] for key in together), default=0)
        return {key[:3]: self.ours[key] for key in together if key[4] - key[3] == last}

    def alone(self, method, k):
        return next((found for (of, _, tolerance, *ks), found in self.ours.items()
                     if of == method and tolerance is None and ks == [k, k]), None)

    def peer_seconds(self, library, tolerance, components):
        """Of all k; of scikit-learn's starts that were not begun as many as of those that were. And whether so."""
        total, is_whole = 0, True
        for k in components:
            found = self.peers.get((library, tolerance, k))
            if found is None:
                return None, False
            seconds, whole = seconds_of(found, self.options.starts)
            total, is_whole = total + seconds, is_whole and whole
        return total, is_whole

    def whole_rows(self):
        rows = []
        for (method, backend, tolerance), found in self.all_k().items():
            components = [size["components"] for size in found["fit"]["sizes"]]
            seconds = min(found["seconds"])
            if method == "em":
                name = f"EM, {plural(self.options.starts, 'start')}, " + (
                    "to 1e-10 of L" if tolerance is None else f"to {tolerance:.0e} in L/n")
                peers = [("sklearn", of) for of in TOLERANCES if tolerance in (None, of)]
            else:
                name, peers = found["method"], [("scipy", None)] if found["method"].startswith("Nelder-Mead, 1 start") else []
            cells = [name, BACKENDS[backend], digits(seconds), self.floor(found, backend, seconds)]
            for library, of in [("sklearn", 1e-3), ("sklearn", 1e-6), ("scipy", None)]:
                total, is_whole = self.peer_seconds(library, of, components)
                if (library, of) not in peers or total is None:
                    cells += ["", ""]
                    continue
                cells += [("" if is_whole else "≈ ") + digits(total), f"**{total / seconds:.3g}**"]
            rows.append(cells)
        return rows

    def floor(self, found, backend, seconds):
        """What the exponentials of the evaluations take at least, as part of the time."""
        if backend not in self.rates:
            return ""
        exponentials = sum(evaluations(size) * size["components"] for size in found["fit"]["sizes"]) * found["observations"]
        return f"{exponentials / self.rates[backend] / seconds:.0%}"

    def em_rows(self):
        rows = []
        for k in self.sizes():
            ours = self.alone("em", k)
            if ours is None:
                continue
            size = ours["fit"]["sizes"][0]
            best = size["log_likelihood"]
            at_floor = sum(component["is_at_floor"] for component in size["mixture"])
            cells = [str(k), f"{best:.2f}", f"{size['reached']}" + (f", {at_floor} at the floor" if at_floor else ""), digits(min(ours["seconds"]))]
            for tolerance in TOLERANCES:
                found = self.peers.get(("sklearn", tolerance, k))
                if found is None:
                    cells += ["", "", ""]
                    continue
                values = [start["log_likelihood"] for start in found["starts"]]
                seconds, is_whole = seconds_of(found, self.options.starts)
                reached = sum(value >= best - 0.1 for value in values)
                cells += [f"{max(values) - best:+.2f}", f"{reached} of {len(values)}",
                          ("" if is_whole else "≈ ") + digits(seconds)]
            rows.append(cells)
        return rows

    def nelder_mead_rows(self):
        rows = []
        for k in self.sizes():
            ours, found = self.alone("nelder-mead", k), self.peers.get(("scipy", None, k))
            if ours is None or found is None:
                continue
            size, seconds = ours["fit"]["sizes"][0], min(ours["seconds"])
            rows.append([str(k), f"{size['log_likelihood']:.2f}", str(evaluations(size)), digits(seconds),
                         f"{found['log_likelihood'] - size['log_likelihood']:+.2f}", str(found["evaluations"]),
                         digits(found["seconds"]), f"**{found['seconds'] / seconds:.3g}**",
                         f"{found['seconds'] / found['evaluations'] / (seconds / evaluations(size)):.3g}"])
        return rows

    def sizes(self):
        return sorted({key[3] for key in self.ours if key[3] == key[4]})

    def text(self):
        of = self.context
        some = next(iter(self.ours.values()), None)
        if some is None:
            fail("nothing of ours has run, expected --sides ours once at least")
        built = (f"{of['compiler']} ({of['options']}), Kokkos {of['kokkos']}, Sporos {of['sporos']}; "
                 if "compiler" in of else "")
        head = (f"{some['machine']}, {plural(len(self.options.cores), 'core')}; {built}scikit-learn "
                f"{of.get('sklearn', 'not run')}, SciPy {of.get('scipy', 'not run')}, NumPy {of.get('numpy', '')}; n = "
                f"{some['observations']:,}; no deviation of ours is below {some['fit']['floor']:.3g}, a hundredth of the sample's.\n")
        tolerances = [f"scikit-learn to {tolerance:.0e}" for tolerance in TOLERANCES]
        each = [cell for name in tolerances for cell in (f"{name}: L − ours", "starts within 0.1 of ours", "seconds")]
        return (head
                + table("All numbers of components, seconds",
                        ["method", "ours on", "seconds", "of floor", tolerances[0], "times as fast", tolerances[1],
                         "times as fast", "SciPy", "times as fast"], self.whole_rows())
                + table("EM, each k alone", ["k", "L, ours", "starts within 0.1", "seconds", *each], self.em_rows())
                + table("Nelder-Mead, each k alone",
                        ["k", "L, ours", "evaluations", "seconds", "SciPy: L − ours", "evaluations", "seconds",
                         "times as fast", "an evaluation"], self.nelder_mead_rows()))


def evaluations(size):
    """Of the likelihood, by all starts."""
    return sum(start["evaluations"] for start in size["starts"])


def seconds_of(found, starts):
    """Of a peer's fit, and whether all starts were begun."""
    if "starts" not in found:
        return found["seconds"], True
    done = [start["seconds"] for start in found["starts"]]
    return sum(done) * starts / len(done), len(done) == starts


def measurements(report):
    """For bench/compare: all fits of ours that ran together, and scikit-learn to the same tolerance."""
    bench = Bench(argparse.Namespace(starts=report["starts"]))
    bench.restore(report)
    found = []
    for (method, backend, tolerance), run_of in bench.all_k().items():
        components = [size["components"] for size in run_of["fit"]["sizes"]]
        of_case = {"task": f"fits of {components[0]} to {components[-1]} components, "
                           + (run_of["method"] if tolerance is None else f"EM to {tolerance:.0e} in L/n"),
                   "size": run_of["observations"], "sizes": "observations", "unit": "fit"}
        found.append(Measurement(**of_case, side=backend, seconds=min(run_of["seconds"])))
        seconds, _ = bench.peer_seconds("sklearn", tolerance, components)
        if seconds:
            found.append(Measurement(**of_case, side="scikit-learn", seconds=seconds))
    return found


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "paper_000_table_1")
    parser.add_argument("--components", type=int, nargs="+", default=list(range(1, 11)), metavar="K", help="without gaps")
    parser.add_argument("--copies", type=int, default=4, help="of each observation")
    parser.add_argument("--starts", type=int, default=20, help="of EM, for each k")
    parser.add_argument("--nelder-mead-starts", type=int, default=1, help="of the simplices, for all k together")
    parser.add_argument("--repeats-together", type=int, default=1,
                        help="of ours for all k, of which the fastest counts; a GPU loads its kernels in the first")
    parser.add_argument("--sides", nargs="+", choices=SIDES, default=SIDES)
    parser.add_argument("--methods", nargs="+", choices=["em", "nelder-mead"], default=["em", "nelder-mead"], help="of ours")
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS",
                        help="after which no start of scikit-learn begins, of each k and tolerance")
    parser.add_argument("--tables", type=pathlib.Path, nargs="+", metavar="REPORT", help="of these earlier runs")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="where the tables go")
    return parser.parse_args()


def main():
    options = parsed()
    bench = Bench(options)
    if options.smoke:
        options.components, options.copies, options.starts = [1, 2], 1, 2
    if options.tables:
        for path in options.tables:
            bench.restore(json.loads(path.read_text()))
    elif not options.program.exists():
        skip(f"there is no {options.program}")
    else:
        bench.run_all()
        options.out.write_text(json.dumps(bench.report(), indent=1) + "\n")
        if "ours" not in options.sides:
            return
    text = bench.text()
    show(text, options.into)


if __name__ == "__main__":
    main()
