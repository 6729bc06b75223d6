# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the commands that the pages quote: each command, model and option exists in the command line of this build."""
import functools
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["SPOROS_SOURCE"])
PROGRAM = str(Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / "sporos")
PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]


def quoted_commands(text):
    """Returns the `sporos` commands of all shell blocks, as lists of words."""
    commands = []
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r"&&|\||;(?=(?:[^'\"]|'[^']*'|\"[^\"]*\")*$)", re.sub(r"\s#.*", "", line)):
                words = shlex.split(part) if "sporos" in part and part.count("'") % 2 == part.count('"') % 2 == 0 else []
                if words and words[0] in ("sporos", "$"):
                    commands.append([word for word in words if word not in ("$", "sporos")])
    return commands


@functools.lru_cache(maxsize=None)
def options_of(*words):
    """Returns the options that `sporos WORDS --help-all` lists, or None if there is no such command."""
    found = subprocess.run([PROGRAM, *words, "--help-all"], capture_output=True, text=True, check=False)
    return set(re.findall(r"--([a-z0-9.-]+)", found.stdout)) if found.returncode == 0 else None


def faults_of(words):
    """Returns the words of a command that the command line does not know."""
    subject = []
    for word in words:
        if word.startswith("-") or len(subject) == 2:
            break
        subject.append(word)
    while subject and options_of(*subject) is None:
        subject.pop()
    if not subject:
        return words[:1]
    if "--plan" in words:
        subject.append("mm1")  # the file names the model
    known = options_of(*subject) | {"help", "help-all", "version"}
    asked = [word[2:].split("=")[0] for word in words if re.match(r"--[a-z]", word)]
    members = {"stations", "classes"}  # options of a case's members: --stations.doctor.servers
    return [option for option in asked if option.replace("_", "-") not in known and option.split(".")[0] not in members]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(SOURCE)))
def test_commands_exist(page):
    faults = {" ".join(words): faults_of(words) for words in quoted_commands(page.read_text())}
    assert {command: fault for command, fault in faults.items() if fault} == {}


def test_control():
    assert faults_of(["simulate", "mm1", "--replication", "5"]) == ["replication"]
    assert faults_of(["simulte", "mm1"]) == ["simulte"]
    assert sum(len(quoted_commands(page.read_text())) for page in PAGES) > 80
