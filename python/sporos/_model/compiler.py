# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models in Python to extension modules, and keeps the modules in a private folder.

A module answers the questions of one *unit*, such as simulations. It is compiled with the flags, and linked with the
libraries, of the package's own module, which the build has recorded in compiler_BACKEND.json and link_BACKEND.json.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from importlib import machinery, util
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Optional

from .._backends import settings_of, version
from .._progress import Elapsed

if TYPE_CHECKING:
    from .model import Definition

_UNITS = {
    "simulate": ("simulation/tasks.hpp", ("SimulationTask",)),
    "optimize": ("search/task.hpp", ("ProblemTask",)),
    "select": ("selection/task.hpp", ("SystemsTask",)),
    "stratify": ("stratification/task.hpp", ("StratifiedTask",)),
    "rare_event": ("rare_events/task.hpp", ("RareEventTask",)),
    "array_rqmc": ("array_rqmc/task.hpp", ("ArrayRqmcTask",)),
    "multilevel": ("multilevel/task.hpp", ("MultilevelTask",)),
    "steady_state": ("steady_state/task.hpp", ("SeriesTask",)),
}
"""Header and tasks of each unit."""

_UNIT_OF_QUESTION = {
    "simulate": "simulate",
    "replay": "simulate",
    "describe": "simulate",
    "sensitivity": "simulate",
    "input_uncertainty": "simulate",
    "optimize": "optimize",
    "compare_solvers": "optimize",
    "steady_state": "steady_state",
    "select": "select",
    "stratify": "stratify",
    "rare_event": "rare_event",
    "array_rqmc": "array_rqmc",
    "multilevel": "multilevel",
    "compare_samplings": "simulate",
}
_loaded: dict[Path, Any] = {}
_lock = threading.Lock()


def cache_folder() -> Path:
    """Returns the private folder of compiled models, and creates it.

    It is the folder models in SPOROS_CACHE, whose default is sporos in the user's cache folder.
    """
    given = os.environ.get("SPOROS_CACHE")
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = (Path(given) if given else base / "sporos") / "models"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
    except OSError as error:
        raise RuntimeError(
            f"the folder {folder} of compiled models cannot be used: {error.strerror}; set SPOROS_CACHE to another "
            "folder"
        ) from None
    if state.st_uid != os.getuid() or stat.S_IMODE(state.st_mode) & 0o077:
        raise RuntimeError(
            f"the folder {folder} of compiled models is open to others: make it private by chmod 700, or set "
            "SPOROS_CACHE to another folder"
        )
    return folder


def module_for(definition: Definition, question: str, backend: str) -> Any:
    """Returns the extension module that answers a question about a model on a backend."""
    unit = _UNIT_OF_QUESTION.get(question)
    if unit is None:
        raise ValueError(
            f"{question} is not offered for models in Python: write the model in C++, which "
            f"{definition.cls.__name__}.header() helps to begin"
        )
    _check_offer(definition, question)
    with _lock:
        build = _Build(definition, unit, backend)
        path = build.path()
        if path not in _loaded:
            if not path.exists():
                build.run()
            _loaded[path] = _load(path, backend)
        return _loaded[path]


def _check_offer(definition: Definition, question: str) -> None:
    """Raises ValueError if the model lacks what a question requires."""
    name = definition.cls.__name__
    if question == "steady_state" and not definition.series:
        raise ValueError(f"{name} has no steady state: write series = ('name',) and def observe(self, draw, series) in it")
    if question == "multilevel" and not definition.tree.at_level:
        raise ValueError(f"{name} has no levels: write def at_level(self, draw, level) in it")
    if question == "array_rqmc":
        obstacle = definition.array_obstacle()
        if obstacle:
            raise ValueError(f"array_rqmc does not offer {name}: {obstacle}")
    if question == "compare_solvers" and not definition.problems:
        raise ValueError(f"{name} has no problems: write problems = (sporos.problem(...),) in the class")


