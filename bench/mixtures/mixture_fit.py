#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares fits of normal mixtures of 1 to 10 components to 28,204 losses (Cheng 2014) with scikit-learn and SciPy.

  mixture_fit.py [--program build/bin/paper_000_table_1] [--out REPORT] [--into PAGE PLACE]
                 [--components K...] [--sides ours separate sklearn scipy]    selects components and sides
  mixture_fit.py --backends cuda --repeats-together 3 --sides ours sklearn   runs Sporos on a GPU, the peers on the host
  mixture_fit.py --tables REPORT... [--into PAGE PLACE]   combines reports of earlier runs without measuring

paper_000_table_1 runs against scikit-learn's EM with the same number of starts and SciPy's Nelder–Mead with the same start
(mixture_fit_peers.py), on the same cores. The sample contains examples/data/loss_given_default.csv four times. L of our fits,
computed in NumPy, must agree to 1e-12. Sporos fits all k in one run, which counts, and each k in a separate run. scikit-learn
runs twice: with its default tolerance and iterations, and until an iteration increases L/n by at most 1e-6; Sporos uses both
criteria, too. The script prints tables in Markdown and writes a report. The exit status is 77 if NumPy or the program is
missing.
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
SIDES = ["ours", "separate", "sklearn", "scipy"]  # separate: our fits in a separate run for each k
LIKELIHOOD_OF_ONE = 1.14  # |L|/n of the best fits, which converts tolerances of L/n to tolerances relative to |L|
SEPARATE_REPEATS = 3  # the fastest repeat counts, because small fits take only milliseconds
# Convergence criteria of scikit-learn: increase of L/n in an iteration, and maximum number of iterations of a start.
TOLERANCES = {1e-3: 100, 1e-6: 1000}


