# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How notebooks show results: `plot` draws every kind of picture, and every table is HTML.

Pictures are drawn with matplotlib if it is installed, and with a stand-in for it everywhere.
"""

import html
import json
import pathlib
import sys
import types
from xml.dom import minidom

import numpy as np
import pytest

import sporos
from sporos._plot import _student_t

GOLDEN = pathlib.Path(__file__).parent / "golden"
NAMES = [path.stem for path in sorted(GOLDEN.glob("*.json"))]
WITHOUT_PICTURES = {"unseen"}  # its estimated probability is 0


def result_of(name):
    return sporos.Result(json.loads((GOLDEN / f"{name}.json").read_text()))


def pictures_of(result):
    return [picture for name in result.tables for picture in result.table(name).pictures if result.table(name).rows()]


class Recorder:
    """Stand-in for axes or a figure, which records the calls."""

    def __init__(self):
        self.calls, self.axes = [], []

    def add_subplot(self, *_):
        self.axes.append(Recorder())
        return self.axes[-1]

    def __getattr__(self, name):
        return lambda *arguments, **options: self.calls.append((name, arguments, options))

    def arguments(self, name):
        return [arguments for called, arguments, _ in self.calls if called == name]


@pytest.fixture
def stand_in(monkeypatch):
    pyplot = types.ModuleType("matplotlib.pyplot")
    pyplot.figure = lambda **_: Recorder()
    pyplot.get_backend = lambda: "agg"
    package = types.ModuleType("matplotlib")
    package.pyplot = pyplot
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)


def test_the_golden_files_have_every_kind():
    schema = json.loads((GOLDEN.parents[2] / "docs" / "result.schema.json").read_text())
    kinds = {picture["kind"] for name in NAMES for picture in pictures_of(result_of(name))}
    assert kinds == set(schema["$defs"]["picture"]["properties"]["kind"]["enum"])


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_PICTURES])
def test_each_picture_has_axes_with_title_and_labels(name, stand_in):
    result = result_of(name)
    pictures = pictures_of(result)
    if not pictures:
        pytest.skip("no pictures")
    figure = result.plot()
    assert [axes.arguments("set_title") for axes in figure.axes] == [[(one["title"],)] for one in pictures]
    for axes, picture in zip(figure.axes, pictures):
        assert axes.arguments("set_xlabel")[0][0]
        assert axes.arguments("legend" if "second_y" in picture else "set_ylabel")
        assert any(axes.arguments(name) for name in ("plot", "errorbar", "bar", "step"))


def test_intervals_reach_from_low_to_high(stand_in):
    table = result_of("strata").table("strata")
    axes = table.plot().axes[0]
    name, (x, y), options = next(call for call in axes.calls if call[0] == "errorbar")
    rows = table["response"] == table.pictures[0]["rows"]["value"]
    np.testing.assert_allclose(x, table["stratum"][rows])
    np.testing.assert_allclose(y, table["mean"][rows])
    np.testing.assert_allclose([y - options["yerr"][0], y + options["yerr"][1]],
                               [table["low"][rows], table["high"][rows]], rtol=1e-12)


def test_intervals_without_ends_are_half_widths(stand_in):
    table = result_of("equilibrium").table("elements")
    _, (_, y), options = next(call for call in table.plot().axes[0].calls if call[0] == "errorbar")
    np.testing.assert_allclose(y, table["temperature"])
    np.testing.assert_allclose(options["yerr"], [table["temperature_error"]] * 2)


def test_a_logarithmic_axis_is_set(stand_in):
    axes = result_of("splitting").table("levels").plot().axes[0]
    assert axes.arguments("set_yscale") == [("log",)]


def test_critical_values_are_students():
    for confidence, degrees, expected in ((0.95, 1, 12.7062), (0.95, 4, 2.77645), (0.99, 30, 2.74999), (0.9, 1000, 1.64638)):
        assert _student_t(confidence, degrees) == pytest.approx(expected, rel=1e-4)


def test_a_notebook_shows_a_figure_once(stand_in, monkeypatch):
    pyplot, closed = sys.modules["matplotlib.pyplot"], []
    pyplot.close = closed.append
    assert result_of("strata").plot() not in closed
    pyplot.get_backend = lambda: "module://matplotlib_inline.backend_inline"
    assert result_of("strata").plot() in closed


def texts_of(cells):
    return [cell.firstChild.data if cell.firstChild else "" for cell in cells]


@pytest.mark.parametrize("name", NAMES)
def test_html_has_every_value_once_or_in_every_row(name):
    result = result_of(name)
    for table in map(result.table, result.tables):
        document = minidom.parseString(f"<div>{table._repr_html_()}</div>")
        titles = texts_of(document.getElementsByTagName("th"))
        rows = [texts_of(row.getElementsByTagName("td")) for row in document.getElementsByTagName("tr")[1:]]
        assert len(rows) == min(60, len(table.rows())) and all(len(row) == len(titles) for row in rows)
        common = table._repr_html_().partition("<p>In all rows: ")[2]
        for place, column in enumerate(table.columns):
            texts = [row[place] for row in table._texts()][:60]
            if (column.title or column.name) in titles and any(texts):
                assert texts in [list(one) for one in zip(*rows)]
            else:
                fact = html.escape(f"{column.title} {texts[0]}" if texts else "")
                assert len(set(texts)) <= 1 and (not any(texts) or fact in common)
    minidom.parseString(f"<div>{result._repr_html_()}</div>")
    assert len(str(result).splitlines()) < 12 + len(result.notes)


def test_html_of_a_design_point():
    points = sporos.simulate("mm1", customers=[20, 30], replications=10).points
    assert "customers 20, " in points[0]._repr_html_() and "customers 30, " in points[1]._repr_html_()


def test_without_a_picture_there_is_an_error(stand_in):
    with pytest.raises(ValueError, match="there is no picture of probabilities"):
        result_of("unseen").table("probabilities").plot()


def test_without_matplotlib_there_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="^plot\\(\\) requires matplotlib, which is not installed: pip install matplotlib$"):
        result_of("strata").plot()


@pytest.mark.parametrize("name", NAMES)
def test_matplotlib_draws_them(name, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    result = result_of(name)
    if not pictures_of(result):
        pytest.skip("no pictures")
    figure = result.plot()
    path = tmp_path / "figure.png"
    figure.savefig(path)
    assert path.stat().st_size > 10_000
    assert len(figure.axes) == len(pictures_of(result))
    sys.modules["matplotlib.pyplot"].close(figure)
