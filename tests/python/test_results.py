# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All outputs of the commands equal the files in golden/, and the JSON output conforms to docs/result.schema.json.

Numbers may differ by a relative 1e-9, because math libraries differ. If a change should alter the outputs, set
SPOROS_UPDATE_GOLDEN=1 to write the files again, and review the difference.
"""

import csv
import functools
import io
import json
import math
import os
import pathlib
import re
import subprocess

import pytest

import sporos
from command_line import DATA, SOURCE, command_of

jsonschema = pytest.importorskip("jsonschema")

GOLDEN = pathlib.Path(__file__).parent / "golden"
SCHEMA = json.loads((SOURCE / "docs" / "result.schema.json").read_text())
PROGRAM = f"sporos-{sporos.backends()[0]}"
RARE = ["--event", "number in system >= 10"]
COMMANDS = {
    "strata": [*"stratify mm1 --customers 3 --replications 400 --strata service-times:4".split(),
               "--neyman", "time in system"],
    "arrays": "array-rqmc mm1 --chain-steps 1 --chains 64 --randomizations 6".split(),
    "multilevel": "multilevel call-options --response geometric-Asian-call --rmse 0.5 --scheme 2".split(),
    "splitting": [*"rare-event mm1 --chains 100 --runs 6".split(), *RARE],
    "adaptive": [*"rare-event mm1 --chains 50 --runs 4 --method adaptive".split(), *RARE],
    "importance": [*"rare-event mm1 --replications 500 --pilot-replications 500 --method importance".split(), *RARE],
    "sensitivity": "sensitivity mm1 --customers 9 --uncertain arrival_rate=0.3:0.7 "
                   "--uncertain service-rate=uniform(0.9,1.1) --base-points 64".split(),
    "inputs": "input-uncertainty mm1 --customers 9 --outer-samples 40 --input service_rate=rate(old_faithful.csv) "
              "--input arrival_rate=rate(old_faithful.csv)".split(),
    "means": "simulate mm1 --customers 9 --replications 200 --covariances on --control-variates".split(),
    "points": [*"simulate mmck --servers 1:3 --capacity 2 --customers 20 --replications 60 --simultaneous bonferroni "
               "--smallest mean_wait --compare mean_wait --quantiles 0.5,0.99".split(),
               "--probability", "mean wait > 1", "--require", "mean wait < 1", "--cost", "10*servers",
               "--histogram", "mean wait=0:2:2", "--density", "mean wait=0:2:3"],
    "samplings": "compare-samplings mm1 --customers 5 --run-length 8 --replications 80 --samplings sobol,descriptive".split(),
    "replay": "replay event-mmck --from-empty 1 --customers 3 --replication 1 --trace".split(),
    "fit": "fit galaxies.csv --components 1:6".split(),
    "bootstrap": "fit galaxies.csv --components 1:3 --starts 4 --bayesian --bootstrap 19".split(),
    "sqn": "optimize classification breast_cancer.csv --iterations 300".split(),
    "separated": "optimize classification breast_cancer.csv --optimizer lbfgs --penalty 0 --test-share 0 "
                 "--iterations 20".split(),
    "steady": "steady-state mm1 --observations 20000".split(),
    "steady-constant": "steady-state mmck --observations 20000 --arrival-rate 0.1 --capacity 30".split(),
    "solvers": "compare-solvers --solvers adam,spsa,r-spline --problems mm1,staffing --macroreplications 2 --budget 300 "
               "--post-replications 20 --bootstraps 5".split(),
    "solvers-varied": "compare-solvers --solvers adam --problems mm1 --vary adam:step=0.02..1 --design-points 4 "
                      "--macroreplications 2 --budget 300 --post-replications 20 --bootstraps 5".split(),
    "radiation": "simulate radiation --case furnace.json --photons 2000".split(),
    "beam": "simulate radiation --case cloud.json --photons 2000".split(),
    "equilibrium": "simulate radiation --case plates.json --photons 3000 --question equilibrium".split(),
    "germinal_centre": "simulate germinal-centre germinal_centre.json --hours 0.5".split(),
    "portfolio": "optimize portfolio --returns returns.csv --gap-tolerance 1e-5".split(),
    "sampled": "optimize portfolio --assets 60 --epochs 3 --iterations 9 --gap-batches 4 --gap-batch-size 50".split(),
    "newsvendor": "optimize newsvendor --products bakery_products.csv --resources bakery_resources.csv "
                  "--amounts bakery_amounts.csv --epochs 5 --iterations 30 --gap-batches 4 --gap-batch-size 50".split(),
    "quantiles": "optimize newsvendor --demands bakery_demands.csv --ignore date --cost 1 --price 3".split(),
    "select": "select tandem-line --warm-up 20 --jobs 20 --over buffer-2=1:5 --over buffer-3=1:5 "
              "--sum buffer-2+buffer-3=6 --largest throughput --delta 0.3 --procedure bi-pass".split(),
    "select-constrained": [*"select mmck --over servers=2,3,12,50 --capacity 12 --arrival-rate 2 --customers 100".split(),
                           "--smallest", "3*servers + 100*blocking probability", "--delta", "0.5",
                           "--subject-to", "blocking probability <= 0.2", "--tolerance", "0.1"],
    "select-infeasible": [*"select mmck --over servers=2,3 --capacity 12 --arrival-rate 2 --customers 100 --delta 1".split(),
                          "--smallest", "servers", "--subject-to", "utilization <= 0.5", "--tolerance", "0.1"],
    "select-budget": "select mmck --over servers=2,3 --arrival-rate 2 --customers 100 --largest utilization "
                     "--procedure ocba --budget 60".split(),
    "search": "optimize mm1 --customers 20 --over service-rate=0.6:10 --minimize time_in_system+0.1*service-rate^2 "
              "--replications 300 --final-replications 50".split(),
    "search-constrained": [*"optimize mm1 --customers 20 --over service-rate=0.6:10 --minimize service-rate".split(),
                           "--subject-to", "time in queue <= 1", *"--replications 300 --final-replications 50".split()],
    "search-runs": [*"optimize mm1 --customers 20 --over service-rate=0.6:10 --minimize service-rate --solver csa".split(),
                    "--subject-to", "time in queue <= 1",
                    *"--replications 300 --final-replications 50 --macro-replications 3".split()],
    "search-whole": [*"optimize mmck --customers 20 --over servers=1:20 --servers 9 --minimize".split(),
                     "servers + 20 * blocking probability", *"--replications 300 --final-replications 50".split()],
    "unseen": [*"rare-event mmck --chains 10 --runs 2".split(), "--event", "number in system > 5"],
}

WITHOUT_PAGES = ("samplings", "replay")
# The results of these commands are times, which differ from run to run.
TIMED = {"calibrate": "calibrate --engine philox --consumers 1 --draws 4096 --rounds 1 --memory 1".split()}


@functools.lru_cache(maxsize=None)
def run_of(name, *more):
    """Runs a command once in the folder of the examples' data."""
    return subprocess.run(command_of(*(COMMANDS | TIMED)[name], *more, program=PROGRAM), capture_output=True, text=True, cwd=DATA)


