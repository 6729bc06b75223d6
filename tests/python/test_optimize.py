# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import inspect

import numpy as np
import pytest
from command_line import DATA, json_of, table, without_times

import sporos
from sporos.optimize import newsvendor, portfolio

RETURNS, ASSETS = table("returns.csv", skip=1)
BAKERY = dict(
    cost=[1.1, 0.9],
    holding=[0.1, 0.1],
    price=[3.2, 2.8],
    demand=["normal(120, 25)", "normal(150, 30)"],
    capacity=[300, 130],
    amounts=[[1.4, 1.2], [0.55, 0.5]],
)
SHORT = dict(epochs=3, iterations=20, sample_size=50, seed=5, gap_batches=2, gap_batch_size=50)


def words_of(options):
    for name, value in options.items():
        yield f"--{name.replace('_', '-')}={('on' if value else 'off') if isinstance(value, bool) else value}"


def core_of(document):
    """Returns a result without times and without file names."""
    document = without_times(document)
    files = ("returns", "products", "resources", "amounts")
    settings = {name: value for name, value in document["settings"].items() if name not in files}
    return {**document, "title": document["title"].partition(" in ")[0].partition(", risk")[0], "settings": settings}


def weights_of(solution):
    table = solution.table("solution")
    return dict(zip(table[list(table)[0]], table[list(table)[1]]))


@pytest.mark.parametrize(
    "options",
    [
        dict(epochs=20),
        dict(region="budget", limit=2, risk_aversion=4, epochs=10),
        dict(region="box", high=0.3, epochs=10),
        dict(days="drawn", momentum=True, **SHORT),
    ],
)
def test_portfolio_of_days_as_in_the_command_line(options):
    for backend in sporos.backends():
        program = f"sporos-{backend}"
        expected = json_of(
            "optimize", "portfolio", "--returns", DATA / "returns.csv", *words_of(options), program=program
        )
        solution = portfolio(RETURNS, names=ASSETS, **options, backend=backend)
        weights = weights_of(solution)
        assert weights == {name: value for name, value in zip(ASSETS, solution.x.tolist()) if value != 0}
        assert max(weights, key=weights.get) in str(solution) and str(solution).count("\n") <= 8
        assert core_of(solution.to_dict()) == core_of(expected)
        found = {row["asset"]: row["weight"] for row in expected["tables"]["solution"]["rows"]}
        np.testing.assert_array_equal(solution.x, [found.get(name, 0.0) for name in ASSETS])
        epochs = [row["epoch"] for row in expected["tables"]["trajectory"]["rows"]]
        assert solution.table("trajectory")["epoch"].tolist() == epochs


def test_generated_instances_as_in_the_command_line():
    program = f"sporos-{sporos.backends()[-1]}"
    expected = json_of("optimize", "portfolio", "--assets=50", *words_of(SHORT), program=program)
    assert without_times(portfolio(assets=50, **SHORT).to_dict()) == expected
    options = dict(product_count=20, resource_count=2, tightness=0.5, **SHORT)
    expected = json_of("optimize", "newsvendor", *words_of(options), program=program)
    assert without_times(newsvendor(**options).to_dict()) == expected


def test_newsvendor_as_in_the_command_line(tmp_path):
    (tmp_path / "products.csv").write_text(
        'product,cost,holding,price,demand\na,1.1,0.1,3.2,"normal(120, 25)"\nb,0.9,0.1,2.8,"normal(150, 30)"\n'
    )
    (tmp_path / "resources.csv").write_text("resource,capacity\noven,300\nflour,130\n")
    (tmp_path / "amounts.csv").write_text("product,oven,flour\na,1.4,0.55\nb,1.2,0.5\n")
    files = [f"--{name}={tmp_path / name}.csv" for name in ("products", "resources", "amounts")]
    for backend in sporos.backends():
        expected = json_of("optimize", "newsvendor", *files, *words_of(SHORT), program=f"sporos-{backend}")
        solution = newsvendor(**BAKERY, names=["a", "b"], resource_names=["oven", "flour"], **SHORT, backend=backend)
        assert core_of(solution.to_dict()) == core_of(expected)


