# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of the types of NumPy, pandas and SciPy are accepted, and bad input raises ValueError or TypeError."""

import inspect
import math
import shutil
from collections import namedtuple
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import sporos
from sporos._arguments import numbers
from sporos.optimize import classification, minimize, newsvendor, portfolio

SHORT = dict(customers=20, replications=16)


class Series:
    """Stand-in with the interface of a pandas.Series, which is neither a sequence nor an array."""

    def __init__(self, values, names=None):
        self._values = np.asarray(values)
        self.index = range(len(values)) if names is None else names

    def __len__(self):
        return len(self._values)

    def __array__(self, dtype=None, copy=None):
        return self._values if dtype is None else self._values.astype(dtype)

    def items(self):
        return zip(self.index, self._values)


class Frame:
    """Stand-in with the interface of a pandas.DataFrame."""

    def __init__(self, columns):
        self._columns = columns
        self.columns = list(columns)

    def __len__(self):
        return len(self.columns)

    def __getitem__(self, name):
        return Series(self._columns[name])

    def __array__(self, dtype=None, copy=None):
        return np.column_stack(list(self._columns.values()))


class Exporter:
    """Stand-in for an array of another library, which has the interface of DLPack alone."""

    def __init__(self, values, device=(1, 0)):
        self._values, self._device = np.asarray(values), device

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, **options):
        if self._device != (1, 0):
            raise BufferError("this package does not copy from a device")
        return self._values.__dlpack__(**options)


def digests(**arguments):
    return [point.digest for point in sporos.simulate("mm1", **{**SHORT, **arguments}).points]


@pytest.mark.parametrize("number", [20.0, np.float64(20), np.int16(20), np.array(20), np.array(20.0), Fraction(20), 2e1])
def test_whole_numbers_of_every_type(number):
    expected = digests()
    assert digests(customers=number) == expected
    assert digests(replications=16 * np.asarray(number, dtype=float) / 20) == expected
    points = sporos.sample("sobol", number, first=number)
    np.testing.assert_array_equal(points, sporos.sample("sobol", 20, first=20))
    assert sporos.replay(sporos.simulate("pi", replications=number), number)
    assert len(sporos.fit(np.arange(20.0), components=2.0, starts=2.0, seed=number).means) == 2


@pytest.mark.parametrize("rates", [[0.2, 0.5], (0.2, 0.5), np.array([0.2, 0.5]), Series([0.2, 0.5]), "0.2,0.5"])
def test_lists_of_every_type(rates):
    assert digests(arrival_rate=rates) == digests(arrival_rate=[0.2, 0.5])


ROWS = [{"arrival_rate": 0.2, "customers": 10}, {"arrival_rate": 0.5, "customers": 30}]
COLUMNS = {"arrival_rate": [0.2, 0.5], "customers": [10.0, 30.0]}
Row = namedtuple("Row", ["arrival_rate", "customers"])


@pytest.mark.parametrize(
    "design",
    [
        ROWS,
        iter(ROWS),
        COLUMNS,
        {name: np.array(values) for name, values in COLUMNS.items()},
        {name: Series(values) for name, values in COLUMNS.items()},
        Frame(COLUMNS),
        [Row(0.2, 10), Row(0.5, 30.0)],
        [Series([0.2, 10.0], ["arrival_rate", "customers"]), ROWS[1]],
        np.array([(0.2, 10), (0.5, 30)], dtype=[("arrival_rate", float), ("customers", int)]),
        np.array([[0.2, 1, 10, 0], [0.5, 1, 30, 0]]),
    ],
    ids=lambda design: type(design).__name__,
)
def test_designs_of_every_type(design):
    result = sporos.simulate("mm1", design=design, replications=16)
    assert [point.digest for point in result.points] == [
        sporos.simulate("mm1", **row, replications=16).digest for row in ROWS
    ]


