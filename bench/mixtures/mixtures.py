#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares log-likelihoods of normal mixtures in bench_mixtures with JAX, NumPy and scikit-learn (mixture_peers.py).

  mixtures.py [--program build/bin/bench_mixtures] [--out REPORT] [--into PAGE PLACE]
              [--forms FORM...]              exit status 77 if JAX, NumPy or the program is missing
  mixtures.py --backends cuda --platform cuda --mixtures 1024   runs both on the same GPU
  mixtures.py --tables REPORT... [--into PAGE PLACE]   combines reports of earlier runs of one size without measuring

The sides run alternately on the same instance and cores, in the same precision. The program writes the instance: n
observations, and mixtures of k components. The values of all sides must agree. A repeat is the mean time of an evaluation
over about a tenth of a second. The minimum over all repeats counts: of our fastest backend, and of a peer's fastest form in
the first round. The noise is the relative difference between the median and the minimum. The script prints tables in
Markdown and writes a report.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import BACKENDS, add_arguments, digits, fail, plural, run, run_program, show, skip, table  # noqa: E402
from bench.harness.measurement import Measurement  # noqa: E402

PEER = pathlib.Path(__file__).with_name("mixture_peers.py")
PEERS = {"jax": "JAX", "numpy": "NumPy", "sklearn": "scikit-learn"}
# "single" evaluates one mixture, and "batch" many mixtures at once; both wait for each evaluation. "queued" (on a device)
# evaluates one mixture and waits only after many evaluations. The faster form counts: separate or recorded launches in
# Sporos, dispatched or scanned evaluations in JAX.
TASKS = [f"{kind}/{way}" for kind in ("value", "gradient") for way in ("single", "queued", "batch")]
RECORDED = {"queued": "recorded", "batch": "batch_recorded"}  # names of the form with recorded launches
VALUE_TOLERANCES = {"float32": 1e-6, "float64": 1e-12}  # relative
GRADIENT_TOLERANCES = {"float32": 1e-5, "float64": 1e-11}  # relative to the largest derivative


class Runs:
    """Seconds per evaluation in each repeat, for one implementation of a task."""

    def __init__(self):
        self.seconds = []

    @property
    def shortest(self):
        return min(self.seconds)

    @property
    def noise(self):
        return statistics.median(self.seconds) / self.shortest - 1


def fastest(runs):
    """Returns name and runs of the implementation with the shortest time, or None if there is none."""
    return min(runs.items(), key=lambda found: found[1].shortest, default=None)


