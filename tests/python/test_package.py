# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package has consistent versions, types and docstrings, and its examples and snippets run."""

import ast
import doctest
import importlib
import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from command_line import SOURCE, json_of, without_times

import sporos
import sporos.optimize

PACKAGE = Path(sporos.__file__).parent
MODULES = [sporos, sporos.optimize] + [
    importlib.import_module(f"sporos.{path.stem}") for path in sorted(PACKAGE.glob("_[a-z]*.py"))
]
MODULES += [importlib.import_module(f"sporos._model.{path.stem}") for path in sorted(PACKAGE.glob("_model/[a-z]*.py"))]


def test_one_version():
    project = (SOURCE / "CMakeLists.txt").read_text()
    assert sporos.__version__ == re.search(r"project\(Sporos VERSION ([\d.]+)", project)[1]
    text = (SOURCE / "pyproject.toml").read_text()
    pattern = re.search(r"regex = '(.*)'", text)[1]
    assert re.search(pattern, project)["value"] == sporos.__version__
    assert f"\nversion: {sporos.__version__}\n" in (SOURCE / "CITATION.cff").read_text()


@pytest.mark.parametrize("module", [sporos, sporos.optimize])
def test_public_names_have_docstrings(module):
    assert module.__doc__
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.ismodule(thing) or not callable(thing):
            continue
        assert inspect.getdoc(thing), name
        if not inspect.isclass(thing):
            continue
        tree = ast.parse(inspect.getsource(thing)).body[0].body
        for field, after in zip(tree, tree[1:] + [None]):
            if isinstance(field, ast.AnnAssign) and not field.target.id.startswith("_"):
                assert isinstance(after, ast.Expr), f"{name}.{field.target.id} has no docstring"
            if isinstance(field, ast.FunctionDef) and not field.name.startswith("_"):
                assert ast.get_docstring(field), f"{name}.{field.name} has no docstring"


def test_own_packages_have_all_modules_that_they_import():
    text = (SOURCE / "cmake" / "SporosAddPrograms.cmake").read_text()
    names = re.search(r"foreach\(file IN ITEMS ([\w\s]+)\)\s+configure_file", text)[1].split()
    texts = [(PACKAGE / f"{name}.py").read_text() for name in names]
    texts.append((SOURCE / "python" / "own_package" / "__init__.py").read_text())
    imported = {name for text in texts for name in re.findall(r"^from \.(\w+) import", text, re.MULTILINE)}
    assert imported - set(names) == set() and "_simulate" in imported


def test_pip_prints_a_hint_after_a_failure(tmp_path):
    backend = tmp_path / "scikit_build_core"
    backend.mkdir()
    (backend / "__init__.py").touch()
    for how, ends in (("raise SystemExit(3)", 3), ("return 'a wheel'", 0)):
        hooks = "".join(f"def {hook}(*arguments): {how}\n" for hook in ("build_wheel", "build_editable"))
        (backend / "build.py").write_text(hooks)
        program = "import sporos_build, sys; print(sporos_build.build_wheel('folder'))"
        paths = f"{SOURCE / 'packaging' / 'pip'}:{tmp_path}"
        done = subprocess.run(
            [sys.executable, "-B", "-c", program], capture_output=True, text=True, env={"PYTHONPATH": paths}, check=False
        )
        assert done.returncode == ends
        assert ("scripts/setup && pip install ." in done.stderr) == (ends != 0)
        assert done.stdout == ("" if ends else "a wheel\n")