def test_arrays_of_other_libraries_are_not_copied():
    memory = np.arange(6.0).reshape(3, 2)
    assert np.shares_memory(numbers("x", Exporter(memory), 3, 2), memory)
    assert np.shares_memory(numbers("x", memory, 3, 2), memory)
    assert not np.shares_memory(numbers("x", memory.astype(np.float32), 3, 2), memory)  # control: converted
    assert digests(arrival_rate=Exporter([0.3, 0.6])) == digests(arrival_rate=[0.3, 0.6])
    design = [[0.3, 1.0, 20, 0], [0.6, 1.0, 20, 0]]
    short = {"replications": 16, "seed": 1}
    found, expected = (sporos.simulate("mm1", design=one, **short) for one in (Exporter(design), np.array(design)))
    assert [point.digest for point in found.points] == [point.digest for point in expected.points]
    features, labels = Exporter([[0.0], [1.0], [2.0], [3.0]]), Exporter([0, 0, 1, 1])
    assert classification(features, labels).predict(Exporter([[0.0], [3.0]])).tolist() == [0, 1]


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda array: numbers("values", array, None), "values"),
        (lambda array: sporos.fit(array, 1), "values"),
        (lambda array: classification(array, [0, 1]), "features"),
        (lambda array: sporos.simulate("mm1", arrival_rate=array), "arrival_rate"),
        (lambda array: sporos.simulate("mm1", design=array), "design"),
        (lambda array: minimize(lambda x: array, [1.0]), "the value that fun returned"),
    ],
)
def test_arrays_on_a_device_are_refused_with_the_remedy(call, name):
    cuda = Exporter([0.5, 0.6], (2, 0))
    for array in (cuda, SimpleNamespace(__cuda_array_interface__={})):
        if array is not cuda and name in ("arrival_rate", "design"):
            continue  # no list
        expected = f"^{name} is an array of .* in the memory of a device, expected one in host memory: copy it, for"
        with pytest.raises(ValueError, match=expected):
            call(array)


def test_arrays_on_a_device_are_copied_where_both_packages_support_it(monkeypatch):
    def from_dlpack(array, *, device, copy):  # as in NumPy 2.1
        assert (device, copy) == ("cpu", True)
        return array._values.copy()

    monkeypatch.setattr(np, "from_dlpack", from_dlpack)
    assert digests(arrival_rate=Exporter([0.5, 0.6], (2, 0))) == digests(arrival_rate=[0.5, 0.6])


def test_a_series_is_one_point():
    row = Series([0.5, 30.0], ["arrival_rate", "customers"])
    assert sporos.simulate("mm1", design=row, replications=16).digest == digests(arrival_rate=0.5, customers=30)[0]


def test_frames_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    expected = digests(design=ROWS, customers=None)
    assert digests(design=frame, customers=None) == expected
    assert digests(design=[row for _, row in frame.iterrows()], customers=None) == expected
    assert digests(design=list(frame.itertuples(index=False)), customers=None) == expected
    assert digests(arrival_rate=frame["arrival_rate"]) == digests(arrival_rate=[0.2, 0.5])
    assert sporos.fit(pandas.Series([1.0, 2.0, 3.0, 4.0]), 1).means == [2.5]
    assert sporos.fit(pandas.Series([1, 2, 3, 4], dtype="Int64"), 1).means == [2.5]
    (skipped,) = sporos.simulate(
        "mm1", customers=10, replications=2, design=pandas.DataFrame({"arrival_rate": [0.2, None]})
    ).table("skipped").rows()
    assert skipped["reason"].startswith("arrival_rate is nan")


def test_generators_are_seeds():
    def seed(of):
        return sporos.simulate("pi", replications=2, seed=of).settings["seed"]

    assert seed(7) == seed(7.0) == seed(np.uint64(7)) == 7
    generator = np.random.default_rng(7)
    first, second = seed(generator), seed(generator)
    assert first != second and first == seed(np.random.default_rng(7))
    sequence = np.random.SeedSequence(7)
    assert seed(sequence) == seed(sequence) == seed([7]) == seed(np.array([7])) != seed(np.random.SeedSequence(8))
    assert seed(np.random.PCG64(7)) == first
    assert seed(np.random.RandomState(7)) == seed(np.random.RandomState(7))
    instance = [portfolio(assets=5, epochs=1, instance_seed=np.random.default_rng(n)).x for n in (1, 1, 2)]
    assert (instance[0] == instance[1]).all() and (instance[0] != instance[2]).any()