class Bench:
    """All runs: `ours` by method, backend, tolerance and components, `peers` by library, tolerance and components."""

    def __init__(self, options):
        self.options, self.ours, self.peers, self.context, self.rates = options, {}, {}, {}, {}

    # Fits by Sporos.

    def run_ours(self, folder):
        options = self.options
        for backend in options.backends:
            for method in options.methods:
                self.run_program(folder, method, backend, options.components, repeats=options.repeats_together,
                                 nelder_mead_starts=options.nelder_mead_starts)
            for tolerance in TOLERANCES if "em" in options.methods else ():
                self.run_program(folder, "em", backend, options.components, tolerance, options.repeats_together)
        self.run_exponentials(folder)

    def run_separate(self, folder):
        """Runs EM for each k; Nelder–Mead for each k runs together with SciPy."""
        for k in self.options.components:
            self.run_program(folder, "em", self.options.backends[-1], [k], repeats=SEPARATE_REPEATS)

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
        """Measures the exponentials per second, which the floor requires."""
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

    # Fits by peers.

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
            path = self.run_program(folder, "nelder-mead", backend, [k], repeats=SEPARATE_REPEATS)
            found = self.run_peer("scipy", k, report=path)
            self.peers["scipy", None, k] = found
            if not found["error"] <= VALUE_TOLERANCE:
                fail(f"L of our fit of {k} components differs in NumPy by {found['error']:.1e}, expected at most "
                     f"{VALUE_TOLERANCE:.0e}")

    def run_all(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if "sklearn" in self.options.sides:  # first, because a missing scikit-learn ends the script
                self.run_sklearn()
            if "ours" in self.options.sides:
                self.run_ours(folder)
            if "separate" in self.options.sides:
                self.run_separate(folder)
            if "scipy" in self.options.sides:
                self.run_scipy(folder)

    # Reading and writing reports.

    def report(self):
        return {"context": self.context, "starts": self.options.starts, "exponentials": self.rates,
                "ours": [{"of": key, "found": found} for key, found in self.ours.items()],
                "peers": [{"of": key, "found": found} for key, found in self.peers.items()]}

    def restore(self, report):
        self.context |= report["context"]
        self.rates |= report["exponentials"]
        self.ours |= {tuple(one["of"]): one["found"] for one in report["ours"]}
        self.peers |= {tuple(one["of"]): one["found"] for one in report["peers"]}

    # Formatting tables.

    def all_k(self):
        """Returns our runs over several numbers of components, the longest for each method, backend and tolerance."""
        together = [key for key in self.ours if key[3] < key[4]]
        last = max((key[4] - key[3] for key in together), default=0)
        return {key[:3]: self.ours[key] for key in together if key[4] - key[3] == last}

    def separate(self, method, k):
        return next((found for (of, _, tolerance, *ks), found in self.ours.items()
                     if of == method and tolerance is None and ks == [k, k]), None)

    def peer_seconds(self, library, tolerance, components):
        """Returns the seconds of a peer for all k, and whether all starts ran.

        The time of starts that did not run is extrapolated from the others.
        """
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
        """Returns the lower bound for the exponentials of all evaluations, as a fraction of the time."""
        if backend not in self.rates:
            return ""
        exponentials = sum(evaluations(size) * size["components"] for size in found["fit"]["sizes"]) * found["observations"]
        return f"{exponentials / self.rates[backend] / seconds:.0%}"

    def em_rows(self):
        rows = []
        for k in self.sizes():
            ours = self.separate("em", k)
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
            ours, found = self.separate("nelder-mead", k), self.peers.get(("scipy", None, k))
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
            fail("there is no run of Sporos, expected a report with --sides ours")
        built = (f"{of['compiler']} ({of['options']}), Kokkos {of['kokkos']}, Sporos {of['sporos']}; "
                 if "compiler" in of else "")
        head = (f"{some['machine']}, {plural(len(self.options.cores), 'core')}; {built}scikit-learn "
                f"{of.get('sklearn', 'not run')}, SciPy {of.get('scipy', 'not run')}, NumPy {of.get('numpy', '')}; n = "
                f"{some['observations']:,}; our deviations have the floor {some['fit']['floor']:.3g}, a hundredth of the sample's deviation.\n")
        tolerances = [f"scikit-learn to {tolerance:.0e}" for tolerance in TOLERANCES]
        each = [cell for name in tolerances for cell in (f"{name}: L − ours", "starts within 0.1 of ours", "seconds")]
        return (head
                + table("All numbers of components, seconds",
                        ["method", "backend", "seconds", "of floor", tolerances[0], "speed-up", tolerances[1],
                         "speed-up", "SciPy", "speed-up"], self.whole_rows())
                + table("EM, each k in a separate run", ["k", "L, ours", "starts within 0.1", "seconds", *each], self.em_rows())
                + table("Nelder-Mead, each k in a separate run",
                        ["k", "L, ours", "evaluations", "seconds", "SciPy: L − ours", "evaluations", "seconds",
                         "speed-up", "per evaluation"], self.nelder_mead_rows()))


def evaluations(size):
    """Returns the number of evaluations of the likelihood over all starts."""
    return sum(start["evaluations"] for start in size["starts"])


def seconds_of(found, starts):
    """Returns the seconds of a peer's fit, and whether all starts ran."""
    if "starts" not in found:
        return found["seconds"], True
    done = [start["seconds"] for start in found["starts"]]
    return sum(done) * starts / len(done), len(done) == starts


def measurements(report):
    """Returns the measurements for bench/compare: our runs over all k, and scikit-learn with the same tolerance."""
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
    parser.add_argument("--components", type=int, nargs="+", default=list(range(1, 11)), metavar="K", help="numbers of components, without gaps")
    parser.add_argument("--copies", type=int, default=4, help="copies of each observation")
    parser.add_argument("--starts", type=int, default=20, help="starts of EM for each k")
    parser.add_argument("--nelder-mead-starts", type=int, default=1, help="starts of Nelder-Mead in the run over all k")
    parser.add_argument("--repeats-together", type=int, default=1,
                        help="repeats of our run over all k, of which the fastest counts; the first loads a GPU's kernels")
    parser.add_argument("--sides", nargs="+", choices=SIDES, default=SIDES)
    parser.add_argument("--methods", nargs="+", choices=["em", "nelder-mead"], default=["em", "nelder-mead"],
                        help="methods of Sporos")
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS",
                        help="time limit for the starts of scikit-learn, for each k and tolerance")
    parser.add_argument("--tables", type=pathlib.Path, nargs="+", metavar="REPORT", help="reports of earlier runs to combine instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
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
        skip(f"{options.program} does not exist")
    else:
        bench.run_all()
        options.out.write_text(json.dumps(bench.report(), indent=1) + "\n")
        if "ours" not in options.sides:
            return
    text = bench.text()
    show(text, options.into)


if __name__ == "__main__":
    main()