def _load(path: Path, backend: str) -> Any:
    name = f"sporos._compiled_{path.stem.replace('-', '_')}._{backend}"
    spec = util.spec_from_file_location(name, path, loader=machinery.ExtensionFileLoader(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    atexit.register(module.finish)
    threads, device = settings_of(backend)
    if threads is not None or device is not None:
        module.start(threads, device)
    return module


def program_for(definition: Definition, command: str, backend: str) -> Path:
    """Returns the program that runs a command of the command line for a model on a backend."""
    unit = _UNIT_OF_QUESTION.get(command.replace("-", "_"))
    if unit is None:
        names = ", ".join(sorted(one.replace("_", "-") for one in _UNIT_OF_QUESTION))
        raise ValueError(f"{command} is not offered for models in Python: expected one of {names}")
    _check_offer(definition, command.replace("-", "_"))
    build = _Build(definition, unit, backend, is_program=True)
    path = build.path()
    if not path.exists():
        build.run()
    return path


class _Build:
    """The compilation of a model for one unit of questions: an extension module, or a program with the command line."""

    def __init__(self, definition: Definition, unit: str, backend: str, is_program: bool = False) -> None:
        self.definition = definition
        self.unit = unit
        self.backend = backend
        self.is_program = is_program
        folder = Path(__file__).parent
        try:
            self.how = _record(folder / f"compiler_{backend}.json")
            self.libraries = _record(folder / f"link_{backend}.json")
        except FileNotFoundError:
            raise RuntimeError(
                "this installation of sporos has no libraries to compile models with: install it again from its source "
                "code; model.interpret() needs no compiler"
            ) from None
        # The archives refer to each other, which GNU ld resolves only in a group.
        self.libraries = ["-Wl,--start-group", self.how["archive"], *self.libraries, "-Wl,--end-group"]
        self.compiler = os.environ.get("SPOROS_CXX") or self.how["compiler"]
        self.type = definition.cls.__name__

    def path(self) -> Path:
        """Returns the file of the module, whose name has a digest of all that it depends on."""
        libraries = [(one, *_state(one)) for one in self.libraries if os.path.isabs(one)]
        parts = [version, self.how, self.libraries, libraries, self._sources(), self.unit, sys.implementation.cache_tag,
                 self.compiler, _state(shutil.which(self.compiler) or self.compiler)]  # fmt: skip
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
        kind = "program" if self.is_program else "module"
        return cache_folder() / f"{self.definition.name}-{self.unit}-{self.backend}-{digest[:32]}.{kind}"

    def _sources(self) -> dict[str, str]:
        header, tasks = _UNITS[self.unit]
        name = f"::{self.type}"
        initialization = f"""
extern "C" void* PyInit_sporos_models();
extern "C" __attribute__((visibility("default"))) void* PyInit__{self.backend}();
void* PyInit__{self.backend}() {{ return PyInit_sporos_models(); }}
"""
        add = "\n".join(f"  functions.add<{task}>(&{task}::run<SPOROS_BACKEND, {name}>);" for task in tasks)
        return {
            "model.hpp": self.definition.header,
            "unit.cpp": f"""#include <sporos/runtime/{header}>
#include <sporos/runtime/backend/translated_models.hpp>

#include "model.hpp"

namespace sporos::runtime {{

std::map<std::string_view, ModelFunctions> functions_of_translated_models() {{
  ModelFunctions functions;
{add}
  return {{{{{name}::name, functions}}}};
}}

}}  // namespace sporos::runtime
{"" if self.is_program else initialization}""",
            "program.cpp": f"""#include <sporos/runtime/backend/this_build.hpp>
#include <sporos/runtime/simulation/describe_model.hpp>

#include "model.hpp"

namespace sporos::runtime {{

const Program& program() {{
  static const Program all{{"sporos", false, this_build()}};
  return all;
}}

std::span<const ModelDescription> model_descriptions() {{
  static const auto all = descriptions_of<{name}>();
  return all;
}}

}}  // namespace sporos::runtime
""",
        }

    def run(self) -> None:
        """Compiles the module, unless another process has done so meanwhile."""
        path = self.path()
        if shutil.which(self.compiler) is None:
            raise RuntimeError(
                f"the compiler {self.compiler} is missing, which compiles models in Python: install it (Debian: apt "
                "install g++; conda: conda install gxx), or set SPOROS_CXX to another one; model.interpret() needs no compiler"
            )
        with _exclusive(path.with_suffix(".lock")):
            if path.exists():
                return
            _remove_leftovers(path.parent, path.with_suffix(".lock").name)
            folder = Path(tempfile.mkdtemp(prefix=f".{path.stem}-", dir=path.parent))
            try:
                self._compile(folder)
                os.replace(folder / "linked", path)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _compile(self, folder: Path) -> None:
        sources = self._sources()
        for name, text in sources.items():
            (folder / name).write_text(text)
        build = self.how["build"]
        definitions = [
            *self.how["definitions"].split(";"),
            f"SPOROS_SAME_BITS={build['same_bits']}",
            f"SPOROS_NATIVE={build['native']}",
            f'SPOROS_BUILD_TYPE="{build["type"]}"',
            f'SPOROS_KOKKOS_SPACES="{build["spaces"]}"',
        ]
        includes = [f"-isystem{one}" for one in dict.fromkeys(self.how["include"].split(";")) if one != "/usr/include"]
        flags = [
            *self.how["flags"].split(),
            "-fPIC",
            "-fwrapv",
            "-fvisibility=hidden",
            "-fvisibility-inlines-hidden",
            "-w",
        ]
        begin = [self.compiler, *flags, *(f"-D{one}" for one in definitions if one), *includes]
        units = [name for name in sources if name.endswith(".cpp")]
        with Elapsed(f"compiling {self.type} for {self.unit} (once)", 0):
            self._execute(folder, [[*begin, "-c", name, "-o", f"{name}.o"] for name in units])
            objects = [f"{name}.o" for name in units]
            shared = [] if self.is_program else ["-shared"]
            self._execute(folder, [[self.compiler, *shared, *objects, *self.libraries, "-o", "linked"]])

    def _execute(self, folder: Path, commands: Sequence[Sequence[str]]) -> None:
        """Runs commands at a time; ends them all if one fails or the user interrupts."""
        started: list[subprocess.Popen[bytes]] = []
        log = folder / "log"
        try:
            with log.open("ab") as out:
                for command in commands:
                    started.append(
                        subprocess.Popen(command, cwd=folder, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                                         start_new_session=True)  # fmt: skip
                    )
                failed = [one.args for one in started if one.wait() != 0]
        except BaseException:
            for one in started:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(one.pid, signal.SIGKILL)
                one.wait()
            raise
        if failed:
            kept = folder.parent / f"{self.definition.name}-{self.unit}.log"
            kept.write_text(" ".join(failed[0]) + "\n" + log.read_text(errors="replace"))  # type: ignore[arg-type]
            raise RuntimeError(
                f"the model {self.type} does not compile, although its Python source is accepted: this is an error of "
                f"Sporos; report it with the file {kept}, and use model.interpret() meanwhile"
            )


def _record(file: Path) -> Any:
    """Returns a record of the build.

    In an installed package, paths begin with its folder. The shared libraries of a wheel are next to the package, and
    their names have a digest.
    """
    bundled = file.parents[2] / "sporos.libs"
    text = file.read_text().replace("@package@", str(file.parent)).replace("@bundled@", str(bundled))
    return json.loads(re.sub(rf'"{re.escape(str(bundled))}/(\w+)"', lambda name: _only(bundled, name[1]), text))


def _only(folder: Path, name: str) -> str:
    """Returns the path of a bundled library, as a JSON string."""
    return json.dumps(str(next(folder.glob(f"{name}-*"), folder / name)))


def _state(path: str) -> tuple[int, int]:
    try:
        state = os.stat(path)
    except OSError:
        return (0, 0)
    return (state.st_size, state.st_mtime_ns)


@contextlib.contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Holds a lock that ends with the process. The file exists only while a process holds it or waits for it."""
    while True:
        with open(path, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not _is_same(file, path):  # the last holder has removed the file meanwhile
                continue
            try:
                yield
            finally:
                path.unlink()
            return


def _is_same(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _remove_leftovers(cache: Path, own: str) -> None:
    """Removes the folders of compilations that were killed, whose locks nobody holds; `own` is the lock of this one."""
    for folder in cache.glob(".*-*"):
        lock = cache / f"{folder.name[1:].rpartition('-')[0]}.lock"
        with contextlib.suppress(OSError), open(lock, "w") as file:
            if lock.name != own:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            if lock.name != own:
                lock.unlink()
