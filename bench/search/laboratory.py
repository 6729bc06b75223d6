#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables and pictures of docs/solvers.md, from an experiment of all solvers on all problems.

    laboratory.py PROGRAM [FOLDER] [--keep CELLS] [--macroreplications R]

runs PROGRAM experiment, prints the tables, and writes into FOLDER the profiles of solvers that fit boxes, and mean progress on
some problems. CELLS keeps runs, so that a second call computes only what is new.
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
    "Solvability: runs that have solved their problem": "laboratory-solvability",
    "Problems that half of the runs have solved": "laboratory-problems",
}


def _experiment(program, solvers, problems, arguments):
    with tempfile.TemporaryDirectory() as folder:
        page, told = Path(folder, "run.html"), Path(folder, "run.json")
        command = [program, "experiment", "--solvers", solvers, "--problems", problems, "--no-progress", *arguments]
        subprocess.run([*command, "--format", "json", "--output", told, "--report", page], check=True)
        return json.loads(told.read_text()), page.read_text()


def _tables(told):
    for problem in told["problems"]:
        cells = [cell for cell in told["cells"] if cell["problem"] == problem["problem"]]
        budget = cells[0]["budget"]
        known = f"{problem['optimum']:.6g} ({problem['known_by']})"
        print(f"\n**{problem['problem']}**, {budget} replications; optimum {known}\n")
        print("| solver | area | left at the end | solve time | solved | feasible |\n|---|---|---|---|---|---|")
        for cell in sorted(cells, key=lambda cell: cell["area"]["estimate"]):
            area, end, time = cell["area"], cell["left_at_the_end"]["estimate"], cell["solve_time"]["estimate"]
            print(
                f"| `{cell['solver']}` | {area['estimate']:.3f} ({area['low']:.3f} to {area['high']:.3f}) | {end:.2g} | "
                f"{'–' if time is None else format(time, '.3g')} | {cell['solved']['estimate']:.0%} | "
                f"{cell['feasible']['estimate']:.0%} |"
            )


def _save(page, folder):
    """The profiles, and the first picture of each problem, as files."""
    sections = re.findall(r"<section>\n<h2>(.*?)</h2>(.*?)</section>", page, re.S)
    for heading, section in sections:
        for title, picture in re.findall(r"<figcaption>(.*?)</figcaption>\n(<svg.*?</svg>)", section, re.S):
            name = _pictures.get(title)
            if title == "Mean progress":
                name = f"laboratory-{heading}"
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
    told, _ = _experiment(given.program, "all", "all", arguments)
    _tables(told)
    if given.folder:
        _, page = _experiment(given.program, _for_boxes, _in_boxes, arguments)
        _save(page, given.folder)


if __name__ == "__main__":
    main()