class Frozen:
    """Stand-in with the interface of a frozen distribution of scipy.stats."""

    def __init__(self, name, *shapes, loc=0, scale=1):
        self.args, self.kwds = shapes, dict(loc=loc, scale=scale)
        self.dist = SimpleNamespace(name=name, _parse_args=lambda *args, loc, scale: (args, loc, scale))


MAPPED = [
    ("norm", (), dict(loc=3, scale=2), "normal(3, 2)"),
    ("uniform", (), dict(loc=3, scale=2), "uniform(3, 5)"),
    ("triang", (0.25,), dict(loc=1, scale=4), "triangular(1, 2, 5)"),
    ("expon", (), dict(scale=0.5), "exponential(2)"),
    ("gamma", (2.5,), dict(scale=3), "gamma(2.5, 3)"),
    ("erlang", (3,), dict(scale=0.5), "erlang(3, 2)"),
    ("chi2", (5,), {}, "gamma(2.5, 2)"),
    ("weibull_min", (1.5,), dict(scale=2), "weibull(1.5, 2)"),
    ("lognorm", (0.5,), dict(scale=math.e), "lognormal(1, 0.5)"),
    ("randint", (1, 7), dict(loc=2), "uniform-integer(3, 8)"),
    ("poisson", (4.5,), {}, "poisson(4.5)"),
    ("geom", (0.3,), dict(loc=-1), "geometric(0.3)"),
    ("beta", (2, 0.75), {}, "beta(2, 0.75)"),
    ("t", (4.5,), dict(loc=1, scale=2), "student(4.5, 1, 2)"),
    ("pareto", (3.5,), dict(scale=2), "pareto(3.5, 2)"),
    ("fisk", (4,), dict(scale=2), "log-logistic(4, 2)"),
    ("burr12", (3, 1.5), dict(scale=2), "burr(3, 1.5, 2)"),
    ("johnsonsu", (1, 2), dict(loc=-1, scale=0.5), "johnson-su(1, 2, -1, 0.5)"),
    ("johnsonsb", (1, 0.5), dict(loc=-1, scale=3), "johnson-sb(1, 0.5, -1, 3)"),
    ("truncnorm", (-0.5, math.inf), dict(loc=1, scale=2), "truncated-normal(1, 2, 0, inf)"),
    ("binom", (20, 0.3), {}, "binomial(20, 0.3)"),
    ("nbinom", (2.5, 0.4), {}, "negative-binomial(2.5, 0.4)"),
    ("hypergeom", (50, 20, 10), {}, "hypergeometric(50, 20, 10)"),
]


@pytest.mark.parametrize("name, shapes, place, text", MAPPED)
def test_frozen_distributions(name, shapes, place, text):
    variates = sporos.sample("sobol", 512, distribution=Frozen(name, *shapes, **place))
    np.testing.assert_allclose(variates, sporos.sample("sobol", 512, distribution=text), rtol=1e-14)


@pytest.mark.parametrize("name, shapes, place, text", MAPPED)
def test_frozen_distributions_agree_with_scipy(name, shapes, place, text):
    frozen = getattr(pytest.importorskip("scipy.stats"), name)(*shapes, **place)
    falls = name in ("expon", "weibull_min")  # these variates decrease as their uniforms increase
    quantiles = (frozen.isf if falls else frozen.ppf)(sporos.sample("sobol", 512, seed=3))
    rtol = 1e-8 if name == "t" else 1e-9  # the error of SciPy is up to 5e-9 for this distribution
    np.testing.assert_allclose(sporos.sample("sobol", 512, seed=3, distribution=frozen), quantiles, rtol=rtol)


def test_distributions_of_demands():
    products = dict(cost=[1, 1], holding=[0.1, 0.1], price=[3, 3], capacity=[90], amounts=[[1, 1]], epochs=2)
    texts = newsvendor(**products, demand=["normal(30, 5)", "poisson(9)"])
    frozen = newsvendor(**products, demand=[Frozen("norm", loc=30, scale=5), "poisson(9)"])
    np.testing.assert_array_equal(texts.x, frozen.x)
    one, both = (newsvendor(**products, demand=demand) for demand in ("poisson(9)", ["poisson(9)"] * 2))
    np.testing.assert_array_equal(one.x, both.x)


