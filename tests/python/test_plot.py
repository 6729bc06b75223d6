# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`plot` draws every kind of picture, with matplotlib if it is installed, and with a stand-in for it everywhere."""

import json
import pathlib
import sys
import types

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
