# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies what compiles models in Python into an installed package: install_compiler.py PACKAGE BUILD DESTINATION

PACKAGE is the package in the folder BUILD, and DESTINATION is the installed one. Headers and archives of the build are
copied to its folder _model, where the records compiler_BACKEND.json and link_BACKEND.json then find them.
"""

import json
import shutil
import sys
from pathlib import Path

package, build, destination = (Path(one) for one in sys.argv[1:])
here = "@package@"


def copied_archive(word):
    """Returns a word of the link command, with an archive of the build replaced by its copy."""
    path = Path(word)
    if build not in path.parents:
        return word
    shutil.copy(path, destination / "_model" / "lib" / path.name)
    return f"{here}/lib/{path.name}"


def copied_headers(folder):
    """Returns a folder of headers, with one of the build replaced by its copy."""
    path = Path(folder)
    if build not in path.parents:
        return folder
    for header in path.glob("sporos/**/*.hpp"):
        copy_header(header, header.relative_to(path))
    for part in (path / "sporos").iterdir():  # links to folders of the source code, which ** does not follow
        for header in part.resolve().rglob("*.hpp") if part.is_dir() else ():
            copy_header(header, Path("sporos") / part.name / header.relative_to(part.resolve()))
    return f"{here}/include"


def copy_header(header, name):
    target = destination / "_model" / "include" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(header, target)


(destination / "_model" / "lib").mkdir(parents=True, exist_ok=True)
for record in sorted((package / "_model").glob("compiler_*.json")):
    how = json.loads(record.read_text())
    how["archive"] = copied_archive(how["archive"])
    how["command_line"] = ""  # only the programs of a build have it
    how["include"] = ";".join(copied_headers(one) for one in dict.fromkeys(how["include"].split(";")))
    (destination / "_model" / record.name).write_text(json.dumps(how, indent=1) + "\n")
for record in sorted((package / "_model").glob("link_*.json")):
    words = [copied_archive(one) for one in json.loads(record.read_text())]
    (destination / "_model" / record.name).write_text(json.dumps(words, indent=1) + "\n")