@pytest.mark.parametrize(
    "distribution, kind, message",
    [
        (Frozen("gompertz", 1), ValueError, "distribution is scipy.stats.gompertz, which Sporos does not support"),
        (Frozen("expon", loc=1), ValueError, "scipy.stats.expon with loc 1.0, expected loc 0"),
        (Frozen("beta", 1, 2, scale=3), ValueError, "scipy.stats.beta with scale 3.0, expected scale 1"),
        (Frozen("geom", 0.5), ValueError, "scipy.stats.geom with loc 0.0, expected loc -1"),
        (Frozen("norm", scale=0), ValueError, "scipy.stats.norm with scale 0.0, expected a positive number"),
        (Frozen("norm", scale=np.ones(2)), ValueError, "distribution has arrays as parameters"),
        (Frozen("gamma", -1), ValueError, "shape is -1"),
        ([Frozen("norm"), 3], TypeError, r"distribution\[1\] is 3, expected a string such as"),
        (SimpleNamespace(name="norm"), TypeError, "expected a string such as"),
    ],
)
def test_unsupported_distributions(distribution, kind, message):
    with pytest.raises(kind, match=message):
        sporos.sample("random", 4, 2, distribution=distribution)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: sporos.simulate("pi", replications=10**30), "replications is '1000"),
        (lambda: sporos.simulate("pi", seed=2**64), "seed is '18446744073709551616'"),
        (lambda: sporos.simulate("pi", seed=-1.0), "seed is '-1'"),
        (lambda: sporos.sample("sobol", 4, first=2**63), "first is 9223372036854775808, expected at most 92233720"),
        (lambda: sporos.sample("sobol", 4.5), "points is '4.5', expected a whole number"),
        (lambda: sporos.replay(sporos.simulate("pi", replications=2), 10**30), "replication is 1000"),
    ],
)
def test_invalid_whole_numbers(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# The test passes values of wrong types for every parameter of every function; values that happen to fit do no harm.
CALLS = [
    (sporos.simulate, dict(model="mm1", **SHORT)),
    (sporos.replay, dict(experiment=sporos.simulate("pi", replications=2), replication=0)),
    (sporos.sample, dict(sampling="random", points=2)),
    (sporos.fit, dict(values=np.arange(9.0), components=1, starts=1, nelder_mead_starts=0)),
    (sporos.initialize, {}),
    (sporos.info, {}),
    (portfolio, dict(assets=3, epochs=1, sample_size=2, gap_batches=0)),
    (newsvendor, dict(product_count=3, epochs=1, sample_size=2, gap_batches=0)),
    (classification, dict(features=np.eye(9), labels=[0, 1, 0] * 3, optimizer="lbfgs", iterations=1)),
    (minimize, dict(fun=lambda x: float(x[0] ** 2), x0=[1.0], options={"maxfev": 3})),
]
WRONG = [object(), {}, {"a": 1}, [], [object()], [[1], [1, 2]], b"x", "", "x", -1, 1.5, 1j, np.nan, np.inf, -0.5]
WRONG += [True, set(), np.ones((2, 2, 2)), np.array(["a"]), np.datetime64("2026-11-23"), Series([]), len, range(0)]


@pytest.mark.parametrize("function, valid", CALLS, ids=lambda part: getattr(part, "__name__", ""))
def test_wrong_types_raise_one_sentence(function, valid, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # "x" is the file name of a report
    names = [name for name, parameter in inspect.signature(function).parameters.items() if parameter.kind != 4]
    if shutil.which("gnuplot") is None and "report" in names:
        names.remove("report")
    for name in names + ["arrival_rate", "customers"] * (function is sporos.simulate):
        for value in WRONG:
            try:
                function(**{**valid, name: value})
            except (ValueError, TypeError, MemoryError) as error:
                text = str(error)
                assert text and "\n" not in text and "--" not in text and len(text) <= 500, (name, value, text)