@pytest.mark.parametrize(
    "spread",
    [
        dict(covariance=np.diag([1.0, 0.25])),
        dict(deviations=[1.0, 0.5]),
        dict(deviations=[0.6, 0.5], loadings=[[0.8, 0.0]]),
    ],
)
def test_best_portfolio_of_normal_returns(spread):
    # Three forms of Σ = diag(1, 1/4). With μ = (0.1, 0.05) and Σw = 1, w₁ = 0.2 + (μ₁ − μ₂) / 1.25 = 0.24 is best.
    def objective(x):
        return 0.5 * (x[0] ** 2 + 0.25 * x[1] ** 2) - 0.1 * x[0] - 0.05 * x[1]

    solution = portfolio(means=[0.1, 0.05], **spread, moments="sampled", seed=3, epochs=60)
    found = solution.findings
    assert found["exact_objective"] == pytest.approx(objective(solution.x), abs=1e-12)
    assert found["exact_objective"] - objective([0.24, 0.76]) < min(0.005, found["independent_gap_high"])
    exact = portfolio(means=[0.1, 0.05], **spread)
    assert exact.findings["objective"] == pytest.approx(objective([0.24, 0.76]), abs=1e-12)
    np.testing.assert_allclose(exact.x, [0.24, 0.76], atol=1e-9)
    assert exact.findings["independent_gap"] is None and exact.findings["gap"] < 1e-9
    with pytest.raises(ValueError, match="sample_size is given, expected it only with .*moments sampled"):
        portfolio(means=[0.1, 0.05], **spread, sample_size=100)


