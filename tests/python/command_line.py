# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of the same build, which the package has to agree with."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

SOURCE = Path(os.environ["SPOROS_SOURCE"])
DATA = SOURCE / "examples" / "data"


def command_of(*words, program="sporos"):
    """A command of the program, for subprocess.run."""
    path = Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / program
    return [str(path), *(str(word) for word in words), "--no-progress"]


def json_of(*words, program="sporos"):
    """What a command writes as JSON, as a dictionary without what differs from run to run."""
    done = subprocess.run(command_of(*words, "--format", "json", program=program), capture_output=True, text=True,
                          check=False)
    assert done.stdout, done.stderr
    return without_times(json.loads(done.stdout))


def without_times(told):
    """The same dictionary without times and machine."""
    told = {name: value for name, value in told.items() if name != "run"}
    if "tables" in told:  # a result document
        told = {name: value for name, value in told.items() if name not in ("seconds", "machine")}
    for point in told.get("trajectory", told.get("tables", {}).get("trajectory", {}).get("rows", [])):
        point.pop("seconds", None)
    return told


def table(name, skip=0):
    """The numbers of a CSV file among the examples' data, without its first `skip` columns, and their names."""
    lines = (DATA / name).read_text().splitlines()
    names = lines[0].split(",")[skip:]
    return np.array([[float(field) for field in line.split(",")[skip:]] for line in lines[1:]]), names
