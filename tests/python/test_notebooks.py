# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notebooks of the examples run, and their results are those that their text states. Jupyter is not required.

Without SPOROS_LONG_TESTS=1, nothing is compiled: the built-in model with the same bits runs in place of a model in
Python.
"""

import ast
import importlib.util
import json
import linecache
import os
import re
import sys
import types

import pytest
from command_line import SOURCE

import sporos
from sporos._model import ModelName

FOLDER = SOURCE / "examples" / "notebooks"
NOTEBOOKS = {  # expressions after the last cell, and their values
    "first_simulation": {
        "time.low < time.exact < time.high": True,
        "round(time.mean, 3)": 1.989,
        "days.table('histograms').pictures[0]['kind']": "histogram",
        "precise.stopped_by": "precision",
        "int(cost.argmin())": 4,
        "abs(best.table()['service_rate'][0] - 1.5) < 0.1": True,
    },
    "staffing_decision": {
        "constant.table('requirements').rows()[0]['stations.agents.servers']": 12,
        "chosen, sum(agents_with(chosen))": (0.75, 122),
        "round(costs[chosen], -2)": 4200,
        "check.table('requirements')['verdict'][0]": "meets",
    },
    "model_in_python": {
        "bool((result.outputs[:3, 0] == tried[:, 0]).all())": True,
        "round(cost.mean, -1)": 1080,
        "510 < best.table()['objective'][0] < 535": True,  # the optimum is 517.5
        "gain['mean'] - gain['half_width'] > 540": True,
    },
}


def cells_of(name, kind):
    cells = json.loads((FOLDER / name).read_text())["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


class Anything:
    """Stand-in for modules and objects of matplotlib."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *arguments, **options):
        return Anything()


@pytest.fixture
def namespace(monkeypatch):
    """Makes the namespace of a notebook, with stand-ins for matplotlib and for the compiler of models."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    if importlib.util.find_spec("matplotlib") is None:
        for module in ("matplotlib", "matplotlib.pyplot"):
            monkeypatch.setitem(sys.modules, module, types.ModuleType(module))
        monkeypatch.setattr(sys.modules["matplotlib.pyplot"], "__getattr__", lambda name: Anything(), raising=False)
        monkeypatch.setattr(sys.modules["matplotlib"], "pyplot", sys.modules["matplotlib.pyplot"], raising=False)
        monkeypatch.setattr("sporos._result.figure_of", lambda tables, confidence: [one.pictures for one in tables])
    if os.environ.get("SPOROS_LONG_TESTS") != "1":
        monkeypatch.setattr(ModelName, "module", lambda model, question, backend: sporos._backends.native(backend))
    return {"__name__": "__main__"}


def run_cell(label, text, names):
    """Runs a cell, and shows the value of its last expression as a notebook does."""
    linecache.cache[label] = (len(text), None, text.splitlines(keepends=True), label)  # models read their source
    body = ast.parse(text, label).body
    last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), label, "exec"), names)
    value = eval(compile(last, label, "eval"), names) if last else None
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_run(name, namespace):
    cells = cells_of(f"{name}.ipynb", "code")
    shown = [run_cell(f"<{name}, cell {i}>", text, namespace) for i, text in enumerate(cells)]
    assert any("<table>" in text for text in shown)
    assert {text: eval(text, namespace) for text in NOTEBOOKS[name]} == NOTEBOOKS[name]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_are_stored_without_outputs(path):
    assert path.stem in NOTEBOOKS
    text = path.read_text()
    book = json.loads(text)
    assert text == json.dumps(book, indent=1, ensure_ascii=False) + "\n"
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert book["metadata"]["kernelspec"] == {"display_name": "Python 3", "language": "python", "name": "python3"}
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", one) for one in ids)
    for cell in book["cells"]:
        code = {"execution_count": None, "outputs": []} if cell["cell_type"] == "code" else {}
        others = {key: value for key, value in cell.items() if key not in ("cell_type", "id", "metadata", "source")}
        assert others == code and cell["metadata"] == {}
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", "\n".join(cells_of(path.name, "markdown")))
    assert links and all((FOLDER / link).exists() for link in links if "://" not in link)
    if importlib.util.find_spec("nbformat"):
        importlib.import_module("nbformat").validate(book)