def test_cash_and_correlations():
    # For μ = (0.1, 0.02) and Σ = diag(1, 0), w₁ = μ₁ − μ₂ = 0.08 is best. Returns with a column of cash are the second
    # case.
    exact = portfolio(means=[0.1, 0.02], covariance=[[1.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(exact.x, [0.08, 0.92], atol=1e-9)
    days = np.array([[-0.1, 0.01], [0.2, 0.01], [-0.1, 0.01], [0.2, 0.01]])  # mean 0.05, variance 0.03
    with_cash = portfolio(days, risk_aversion=2)
    np.testing.assert_allclose(with_cash.x, [2 / 3, 1 / 3], atol=1e-4)
    with pytest.raises(ValueError, match="if it is a correlation, multiply it by both standard deviations"):
        portfolio(means=[0.047, 0.05], covariance=[[0.04, 0.3], [0.3, 0.09]])
    noted = portfolio(means=[0.1, 0.2], covariance=[[1.0, 0.3], [0.3, 1.0]])
    assert noted.notes[1:] == (
        "all variances are 1, as in a correlation matrix: "
        "if it is one, multiply each entry by both standard deviations",
    )


def test_observed_demands():
    periods = sporos.sample("random", 200, 2, distribution="gamma(16, 10)")
    solution = newsvendor(**{**BAKERY, "demand": periods}, **SHORT)
    assert solution.x.shape == (2,) and (solution.x > 0).all()


def test_bounds_of_each_weight():
    each = portfolio(RETURNS, low=0.001, high=0.1)
    assert each.x.sum() == pytest.approx(1, abs=1e-12)
    assert each.x.min() >= 0.001 - 1e-12 and each.x.max() <= 0.1 + 1e-12
    bounds = np.tile([0.001, 0.1], (len(ASSETS), 1))
    np.testing.assert_array_equal(portfolio(RETURNS, bounds=bounds).x, each.x)
    bounds[7] = 0.25
    assert portfolio(RETURNS, bounds=bounds).x[7] == pytest.approx(0.25, abs=1e-12)


def test_newsvendor_without_resources_orders_quantiles():
    periods = np.random.default_rng(1).gamma(16, 10, (99, 3))
    solution = newsvendor([1, 1, 2], [0, -0.5, 0], [4, 4, 8], periods)
    critical = [3 / 4, 3 / 3.5, 6 / 8]
    expected = [np.quantile(periods[:, j], critical[j]) for j in range(3)]
    np.testing.assert_allclose(solution.x, expected, rtol=1e-12)
    assert solution.findings["gap"] == 0


def test_start():
    at_optimum = portfolio(RETURNS, epochs=100)
    again = portfolio(RETURNS, epochs=1, start=at_optimum.x)
    assert again.table("trajectory")["objective"][0] == pytest.approx(at_optimum.findings["objective"], abs=1e-12)


def test_a_frame_names_its_assets():
    rows = portfolio(dict(zip(ASSETS, RETURNS.T)), epochs=5).table().rows()
    assert {row["asset"] for row in rows} <= set(ASSETS)
    assert rows == portfolio(RETURNS, names=ASSETS, epochs=5).table().rows()
    with pytest.raises(ValueError, match=r"^column 'day' of returns holds '1 May', expected .*set_index\('day'\)"):
        portfolio({"day": ["1 May", "2 May"], "a": [0.1, -0.1]})
    with pytest.raises(ValueError, match=r"^returns\['a'\]\[1\] is nan, expected a finite number"):
        portfolio({"a": [0.1, float("nan")]})


def test_help_reports_the_defaults():
    def chosen(**arguments):
        options = portfolio(**arguments, time_limit=1).settings
        return [options[name] for name in ("variant", "step_rule", "epochs", "iterations")]

    exact, drawn = chosen(returns=RETURNS), chosen(assets=3, gap_batches=0)
    assert chosen(means=[1, 2], covariance=np.eye(2)) == exact
    assert chosen(returns=RETURNS[:, :3], days="drawn", gap_batches=0) == drawn
    text = " ".join(portfolio.__doc__.split())
    for one, other in zip(exact, drawn):
        assert f"default: {other}; {one} if nothing is sampled" in text


def test_each_option_is_a_keyword_and_a_wrong_one_is_refused():
    assert inspect.signature(portfolio).parameters["gap_batches"].default is None
    assert "gap_batches : int, optional" in portfolio.__doc__ and "tightness : float" in newsvendor.__doc__
    for function, wrong, meant in ((portfolio, "epoch", "epochs"), (newsvendor, "tightnes", "tightness")):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{wrong}'. Did you mean '{meant}'?"):
            function(**{wrong: 3})


class Labelled(np.ndarray):
    """Stand-in for a pandas.Series or DataFrame, with labels along its axes."""

    def __new__(cls, values, index, columns=None):
        array = np.asarray(values, dtype=float).view(cls)
        array.index = index
        if columns is not None:
            array.columns = columns
        return array


MEANS, COVARIANCE = [0.10, 0.20, 0.15], np.array([[1.0, 0.2, 0.1], [0.2, 2.0, -0.3], [0.1, -0.3, 1.5]])


def test_names_of_means_and_covariances_are_aligned():
    plain = portfolio(means=MEANS, covariance=COVARIANCE, risk_aversion=1)
    named = Labelled(COVARIANCE, list("abc"), list("abc"))
    shuffled = Labelled(COVARIANCE[np.ix_([2, 0, 1], [1, 0, 2])], list("cab"), list("bac"))
    for means, covariance in (
        (Labelled(MEANS, list("abc")), shuffled), (Labelled(MEANS, range(3)), named), (MEANS, named),
        (Labelled(MEANS, list("abc")), COVARIANCE),
    ):
        found = portfolio(means=means, covariance=covariance, risk_aversion=1)
        np.testing.assert_array_equal(found.x, plain.x)
        assert weights_of(found) == dict(zip("abc", plain.x))
    renamed = portfolio(means=Labelled(MEANS, list("abc")), covariance=shuffled, names=["u", "v", "w"], risk_aversion=1)
    assert set(weights_of(renamed)) <= {"u", "v", "w"}
    np.testing.assert_array_equal(renamed.x, plain.x)


@pytest.mark.parametrize(
    "index, columns, odd", [("abd", "abc", "c"), ("abc", "abd", "c"), ("aab", "abc", "c"), ("abc", "abcc", "c")]
)
def test_names_that_differ_are_refused(index, columns, odd):
    covariance = Labelled(np.eye(3), list(index), list(columns))
    with pytest.raises(ValueError, match=f"^covariance and the rest differ in the name '{odd}', expected the same names"):
        portfolio(means=Labelled(MEANS, list("abc")), covariance=covariance)
    with pytest.raises(ValueError, match="^means and the rest differ in the name 'a'"):
        portfolio(means=Labelled(MEANS, list("aab")), covariance=COVARIANCE)


@pytest.mark.parametrize("values", [RETURNS.astype(np.float32), np.asfortranarray(RETURNS), RETURNS[:, ::-1][:, ::-1]])
def test_arrays_of_other_types_and_orders_are_converted(values):
    np.testing.assert_allclose(portfolio(values, epochs=5).x, portfolio(RETURNS, epochs=5).x, atol=1e-5)


def test_callback_stops_and_the_trace_ends_there():
    seen = []

    def watch(progress):
        seen.append(progress)
        return len(seen) < 4

    solution = portfolio(RETURNS, gap_tolerance=0, progress=watch)
    assert solution.stopped_by == "interrupted" and len(seen) == 4
    assert seen[-1].figures["gap"] > 0 and "objective" in str(seen[-1])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(), "nothing is given, expected one of returns, means and assets"),
        (dict(returns=RETURNS, assets=3), "returns and assets is given, expected one of"),
        (dict(returns=RETURNS[0]), "returns has the shape .*, expected 2 dimensions"),
        (dict(returns=np.where(RETURNS == RETURNS[3, 2], np.nan, RETURNS)), r"returns\[\d+, \d+\] is nan"),
        (dict(returns=RETURNS[:1]), "number of days is 1, expected at least 2"),
        (dict(returns=np.ones((5, 2))), "asset 'asset 1' holds numbers from 1 to 1, which look like prices, not returns"),
        (dict(returns=RETURNS, names=["a"]), "names has 1 entries, expected one for each"),
        (dict(returns=RETURNS, names=["a"] * len(ASSETS)), "two assets are called 'a'"),
        (dict(returns=RETURNS, sample_size=5), "^sample_size is given, expected it only with days drawn"),
        (dict(returns=RETURNS, region="moon"), "region.*'moon'"),
        (dict(returns=RETURNS, region="k-sparse"), "^nonzeros is not given: expected it with region k-sparse"),
        (dict(returns=RETURNS, region="budget", low=0.1), "^low is given, expected it only with region full-investment"),
        (dict(returns=RETURNS, low=0.125), "^sum of the lower bounds is 25, expected at most the total, 1"),
        (dict(returns=RETURNS, bounds=[(0, 1)]), r"^bounds has the shape \(1, 2\), expected \(200, 2\)"),
        (dict(assets=3, bounds=[(0, 1)] * 3), "^bounds and assets are given"),
        (dict(returns=RETURNS, epochs=-1), "^epochs is '-1'"),
        (dict(returns=RETURNS, start=[1.0]), "start has 1 numbers, expected one for each"),
        (dict(returns=RETURNS, start=np.full(len(ASSETS), 9.0)), "start"),
        (dict(means=[0.1]), "means are given, expected either covariance, or deviations"),
        (dict(means=[0.1], covariance=[[1.0, 2.0]]), r"covariance has the shape \(1, 2\), expected \(1, 1\)"),
        (dict(means=[1, 1], covariance=[[1, 2], [2, 1]]), "covariance in row 2, column 1 .*positive semidefinite"),
        (dict(means=[1, 1], covariance=[[1, 2], [3, 1]]), "covariance in row 2, column 1 .* the other side"),
        (dict(means=[1, 1], deviations=[1, -1]), "deviation of asset 2 is -1"),
        (dict(assets=0), "^assets is '0'"),
        (dict(covariance=[[1.0]], assets=3), "covariance, deviations or loadings are given"),
        (dict(returns=RETURNS, instance_seed=3), "^instance_seed is given, expected it only with assets"),
        (dict(means=[1, 2], deviations=[1, 1], days="all"), "^days is given, expected it only with historical returns"),
    ],
)
def test_bad_portfolios(arguments, message):
    with pytest.raises(ValueError, match=message) as error:
        portfolio(**arguments)
    assert "\n" not in str(error.value) and "--" not in str(error.value)


@pytest.mark.parametrize(
    "changes, message",
    [
        (dict(cost=None), "arguments are missing: expected cost, holding, price and demand"),
        (dict(product_count=3), "cost and product_count are given, expected one of them"),
        (dict(holding=[0.1]), r"holding has the shape \(1,\), expected \(2\)"),
        (dict(demand=["normal(1, 2)", "dice"]), "demand of product 2 is 'dice': "),
        (dict(demand=["normal(1, 2)"]), "number of demands is 1, expected one for each product"),
        (dict(price=[-1, 2]), "holding . price"),
        (dict(amounts=[[1.0, 1.0]]), r"amounts has the shape \(1, 2\), expected \(2, 2\)"),
        (dict(capacity=[-1, 1]), "no quantities meet the capacities"),
        (dict(resource_names=["oven"]), "names has 1 entries, expected one for each of the 2 resources"),
        (dict(tightness=0.5), "^tightness is given, expected it only with product_count"),
        (dict(variant="sideways"), "variant.*'sideways'"),
    ],
)
def test_bad_newsvendors(changes, message):
    with pytest.raises(ValueError, match=message) as error:
        newsvendor(**{**BAKERY, **changes})
    assert "\n" not in str(error.value) and "--" not in str(error.value)
