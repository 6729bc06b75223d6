# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared functions of the benchmark scripts: running programs and peers on the same cores, reports and tables."""
import contextlib
import json
import os
import pathlib
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
BACKENDS = {"serial": "Serial", "openmp": "OpenMP", "cuda": "CUDA", "hip": "HIP"}
# Lets Open MPI run as root and start more processes than cores, in versions before 5 and from 5 on.
MPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                   "OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false"}


def fail(message):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {message}")


def skip(message):
    print(f"{pathlib.Path(sys.argv[0]).name}: skipped, {message}", file=sys.stderr)
    sys.exit(77)


@contextlib.contextmanager
def write_whole(path):
    """Opens a file whose text replaces `path` at the end; an error before that leaves `path` unchanged."""
    part = path.with_name(path.name + ".part")
    try:
        file = part.open("w")
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror}")
    try:
        with file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_json(report, path):
    with write_whole(pathlib.Path(path)) as file:
        file.write(json.dumps(report, indent=1) + "\n")


# Functions that run programs.


def run(command, cores, more={}):
    """Returns the standard output of a command on the given cores, or None if its exit status is 77 (not installed).

    `more` is added to the environment.
    """
    environment = os.environ | {"OMP_NUM_THREADS": str(len(cores)), "OMP_PROC_BIND": "false"} | more
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, env=environment,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores))
    if done.returncode == 77:
        return None
    if done.returncode:
        fail(f"{' '.join(str(part) for part in command[:2])} exits with {done.returncode}, expected 0")
    return done.stdout


def run_program(program, flags, path, cores):
    """Returns the report that one of our programs writes to `path`; `flags` alternates names and values."""
    arguments = [f"{name}={value}" for name, value in zip(*[iter(flags)] * 2)]
    run([program, *arguments, f"--benchmark_out={path}", "--benchmark_out_format=json"], cores)
    return json.loads(path.read_text())


def cores_of(text):
    return {int(core) for core in text.split(",")}


def add_arguments(parser, program):
    """Adds the arguments of all scripts that run `program` and its peers alternately."""
    parser.add_argument("--program", type=pathlib.Path, default=TREE / "build" / "bin" / program)
    parser.add_argument("--backends", type=lambda text: text.split(","), default=["serial", "openmp"],
                        metavar="serial,openmp", help="backends of Sporos, of which the fastest counts")
    parser.add_argument("--platform", choices=["cpu", "cuda"], default="cpu", help="platform of JAX")
    parser.add_argument("--rounds", type=int, default=3, help="alternating rounds of both sides")
    parser.add_argument("--repeats", type=int, default=3, help="repeats of a peer in a round, in one process")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=cores_of, default=os.sched_getaffinity(0), metavar="0,1")
    parser.add_argument("--smoke", action="store_true", help="small sizes, one round")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", default=pathlib.Path(sys.argv[0]).stem + ".json")


def parsed_by(parser):
    """Returns the parsed command line; smoke runs have one round."""
    options = parser.parse_args()
    options.rounds = 1 if options.smoke else options.rounds
    return options


def make_report(options, measured, text_of):
    """Runs the measurements, writes the report and prints its text."""
    report = measured(options)
    write_json(report, options.out)
    show(text_of(report), None)


# Functions that format tables.


def plural(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def digits(value):
    """Formats a value with three digits, or as a whole number if it is at least 100."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def micro(seconds):
    return digits(seconds * 1e6)


def table(title, header, rows):
    """Returns a table in Markdown; empty without rows."""
    if not rows:
        return ""
    lines = ["| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]]
    return f"\n### {title}\n\n" + "\n".join(lines) + "\n"


def aligned(rows):
    """Returns rows as text, with the first column left-aligned and the others right-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                               for column, (cell, width) in enumerate(zip(row, widths))) for row in rows)


class Differences:
    """Differences of means between Sporos and a reference: rows of a table, and messages about those beyond their limits."""

    def __init__(self):
        self.table = [["roster", "response", "Sporos", "reference", "difference", "z", "limit of z"]]
        self.faults = []

    def add(self, roster, response, mean, other, error, z, limit):
        """Adds the means of a response. Their difference is `z` standard errors, of which `limit` are allowed."""
        gap = mean - other
        self.table.append([roster, response, f"{mean:.6g}", f"{other:.6g}", f"{gap:+.3g}", f"{z:+.2f}", f"{limit:.2f}"])
        if abs(z) > limit:
            self.faults.append(f"{response} at {roster} differs by {gap:+.4g} between Sporos and the reference, expected at "
                               f"most {limit * error:.4g}")

    def end(self):
        """Prints whether all differences are within their limits; otherwise ends the program with the messages."""
        if self.faults:
            sys.exit("\n".join(self.faults))
        print(f"All {len(self.table) - 1} differences are within their limits.")


def show(text, into):
    """Prints a text, or replaces the text between the two comments of a place in a page."""
    if not into:
        print(text, end="")
        return
    page, place = into
    path, (begin, end) = pathlib.Path(page), (f"<!-- {place} -->", f"<!-- end of {place} -->")
    old = path.read_text()
    if begin not in old or end not in old:
        fail(f"{page} has no place called '{place}': expected lines {begin} and {end}")
    path.write_text(old[: old.index(begin)] + f"{begin}\n{text}{end}" + old[old.index(end) + len(end) :])


def write_report(options, name, measured, text_of, draw):
    """Writes NAME.json, NAME.md and pictures, and prints the text or writes it into the page of --into.

    The report is the result of `measured(options)`, or with --tables the existing NAME.json. The text is
    `text_of(report)`. `draw(report, path)` draws pictures if matplotlib is installed.
    """
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / f"{name}.json"
    if not options.tables:
        write_json(measured(options), path)
    report = json.loads(path.read_text())
    text = text_of(report)
    path.with_suffix(".md").write_text(text)
    try:
        draw(report, path)
    except ImportError:
        print("no charts: matplotlib is not installed", file=sys.stderr)
    show(text, options.into)