def package_command(*words):
    """Runs the command line of the package."""
    done = subprocess.run([sys.executable, "-m", "sporos", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_package_has_the_command_line():
    words = ("simulate", "mm1", "--customers", "10", "--replications", "100")
    status, out, _ = package_command(*words, "--format", "json", "--no-progress")
    assert status == 0 and without_times(json.loads(out)) == json_of(*words)
    status, out, errors = package_command("simulate", "mm1", "--servers", "two")
    assert status == 2 and out == "" and len(errors.splitlines()) == 1 and "--servers" in errors
    status, out, errors = package_command("simulate", "nothing.py")
    assert status == 2 and errors == "sporos: there is no file nothing.py: expected a file with a model\n"
    scripts = re.findall(r'^sporos[a-z-]* = "([a-z_.]+):([a-z_]+)"$', (SOURCE / "pyproject.toml").read_text(), re.MULTILINE)
    assert len(scripts) == 3 and all(callable(getattr(importlib.import_module(name), main)) for name, main in scripts)


def test_wheels_refuse_processors_without_their_instructions():
    wheel, haswell = "-march=x86-64-v3 -O3", "processor: 0\nflags : fpu avx avx2 bmi1 bmi2 f16c fma abm movbe\n"
    assert sporos._backends.missing_instructions(wheel, haswell) == []
    assert sporos._backends.missing_instructions(wheel, haswell.replace(" avx2", "")) == ["avx2"]
    assert sporos._backends.missing_instructions("-O3", "flags : fpu\n") == []
    assert sporos._backends.missing_instructions(wheel, "no such file") == []


FUNCTIONS = [
    thing
    for module in (sporos, sporos.optimize)
    for thing in (getattr(module, name) for name in module.__all__)
    if inspect.isfunction(thing)
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_parameters_have_types_and_meanings(function):
    text = inspect.getdoc(function)
    assert "{" not in text.replace("{'", "")
    for name in inspect.signature(function).parameters:
        assert re.search(rf"^(\w+, )*\**{name}(, \w+)* : \S.*\n    \S", text, re.MULTILINE), name


def test_models_are_documented():
    for model in sporos.models():
        assert f"\n{model.name} : {model.title}\n" in sporos.simulate.__doc__
        for parameter in model.parameters:
            assert f"\n    {parameter.name}: {parameter.meaning}" in sporos.simulate.__doc__


@pytest.mark.parametrize("module", [sporos, sporos.optimize])
def test_no_internals_are_listed(module):
    assert dir(module) == sorted(module.__all__)


@pytest.mark.parametrize(
    "make",
    [
        lambda: sporos.models(),
        lambda: sporos.models()[1].parameters[0],
        lambda: sporos.simulate("mm1", customers=10, replications=1000, outputs=True),
        lambda: sporos.simulate("mm1", customers=10, replications=10, outputs=True).points[0],
        lambda: sporos.simulate("mm1", customers=[10] * 100, replications=10),
        lambda: sporos.simulate("pi", replications=10)["pi"],
        lambda: sporos.fit(range(99), (1, 4)),
        lambda: sporos.optimize("mm1", customers=9, over={"service_rate": (1, 9)}, minimize="service_rate",
                                subject_to="time in queue <= 1", replications=500, final_replications=100),
        lambda: sporos.optimize.classification([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]),
        lambda: sporos.Network(horizon=3),
    ],
)
def test_reprs_are_short(make):
    made = make()
    for thing in made if isinstance(made, list) else [made]:
        assert len(repr(thing)) < 250 and "\n" not in repr(thing) and type(thing).__name__ in repr(thing)


@pytest.mark.parametrize("backend", sporos.backends())
def test_stubs_agree_with_the_module(backend):
    module = importlib.import_module(f"sporos._{backend}")
    stub = ast.parse((PACKAGE / f"_{backend}.pyi").read_text())
    written = {
        function.name: [argument.arg for argument in function.args.args]
        for function in stub.body
        if isinstance(function, ast.FunctionDef)
    }
    if backend not in ("serial", "openmp"):
        del written["add_function"]  # only a host can call Python functions
    found = {
        name: re.findall(r"(\w+): ", thing.__doc__.splitlines()[0].partition("->")[0])
        for name, thing in vars(module).items()
        if callable(thing) and not isinstance(thing, type)
    }
    assert found == written
    for written_class in (node for node in stub.body if isinstance(node, ast.ClassDef)):
        members = {member.name for member in written_class.body if isinstance(member, ast.FunctionDef)}
        inherited = {"__module__", *vars(object)}
        found_members = {
            name
            for name in vars(getattr(module, written_class.name))
            if name not in inherited and "pybind11_" not in name
        }
        assert found_members == members


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_types(tmp_path):
    user = tmp_path / "user.py"
    user.write_text(
        "import sporos\n"
        "width: float = sporos.simulate('pi', replications=10)['pi'].half_width\n"
        "wrong: int = sporos.fit([1.0])\n"
        "@sporos.model\n"
        "class Bakery:\n"
        "    ovens: int = sporos.parameter(2, low=1)\n"
        "    inputs = ('baking',)\n"
        "    responses = ('time',)\n"
        "    def replicate(self, draw: sporos.Draw) -> float:\n"
        "        return draw.exponential('baking') / self.ovens\n"
        "mean: float = sporos.simulate(Bakery(ovens=3), replications=10)['time'].mean\n"
        "Bakery(oven=3)\n"
        "@sporos.model\n"
        "class Typed(sporos.PythonModel):\n"
        "    ovens: int = 2\n"
        "    inputs = ('baking',)\n"
        "    responses = ('time',)\n"
        "    def replicate(self, draw: sporos.Draw) -> float:\n"
        "        return draw.exponential('baking') / self.ovens\n"
        "header: str = Typed.header()\n"
        "first: float = float(Typed(ovens=3).interpret(5)[0, 0])\n"
        "replications: int = Typed().interpret(5)\n"
        "Typed(oven=3)\n"
    )
    words = ["mypy", "--strict"]
    if tuple(map(int, numpy.__version__.split(".")[:2])) < (2, 1):  # newer types of NumPy require a newer Python
        oldest = re.search(r'requires-python = ">=([\d.]+)"', (SOURCE / "pyproject.toml").read_text())[1]
        words += ["--python-version", oldest]
    words += ["--python-executable", sys.executable, "--cache-dir", tmp_path / "cache"]
    done = subprocess.run([*words, PACKAGE, user], capture_output=True, text=True, check=False)
    faults = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(faults) == 4 and 'variable has type "int"' in faults[0] and "user.py:3" in faults[0], done.stdout
    assert 'Unexpected keyword argument "oven" for "Bakery"' in faults[1]
    assert "user.py:22" in faults[2] and 'variable has type "int"' in faults[2]
    assert 'Unexpected keyword argument "oven" for "Typed"' in faults[3]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_of_docstrings(module):
    assert doctest.testmod(module).failed == 0


COMMANDS = {  # the first value is the command's name in the guide's table
    "simulate mm1": ("simulate", sporos.simulate),
    "simulate network": ("simulate", sporos.simulate),
    "optimize mm1": ("optimize MODEL", sporos.optimize.model),
    "optimize portfolio": ("optimize portfolio", sporos.optimize.portfolio),
    "optimize newsvendor": ("newsvendor", sporos.optimize.newsvendor),
    "optimize classification": ("classification", sporos.optimize.classification),
    "select mm1": ("select", sporos.select),
    "fit": ("fit", sporos.fit),
    "sample sobol": ("sample", sporos.sample),
    "compare-solvers": ("compare-solvers", sporos.compare_solvers),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_options_are_keywords_or_named_in_the_guide(command):
    label, function = COMMANDS[command]
    program = Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / "sporos"
    help_text = subprocess.run([str(program), *command.split(), "--help-all"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^ +--([a-z-]+)(?![a-z.-])", help_text, re.MULTILINE))
    assert len(options) > 5
    keywords = {name.replace("_", "-") for name in inspect.signature(function).parameters}
    parameters = {parameter.name.replace("_", "-") for model in sporos.models() for parameter in model.parameters}
    guide = (SOURCE / "docs" / "reference" / "python.md").read_text()
    section = guide.split("## Differences from the command line\n")[1].split("\n## ")[0]
    rows = [row.split("|")[1:3] for row in section.splitlines() if row.startswith("| `")]
    named = [set(re.findall(r"`([^`]+)`", options)) for of, options in rows if f"`{label}`" in of]
    missing = set().union(*named)
    other = {name for of, _ in rows for name in re.findall(r"`([^`]+)`", of)}
    assert options - keywords - parameters - missing - other == set()
    assert missing & keywords == set()


PAGES = {
    "tutorials/from-python.md": 6,
    "tutorials/how-many-servers.md": 3,
    "how-to/networks-in-python.md": 5,
    "reference/python.md": 8,
}  # with the smallest number of blocks
if os.environ.get("SPOROS_LONG_TESTS") == "1":
    PAGES["tutorials/model-in-python.md"] = 6  # compiles a model


@pytest.mark.parametrize("page, min_blocks", PAGES.items())
def test_snippets_of_the_pages(page, min_blocks, monkeypatch, tmp_path):
    """All blocks of a page run in order and share their names. They draw pictures if matplotlib is installed."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    path = SOURCE / "docs" / page
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names = {}
    text = path.read_text()
    for table in re.findall(r"^```text\n(hour,calls\n.*?)^```", text, re.MULTILINE | re.DOTALL):
        (tmp_path / "calls.csv").write_text(table)
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if importlib.util.find_spec("matplotlib") is None:
        blocks = [block for block in blocks if "plot" not in block]
    assert len(blocks) >= min_blocks
    for number, block in enumerate(blocks, 1):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", str(path), 0)
        assert test.examples, block
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0