def written(name, file_format, tmp_path):
    """Returns the output of a command in a format, without the parts that depend on the machine."""
    page = tmp_path / "page.html"
    more = ["--report", page] if file_format == "html" else ["--format", {"txt": "table"}.get(file_format, file_format)]
    done = run_of(name, *more)
    assert done.returncode in (0, 2) or "no system is feasible" in done.stderr, done.stderr
    if file_format == "html":
        text = re.sub(r"<svg.*?</svg>", "<svg/>", page.read_text(), flags=re.DOTALL)
        text = re.sub(r'<data value="[^"]*">', "<data>", text)
        text, _, rest = text.partition("How to repeat this run")
        return re.sub(r"<style>.*?</style>", "<style/>", text, flags=re.DOTALL) + ("How to repeat this run" if rest else "")
    if file_format == "json":
        result = json.loads(done.stdout)
        result.update(seconds=0, machine=None)
        for row in result["tables"].get("trajectory", {"rows": []})["rows"]:
            row["seconds"] = 0
        for table in result["tables"].values():  # long tables are thinned
            if len(table["rows"]) > 150:
                table["rows"] = table["rows"][:: len(table["rows"]) // 20]
        if "seconds_in_replications" in result["findings"]:
            result["findings"]["seconds_in_replications"] = 0
        for table in result["tables"].values():
            for times in (one["id"] for one in table["columns"] if one["kind"] == "duration"):
                for row in table["rows"]:
                    row[times] = 0
        return json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    if file_format == "csv" and ",seconds," in done.stdout:
        rows = list(csv.reader(io.StringIO(done.stdout)))
        place = rows[0].index("seconds")
        return "".join(",".join([*row[:place], "0" if row is not rows[0] else "seconds", *row[place + 1:]]) + "\n"
                       for row in rows)
    return re.sub(r"^[\d.e-]+ (s|min .*) on .*$", "TIME", done.stdout, flags=re.MULTILINE)


def are_near(found, expected):
    if isinstance(expected, float) and isinstance(found, (int, float)):
        return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(expected, dict):
        return isinstance(found, dict) and list(found) == list(expected) and all(
            are_near(found[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(are_near, found, expected))
    return found == expected


def number_or_text(text):
    try:
        return float(text)
    except ValueError:
        return text


def content_of(text, file_format):
    if file_format == "json":
        return json.loads(text)
    if file_format == "csv":
        return [[number_or_text(field) for field in row] for row in csv.reader(io.StringIO(text))]
    return text


@pytest.mark.parametrize("name, file_format", [
    (name, file_format) for name in COMMANDS for file_format in ("txt", "csv", "json", "html")
    if file_format != "html" or name not in WITHOUT_PAGES
])
def test_output_is_golden(name, file_format, tmp_path):
    found = written(name, file_format, tmp_path)
    path = GOLDEN / f"{name}.{file_format}"
    if os.environ.get("SPOROS_UPDATE_GOLDEN"):
        path.write_text(found)
    assert are_near(content_of(found, file_format), content_of(path.read_text(), file_format)), found


@pytest.mark.parametrize("name", [*COMMANDS, *TIMED])
def test_json_conforms_to_the_schema(name, tmp_path, monkeypatch):
    monkeypatch.setenv("SPOROS_CACHE", str(tmp_path))
    result = json.loads(run_of(name, "--format", "json").stdout)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.validate(result)
    for table in result["tables"].values():
        ids = [column["id"] for column in table["columns"]]
        assert all(list(row) == ids for row in table["rows"])
        assert all(column.get("half_width", ids[0]) in ids for column in table["columns"])
    for broken in ({**result, "format": 2}, {**result, "tables": {}}, {**result, "notes": "none"}):
        assert not validator.is_valid(broken)