class Bench:
    """One instance and all runs on it."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        # The keys of `ours` are precision and task, those of `peers` library, precision and task. The values are runs by
        # backend or form.
        self.ours, self.peers = {}, {}
        self.exponentials = {}  # exponentials per second by backend, precision and function
        self.errors, self.context, self.peer_context = {}, {}, {}

    def names(self):
        """Returns the regular expression of the benchmarks that are run: the tasks, and the exponentials."""
        options = self.options
        run_on = f"({'|'.join(options.backends)})/({'|'.join(options.precisions)})"
        names = [f"{kind}/{run_on}/({way}|{RECORDED.get(way, way)})"
                 for kind, way in (task.split("/") for task in options.tasks)]
        return f"^({'|'.join([*names, f'[a-z0-9_]+/{run_on}'])})(/real_time)?$"

    def run_ours(self):
        options = self.options
        flags = ["--observations", options.observations, "--components", options.components, "--mixtures",
                 options.mixtures, "--seed", options.seed, "--write-instance", self.folder,
                 "--benchmark_repetitions", options.repeats, "--benchmark_min_time", options.seconds,
                 "--benchmark_filter", self.names()]
        report = run_program(options.program, flags, self.folder / "ours.json", options.cores)
        self.context |= report["context"]
        forms = {}  # separate or recorded launches
        ways = {form: way for way, form in RECORDED.items()}
        for benchmark in report["benchmarks"]:
            if benchmark["run_type"] != "iteration":
                continue
            name, backend, precision, *rest = benchmark["name"].split("/")
            if backend not in options.backends or precision not in options.precisions:
                continue
            if "exponentials" in benchmark:
                rates = self.exponentials.setdefault((backend, precision), {})
                rates[name] = max(benchmark["exponentials"], rates.get(name, 0))
            else:
                task = precision, f"{name}/{ways.get(rest[0], rest[0])}"
                runs = forms.setdefault((task, backend), {}).setdefault(rest[0], Runs())
                runs.seconds.append(1 / benchmark["items_per_second"])
        for (task, backend), by_form in forms.items():
            self.ours.setdefault(task, {}).setdefault(backend, Runs()).seconds += fastest(by_form)[1].seconds

    def run_peer(self, library, precision):
        options = self.options
        command = [sys.executable, PEER, library, "--instance", self.folder, "--precision", precision, "--seconds",
                   options.seconds, "--repeats", options.repeats, "--platform", options.platform, "--tasks",
                   *options.tasks]
        forms = [f"{task}={fastest(by)[0]}" for (other, at, task), by in self.peers.items()
                 if (other, at) == (library, precision)]
        if library == "jax" and options.forms and not forms:
            forms = [f"{task}={form}" for task in options.tasks for form in options.forms]
        found = run(command + (["--forms", *forms] if forms else []), options.cores)
        if found is None:
            if library != "sklearn":
                skip(f"{PEERS[library]} is not installed")
            return
        report = json.loads(found)
        self.peer_context |= report["context"]
        for form in report["forms"]:
            self.check(library, precision, form)
            runs = self.peers.setdefault((library, precision, form["task"]), {}).setdefault(form["form"], Runs())
            runs.seconds += form["seconds"]

    def check(self, library, precision, form):
        """Checks a peer's values and gradients against ours in double precision.

        The tolerance is larger for JAX in single precision on a GPU, whose sums are not compensated.
        """
        factor = 10 if self.options.platform == "cuda" and precision == "float32" else 1
        for kind, tolerance in (("value", factor * VALUE_TOLERANCES[precision]),
                                ("gradient", factor * GRADIENT_TOLERANCES[precision])):
            error = form.get(f"{kind}_error", 0)
            key = f"{library} {precision} {kind}"
            self.errors[key] = max(error, self.errors.get(key, 0))
            if not error <= tolerance:
                fail(f"the {kind} of {PEERS[library]}, {precision}, {form['task']}, {form['form']} differs by {error:.1e} from "
                     f"ours, expected at most {tolerance:.0e}")

    def run_all(self):
        for _ in range(self.options.rounds):
            self.run_ours()
            for library in PEERS:
                for precision in self.options.precisions:
                    self.run_peer(library, precision)

    def floor(self, backend, precision):
        """Returns a lower bound for the seconds of an evaluation: its exponentials. NaN if their rate was not measured."""
        if (backend, precision) not in self.exponentials:
            return float("nan")
        rate = max(self.exponentials[backend, precision].values())
        return self.context["observations"] * self.context["components"] / rate

    def row(self, precision, task):
        backend, ours = fastest(self.ours[precision, task])
        cells = [task.replace("/", ", "), precision, BACKENDS[backend], digits(1 / ours.shortest), f"{ours.noise:.0%}",
                 f"{self.floor(backend, precision) / ours.shortest:.0%}"]
        for library in PEERS:
            form, runs = fastest(self.peers.get((library, precision, task), {})) or (None, None)
            if form is None:
                cells += ["", "", ""] if library == "jax" else ["", ""]
                continue
            cells += [form, digits(1 / runs.shortest), f"{runs.noise:.0%}"] if library == "jax" else [digits(1 / runs.shortest)]
            cells.append(f"**{runs.shortest / ours.shortest:.2f}**")
        return cells

    def form_rows(self):
        """Returns header and rows of the table of all forms of JAX."""
        names = {}
        for (library, precision, task), forms in self.peers.items():
            for form, runs in forms.items() if library == "jax" else ():
                names.setdefault(form, {})[precision, task] = digits(1 / runs.shortest)
        columns = list(self.ours)
        return ["JAX's form", *(f"{task.replace('/', ', ')}, {precision}" for precision, task in columns)], [
            [name, *(rates.get(column, "") for column in columns)] for name, rates in names.items()]

    def text(self):
        options, context, peer = self.options, self.context, self.peer_context
        repeats = min(len(runs.seconds) for by in self.ours.values() for runs in by.values())
        device = f"JAX on {peer['device']}; " if peer.get("device", "cpu") != "cpu" else ""
        head = (f"{device}{context['processor']}, {plural(len(options.cores), 'core')}; {context['compiler']} ({context['options']}), "
                f"Kokkos {context['kokkos']}, Sporos {context['sporos']}; JAX {peer['jax']}, NumPy {peer['numpy']}, "
                f"scikit-learn {peer.get('sklearn', 'not installed')}; {context['date'][:10]}, load {context['load']:.1f} at the "
                f"start; n = {context['observations']:,}, k = {context['components']}, batches of {context['mixtures']}; "
                f"{plural(repeats, 'repeat')} of ours.\n")
        header = ["task", "precision", "backend", "per second", "noise", "of floor", "JAX's form", "per second", "noise",
                  "speed-up", "NumPy", "speed-up", "scikit-learn", "speed-up"]
        functions = sorted({name for rates in self.exponentials.values() for name in rates})
        rates = [[precision, BACKENDS[backend], *(f"{of[name] / 1e9:.2f}" if name in of else "" for name in functions)]
                 for (backend, precision), of in self.exponentials.items()]
        differences = [[name, f"{error:.0e}"] for name, error in self.errors.items() if error]
        return (head + table("Evaluations of the log-likelihood", header,
                             [self.row(precision, task) for precision, task in self.ours])
                + table("All forms of JAX, evaluations per second", *self.form_rows())
                + table("Exponentials in registers, 10⁹ per second", ["precision", "backend", *functions], rates)
                + table("Largest relative difference from ours in double precision", ["result", "difference"], differences))

    def report(self):
        def listed(runs):
            return [{"of": key, "by": {name: one.seconds for name, one in by.items()}} for key, by in runs.items()]

        return {"context": self.context, "peer_context": self.peer_context, "errors": self.errors,
                "ours": listed(self.ours), "peers": listed(self.peers),
                "exponentials": [{"of": key, "rates": rates} for key, rates in self.exponentials.items()]}

    def restore(self, report):
        """Adds the report of an earlier run."""
        size = {name: report["context"][name] for name in ("observations", "components", "mixtures")}
        if any(self.context.get(name, value) != value for name, value in size.items()):
            fail(f"the reports have the size {size} and others, expected one size")
        self.context = report["context"] | self.context
        self.peer_context |= report["peer_context"]
        for key, error in report["errors"].items():
            self.errors[key] = max(error, self.errors.get(key, 0))
        for runs, listed in ((self.ours, report["ours"]), (self.peers, report["peers"])):
            for one in listed:
                for name, seconds in one["by"].items():
                    runs.setdefault(tuple(one["of"]), {}).setdefault(name, Runs()).seconds += seconds
        for one in report["exponentials"]:
            rates = self.exponentials.setdefault(tuple(one["of"]), {})
            for name, rate in one["rates"].items():
                rates[name] = max(rate, rates.get(name, 0))


def measurements(report):
    """Returns the measurements for bench/compare, of peers in their fastest form."""
    bench = Bench(None, None)
    bench.restore(report)
    context, found = bench.context, []
    for (precision, task), by in bench.ours.items():
        way = task.replace("/batch", f", {context['mixtures']} at once").replace("/", ", ")
        of_case = {"task": f"log-likelihood, {way}, {precision}", "size": context["observations"], "sizes": "observations",
                   "unit": "evaluation"}
        found += [Measurement(**of_case, side=backend, seconds=runs.shortest, floor=bench.floor(backend, precision) if (backend, precision) in bench.exponentials else None)
                  for backend, runs in by.items()]
        for library, name in PEERS.items():
            form = fastest(bench.peers.get((library, precision, task), {}))
            if form:
                found.append(Measurement(**of_case, side=name, seconds=form[1].shortest,
                                         on_gpu=library == "jax" and context["platform"] == "cuda"))
    return found


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "bench_mixtures")
    parser.add_argument("--observations", type=int, default=32768, metavar="N")
    parser.add_argument("--components", type=int, default=10, metavar="K")
    parser.add_argument("--mixtures", type=int, default=64, metavar="M", help="mixtures in a batch")
    parser.add_argument("--precisions", nargs="+", choices=list(VALUE_TOLERANCES), default=["float64", "float32"])
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS, metavar="TASK", help="default: all")
    parser.add_argument("--seconds", type=float, default=0.1, help="duration of a repeat")
    parser.add_argument("--forms", nargs="+", metavar="FORM", help="forms of JAX; default: all")
    parser.add_argument("--tables", type=pathlib.Path, nargs="+", metavar="REPORT", help="reports of earlier runs to combine instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    return parser.parse_args()


def measured(options):
    """Runs all measurements, writes the report and returns the results."""
    size = {name: getattr(options, name) for name in ("observations", "components", "mixtures")}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        bench.context = size | {"load": os.getloadavg()[0], "platform": options.platform}
        bench.run_all()
    options.out.write_text(json.dumps(bench.report(), indent=2) + "\n")
    return bench


def restored(options):
    """Returns the combined results of earlier runs."""
    bench = Bench(options, None)
    for path in options.tables:
        bench.restore(json.loads(path.read_text()))
    return bench


def main():
    options = parsed()
    if not options.tables and not options.program.exists():
        skip(f"{options.program} does not exist")
    if options.smoke:
        options.observations, options.components, options.mixtures, options.rounds, options.repeats = 500, 3, 4, 1, 1
        options.seconds, options.precisions = 0.001, ["float32"]
        options.forms = ["loop", "loop, map on each core"]
    text = (restored(options) if options.tables else measured(options)).text()
    show(text, options.into)


if __name__ == "__main__":
    main()
