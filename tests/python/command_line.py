# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the command line of the same build, whose results the package must reproduce."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

SOURCE = Path(os.environ["SPOROS_SOURCE"])
DATA = SOURCE / "examples" / "data"


def command_of(*words, program="sporos"):
    """Returns a command of the program for subprocess.run."""
    path = Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / program
    return [str(path), *(str(word) for word in words), "--no-progress"]


def json_of(*words, program="sporos"):
    """Returns the JSON output of a command as a dictionary, without the entries that differ from run to run."""
    done = subprocess.run(command_of(*words, "--format", "json", program=program), capture_output=True, text=True,
                          check=False)
    assert done.stdout, done.stderr
    return without_times(json.loads(done.stdout))


def without_times(document):
    """Returns the dictionary without times and machine."""
    document = {name: value for name, value in document.items() if name != "run"}
    if "tables" in document:  # a result document
        document = {name: value for name, value in document.items() if name not in ("seconds", "machine")}
    for point in document.get("trajectory", document.get("tables", {}).get("trajectory", {}).get("rows", [])):
        point.pop("seconds", None)
    return document


def table(name, skip=0):
    """Returns the numbers and the column names of a CSV file of the examples, without the first `skip` columns."""
    lines = (DATA / name).read_text().splitlines()
    names = lines[0].split(",")[skip:]
    return np.array([[float(field) for field in line.split(",")[skip:]] for line in lines[1:]]), names
