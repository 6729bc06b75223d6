# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies what compiles models in Python into an installed package.

    install_compiler.py PACKAGE BUILD DESTINATION [--portable]

PACKAGE is the package in the folder BUILD, and DESTINATION is the installed one. Headers and archives of the build are
copied to its folder _model, where the records compiler_BACKEND.json and link_BACKEND.json then find them.

With --portable, for a wheel, the package then needs only a compiler on another machine. Headers of other libraries and
archives of Kokkos are copied, too. The archives of Sporos become one object, in which each template is instantiated
once. Shared libraries are recorded as @bundled@/NAME, where auditwheel places them.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

package, build, destination = (Path(one) for one in sys.argv[1:4])
is_portable = "--portable" in sys.argv[4:]
here = destination / "_model"
libraries = ("boost", "csv.h", "fmt", "nlohmann")
"""Folders and headers of other libraries, which may be among those of the system. Kokkos has a separate folder."""
common = ("Kokkos_", "KokkosCore", "KokkosExp", "decl", "fwd", "impl", "setup", "traits")
"""First letters of headers of Kokkos that are copied in any case, because other compilers include other ones."""
unused = re.compile("Cuda|CUDA|HIP|SYCL|HPX|OpenMPTarget|Threads|DynRankView|DynamicView|MemoryPool|OffsetView|ScatterView|"
                    "StaticCrsGraph|UnorderedMap")
"""Names of other backends and of containers, whose headers are copied only if a model's source files include them."""
separate = ("libsporos_command_line.a", "libsporos_python_models.a")
"""Archives that only programs or only modules link."""


def copy(path, name):
    target = here / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def copied_archive(path):
    copy(path, f"lib/{path.name}")
    if is_portable:
        subprocess.run(["strip", "--strip-unneeded", here / "lib" / path.name], check=True)
    return f"@package@/lib/{path.name}"


def copied_headers(folder):
    """Returns a folder of headers, with one of the build replaced by its copy."""
    path = Path(folder)
    if build not in path.parents:
        return folder
    for header in path.glob("sporos/**/*.hpp"):
        copy(header, f"include/{header.relative_to(path)}")
    for part in (path / "sporos").iterdir():  # links to folders of the source code, which ** does not follow
        for header in part.resolve().rglob("*.hpp") if part.is_dir() else ():
            copy(header, f"include/sporos/{part.name}/{header.relative_to(part.resolve())}")
    return "@package@/include"


def words_of_units():
    """Returns the headers that a model's source files include, as `compiler.py` lists them, and all of core/."""
    tree = ast.parse((package / "_model" / "compiler.py").read_text())
    units = next(
        ast.literal_eval(one.value)
        for one in tree.body
        if isinstance(one, ast.Assign) and one.targets[0].id == "_UNITS"
    )
    runtime = ["backend/this_build.hpp", "backend/translated_models.hpp", "simulation/describe_model.hpp"]
    core = (build / "include" / "sporos" / "core").resolve()
    headers = [f"core/{one.relative_to(core)}" for one in core.rglob("*.hpp") if "distributed" not in one.parts]
    return sorted(headers) + [f"runtime/{one}" for one in runtime + [header for header, _ in units.values()]]


def copy_reached_headers(how):
    """Copies all headers that a model's source files include, except those of the compiler and the system."""
    folders = [Path(one) for one in dict.fromkeys(how["include"].split(";"))]
    with tempfile.TemporaryDirectory() as work:
        unit = Path(work) / "unit.cpp"
        unit.write_text("".join(f"#include <sporos/{one}>\n" for one in words_of_units()))
        command = [how["compiler"], *how["flags"].split(), *(f"-D{one}" for one in how["definitions"].split(";") if one)]
        command += [f"-I{one}" for one in folders if str(one) != "/usr/include"]
        rule = subprocess.run([*command, "-M", unit], check=True, capture_output=True, text=True).stdout
    kokkos = next(one for one in folders if (one / "Kokkos_Core.hpp").exists())  # not shared with the system
    reached = {Path(os.path.normpath(one)) for one in rule.replace("\\\n", " ").split()[2:]}
    reached.update(one for one in kokkos.rglob("*.hpp")
                   if one.relative_to(kokkos).parts[0].startswith(common) and not unused.search(one.name))
    boost = next(one for one in folders if (one / "boost" / "config.hpp").exists())
    reached.update((boost / "boost" / "config").rglob("*.hpp"))
    for header in sorted(reached):
        folder = next((one for one in folders if one in header.parents), None)
        if folder is None:
            continue
        name = header.relative_to(folder)
        first = name.parts[0]
        if folder == kokkos or first in libraries or first == "sporos":
            copy(header, f"include/{name}")


def merged(archives):
    """Links archives to one object. It is an archive, too, of which a linker then takes nothing that is not used."""
    name = "libsporos_merged.a"
    if not (here / "lib" / name).exists():
        with tempfile.TemporaryDirectory() as work:
            whole = Path(work) / "sporos.o"
            subprocess.run(["ld", "-r", "--whole-archive", *archives, "-o", whole], check=True)
            subprocess.run(["strip", "--strip-unneeded", whole], check=True)
            subprocess.run(["ar", "rc", here / "lib" / name, whole], check=True)
    return f"@package@/lib/{name}"


def is_of_build(word):
    return build in Path(word).parents


def portable_words(words):
    """Returns the words of a link command on another machine."""
    own = [one for one in words if is_of_build(one) and Path(one).name not in separate]
    result = ["-Wl,-rpath,@bundled@"]
    for word in words:
        path = Path(word)
        if word in own:
            result += [merged(own)] if word == own[0] else []
        elif word.startswith(("-Wl,-rpath", "-fuse-ld=", "-D")):
            pass
        elif path.name == "libdl.a":
            result.append("-ldl")
        elif path.suffix == ".a":
            result.append(copied_archive(path))
        elif path.is_absolute():
            result.append(f"@bundled@/{path.name.partition('.so')[0]}")
        else:
            result.append(word)
    return result


(here / "lib").mkdir(parents=True, exist_ok=True)
for record in sorted((package / "_model").glob("compiler_*.json")):
    how = json.loads(record.read_text())
    if is_portable:
        copy_reached_headers(how)
        how["include"] = "@package@/include"
        how["compiler"] = Path(how["compiler"]).name
        how["archive"] = copied_archive(Path(how["archive"]))
    else:
        how["include"] = ";".join(copied_headers(one) for one in dict.fromkeys(how["include"].split(";")))
        how["archive"] = copied_archive(Path(how["archive"]))
    (here / record.name).write_text(json.dumps(how, indent=1) + "\n")
for record in sorted((package / "_model").glob("link_*.json")):
    words = json.loads(record.read_text())
    if is_portable:
        words = portable_words(words)
    else:
        words = [copied_archive(Path(one)) if is_of_build(one) else one for one in words]
    (here / record.name).write_text(json.dumps(words, indent=1) + "\n")
