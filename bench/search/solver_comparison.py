#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes tables and pictures of a comparison of all solvers on all problems, for docs/reference/solvers.md.

    solver_comparison.py PROGRAM [FOLDER] [--keep CELLS] [--macroreplications R]

The script runs PROGRAM compare-solvers and prints the tables. It writes into FOLDER the profiles of solvers for problems with
bounds, and the mean progress on some of these problems. CELLS is a folder that stores runs, so that a second call computes only
new ones.
"""

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

_for_boxes = "astro,astro-df,l-bfgs,sqn,adam,robbins-monro,spsa,nelder-mead,r-spline"
_in_boxes = "mm1,cntnews-1,sscont-1,san-1"
_pictures = {
    "Solvability: runs that have solved their problem": "solvers-solvability",
    "Problems that half of the runs have solved": "solvers-problems",
}


def _comparison(program, solvers, problems, arguments):
    with tempfile.TemporaryDirectory() as folder:
        page, document = Path(folder, "run.html"), Path(folder, "run.json")
        command = [program, "compare-solvers", "--solvers", solvers, "--problems", problems, "--no-progress", *arguments]
        subprocess.run([*command, "--format", "json", "--output", document, "--report", page], check=True)
        return json.loads(document.read_text()), page.read_text()


def _tables(document):
    tables = document["tables"]
    for problem in tables["problems"]["rows"]:
        cells = [cell for cell in tables["comparison"]["rows"] if cell["problem"] == problem["problem"]]
        known = f"{problem['optimum']:.6g} ({problem['known_by']})"
        print(f"\n**{problem['problem']}**, {cells[0]['budget']} replications; optimum {known}\n")
        print("| solver | area | final gap | solve time | solved | feasible |\n|---|---|---|---|---|---|")
        for cell in sorted(cells, key=lambda cell: cell["area"]):
            time, feasible = cell["solve_time"], cell["feasible"]
            print(
                f"| `{cell['solver']}` | {cell['area']:.3f} ({cell['area_low']:.3f} to {cell['area_high']:.3f}) | "
                f"{cell['gap_left']:.2g} | {'–' if time is None else format(time, '.3g')} | {cell['solved']:.0%} | "
                f"{1 if feasible is None else feasible:.0%} |"
            )


def _save(page, folder):
    """Writes the profiles, and the mean progress on each problem, to files."""
    for title, picture in re.findall(r"<figcaption>(.*?)</figcaption>\n(<svg.*?</svg>)", page, re.S):
        problem, is_progress, _ = title.partition(": mean progress")
        name = f"solvers-{problem}" if is_progress else _pictures.get(title)
        if name:
            white = '<rect width="100%" height="100%" fill="white"/>'
            text = re.sub(r"^<svg ", '<svg width="720" height="480" ', picture).replace("</desc>", "</desc>" + white, 1)
            Path(folder, name + ".svg").write_text(text + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--keep")
    parser.add_argument("--macroreplications", default="20")
    given = parser.parse_args()
    arguments = ["--macroreplications", given.macroreplications] + (["--keep", given.keep] if given.keep else [])
    document, _ = _comparison(given.program, "all", "all", arguments)
    _tables(document)
    if given.folder:
        _, page = _comparison(given.program, _for_boxes, _in_boxes, arguments)
        _save(page, given.folder)


if __name__ == "__main__":
    main()
