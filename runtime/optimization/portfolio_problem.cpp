// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/problems_in_memory.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/finance/bounded_portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/models/finance/portfolio_optimum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <variant>

namespace sporos::runtime {

namespace {

using Kind = PortfolioRegionKind;

constexpr double default_of_daily_returns = 10;  // risk aversion: with 1, a single asset is optimal

std::vector<OptionEntry> portfolio_options() {
  const std::string data = "Returns (one of --returns, --prices, --parameters, --covariance, --assets)";
  std::vector<OptionEntry> entries = {
      data_file(
          data, "returns",
          "CSV of historical returns: a column for each asset under its name, a row for each day; the first column may "
          "hold dates"),
      data_file(
          data, "prices",
          "CSV of prices in the same form, the oldest first; a return is a price divided by the one before, minus 1"),
      {data, "missing", "refuse|drop",
       "--returns, --prices: refuse a file in which a value is missing (empty, NA, NaN, null or ?), or drop its day; "
       "default: refuse"},
      {data, "days", "NAME",
       fmt::format("--returns, --prices: use all days in each epoch, or a sample drawn from them: {}; default: all",
                   names_of<models::Days>())},
      data_file(
          data, "parameters",
          "CSV of normal returns: columns asset, mean, deviation, and one for each common factor with the assets' "
          "loadings"),
      data_file(data, "covariance",
                "CSV of normal returns: columns asset, mean, and one for each asset with the covariances"),
      {data, "moments", "NAME",
       fmt::format(
           "--parameters, --covariance, --assets: use the exact means and covariances, which make a quadratic program, "
           "or a sample of returns drawn in each epoch: {}; default: exact, with --assets sampled",
           names_of<models::ReturnMoments>())},
      {data, "assets", "D", "a generated instance with D assets"},
      {data, "instance-seed", "S", "--assets: seed of the instance; default: 1"},
      {"Objective", "risk-aversion", "A",
       fmt::format("cost of variance: the objective is A / 2 times the variance of the portfolio's return, minus its "
                   "mean; default: {} with --returns, else 1",
                   io::shortest_text(default_of_daily_returns))}};
  const auto columns = column_options(data);
  entries.insert(entries.begin() + 2, columns.begin(), columns.end());  // after --prices
  const auto region = portfolio_region_options();
  entries.insert(entries.end(), region.begin(), region.end());
  return entries;
}

// Returns the region's name and the options that apply to it.
std::vector<ResultFact> settings_of(const PortfolioRegion& region) {
  std::vector<ResultFact> settings{{"region", "region", std::string(name_of(region.kind))}};
  if (region.kind != Kind::box) settings.push_back({"limit", "limit", region.limit, ValueKind::number});
  if (region.is_bounded) {
    settings.push_back({"low", "smallest weight", region.low, ValueKind::number});
    settings.push_back({"high", "largest weight", region.high, ValueKind::number});
  }
  if (!region.bounds_file.empty()) settings.push_back({"bounds", "bounds of weights", region.bounds_file});
  if (region.kind == Kind::k_sparse) settings.push_back({"nonzeros", "nonzeros", region.nonzeros, ValueKind::count});
  return settings;
}

std::uint64_t digest_of(const models::NormalReturns& returns) {
  return digest_of_numbers(returns.means) + 3 * digest_of_numbers(returns.deviations) +
         5 * digest_of_numbers(returns.loadings);
}

std::vector<double> means_of(const models::HistoricalReturns& returns) {
  std::vector<double> means(returns.names.size());
  const auto days = static_cast<double>(returns.days());
  for (std::size_t i = 0; i < returns.values.size(); ++i) means[i % means.size()] += returns.values[i] / days;
  return means;
}

class PortfolioProblem final : public OptimizationProblem {
 public:
  // Uses the returns that the options name.
  explicit PortfolioProblem(const OptionTable& options) {
    m_task.region = portfolio_region_from(options);
    check_source(options);
    const bool has_prices = options.has("prices");
    if (has_prices || options.has("returns")) {
      const char* const source = has_prices ? "prices" : "returns";
      const std::string& path = *options.text(source);
      auto file = models::read_returns_file(
          path, {columns_of(options, "ignore"), !options.has("no-header"), drops_missing(options), has_prices});
      m_description.notes = std::move(file.notes);
      m_description.settings = {{source, source, path}};
      use_history(std::move(file.returns), options, fmt::format("{} in {}", has_prices ? " of the prices" : "", path));
    } else if (options.has("parameters")) {
      const std::string& path = *options.text("parameters");
      m_description.settings = {{"parameters", "parameters", path}};
      use_named(models::read_normal_returns(path), options, fmt::format("normal returns in {}", path));
    } else if (options.has("covariance")) {
      const std::string& path = *options.text("covariance");
      m_description.settings = {{"covariance", "covariance", path}};
      use_named(models::read_covariance(path), options, fmt::format("normal returns with the covariance in {}", path));
    } else {
      const auto seed = options.seed("instance-seed", 1);
      m_task.moments = options.choice("moments", models::ReturnMoments::sampled);
      m_description.settings = {{"instance_seed", "seed of the instance", seed, ValueKind::count}};
      use_normal(models::paper_portfolio(options.whole("assets", 0, 1, max_coordinates), seed),
                 fmt::format("generated normal returns, instance {}", seed));
    }
    finish(options);
  }

  // Uses returns that are in memory.
  PortfolioProblem(PortfolioReturns returns, const OptionTable& options, std::optional<WeightBounds> bounds) {
    m_task.region = portfolio_region_from(options);
    if (bounds) use(std::move(*bounds));
    options.refuse_unless(false, "instance-seed", "--assets");
    options.refuse_unless(std::holds_alternative<models::NamedNormalReturns>(returns), "moments", "normal returns");
    if (auto* history = std::get_if<models::HistoricalReturns>(&returns)) {
      history->check();
      models::check_are_returns(*history);
      use_history(std::move(*history), options, "");
    } else {
      auto& named = std::get<models::NamedNormalReturns>(returns);
      named.returns.check();
      options.refuse_unless(false, "days", "historical returns");
      use_named(std::move(named), options, "normal returns");
    }
    finish(options);
  }

  const ProblemDescription& description() const override { return m_description; }

  FrankWolfeOptions default_options() const override;
  std::vector<double> start() const override;

  OptimizationOutcome run(const Backend& backend, const OptimizationRun& run) const override {
    return backend.run(m_task, run);
  }

  Findings findings(const OptimizationOutcome& outcome) const override;

 private:
  static void check_source(const OptionTable& options);
  void use_history(models::HistoricalReturns returns, const OptionTable& options, const std::string& where);
  void use_named(models::NamedNormalReturns named, const OptionTable& options, const std::string& what);
  void use_normal(models::NormalReturns returns, const std::string& what);
  void finish(const OptionTable& options);
  void use(WeightBounds bounds);
  void use_bounds();
  void spread(double risk_aversion);
  bool is_descended() const;
  double size_of_objective() const;
  std::vector<double> descended(std::vector<double> start) const;
  double mean_return(const std::vector<double>& weights) const;
  std::optional<double> optimum() const;

  PortfolioTask m_task;
  double m_risk_aversion = 1;
  ProblemDescription m_description;
};

void PortfolioProblem::check_source(const OptionTable& options) {
  std::vector<std::string> given;
  for (const char* name : {"returns", "prices", "parameters", "covariance", "assets"}) {
    if (options.has(name)) given.push_back(fmt::format("--{}", name));
  }
  const std::string expected = "expected one of --returns, --prices, --parameters, --covariance, --assets";
  if (given.empty()) throw std::invalid_argument("no returns are given: " + expected);
  if (given.size() > 1) {
    throw std::invalid_argument(fmt::format("{} are given, {}", fmt::join(given, " and "), expected));
  }
  for (const char* name : {"days", "ignore", "missing", "no-header"}) {
    options.refuse_unless(options.has("returns") || options.has("prices"), name, "--returns or --prices");
  }
  options.refuse_unless(options.has("assets"), "instance-seed", "--assets");
  options.refuse_unless(!options.has("returns"), "moments", "--parameters, --covariance or --assets");
}

void PortfolioProblem::use_history(models::HistoricalReturns returns, const OptionTable& options,
                                   const std::string& where) {
  const models::Days days = options.choice("days", m_task.days);
  m_task.days = days;
  m_description.names = returns.names;
  m_description.dimension = returns.assets();
  m_description.is_sampled = days == models::Days::drawn;
  m_description.title =
      fmt::format("{}, returns on {}{}{}", plural(returns.assets(), "asset", "assets"),
                  plural(returns.days(), "day", "days"), m_description.is_sampled ? ", drawn," : "", where);
  m_description.settings.push_back({"days", "days", std::string(name_of(days))});
  m_description.settings.push_back({"day_count", "number of days", returns.days(), ValueKind::count});
  m_description.digest = digest_of_numbers(returns.values);
  m_task.returns = std::move(returns);
}

void PortfolioProblem::use_named(models::NamedNormalReturns named, const OptionTable& options,
                                 const std::string& what) {
  m_task.moments = options.choice("moments", models::ReturnMoments::exact);
  m_description.names = std::move(named.names);
  m_description.notes = std::move(named.notes);
  use_normal(std::move(named.returns), what);
}

void PortfolioProblem::use_normal(models::NormalReturns returns, const std::string& what) {
  m_description.dimension = returns.assets();
  m_description.is_sampled = m_task.moments == models::ReturnMoments::sampled;
  m_description.title = fmt::format("{}, {}{}", plural(returns.assets(), "asset", "assets"), what,
                                    m_description.is_sampled ? "" : ", exact moments");
  m_description.settings.push_back({"moments", "moments", std::string(name_of(m_task.moments))});
  m_description.digest = digest_of(returns);
  m_task.returns = std::move(returns);
}

// Sets the parts of the description that do not depend on the source of the returns.
void PortfolioProblem::finish(const OptionTable& options) {
  const bool is_history = std::holds_alternative<models::HistoricalReturns>(m_task.returns);
  spread(options.positive("risk-aversion", is_history ? default_of_daily_returns : 1));
  m_description.name = "portfolio";
  m_description.variable = "asset";
  if (m_task.region.is_bounded && m_task.region.bounds.low.empty()) use_bounds();
  if (is_descended()) {
    m_description.notes.emplace_back(
        "The start is the minimum within the bounds of weights, found by coordinate steps; Frank-Wolfe only bounds its "
        "distance from the smallest objective.");
  }
  m_description.region = text_of(m_task.region);
  m_description.quantity = "weight";
  const auto region = settings_of(m_task.region);
  m_description.settings.insert(m_description.settings.end(), region.begin(), region.end());
}

// Uses these bounds of each weight instead of those that the options name.
void PortfolioProblem::use(WeightBounds bounds) {
  PortfolioRegion& region = m_task.region;
  if (region.kind != Kind::full_investment && region.kind != Kind::box) {
    throw std::invalid_argument("bounds are given, expected them only with the region full-investment or box");
  }
  region.is_bounded = true;
  region.low = *std::min_element(bounds.low.begin(), bounds.low.end());
  region.high = *std::max_element(bounds.high.begin(), bounds.high.end());
  region.bounds = std::move(bounds);
}

void PortfolioProblem::use_bounds() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < static_cast<std::size_t>(m_description.dimension); ++i) {
    names.push_back(m_description.name_of(i));
  }
  auto& [low, high] = m_task.region.bounds = bounds_of(m_task.region, names, m_description.notes);
  if (!m_task.region.bounds_file.empty())
    m_description.digest += 7 * digest_of_numbers(low) + 11 * digest_of_numbers(high);
}

// Scales the returns. Returns with the same means and A times the covariance have the objective A wᵀΣw / 2 − wᵀμ.
void PortfolioProblem::spread(double risk_aversion) {
  m_risk_aversion = risk_aversion;
  m_description.title += fmt::format(", risk aversion {}", io::shortest_text(risk_aversion));
  m_description.settings.push_back({"risk_aversion", "risk aversion", risk_aversion, ValueKind::number});
  if (risk_aversion == 1) return;
  const double factor = std::sqrt(risk_aversion);
  if (auto* normal = std::get_if<models::NormalReturns>(&m_task.returns)) {
    for (auto* numbers : {&normal->deviations, &normal->loadings}) {
      for (double& number : *numbers) number *= factor;
    }
    return;
  }
  auto& history = std::get<models::HistoricalReturns>(m_task.returns);
  const std::vector<double> means = means_of(history);
  for (std::size_t i = 0; i < history.values.size(); ++i) {
    const double mean = means[i % means.size()];
    history.values[i] = mean + factor * (history.values[i] - mean);
  }
}

FrankWolfeOptions PortfolioProblem::default_options() const {
  if (m_description.is_sampled) return default_options_of_samples(m_description.dimension);
  FrankWolfeOptions options = default_options_of_quadratic_program(m_description.dimension);
  const Kind kind = m_task.region.kind;
  const bool is_exact = std::holds_alternative<models::NormalReturns>(m_task.returns);
  const bool has_few_vertices = kind == Kind::budget || (kind == Kind::full_investment && !is_descended()) ||
                                kind == Kind::l1_ball || (kind == Kind::k_sparse && is_exact);
  constexpr std::int64_t max_of_dense = 10'000;  // limit, since a vertex of a bounded region has this many numbers
  const bool is_small = !m_task.region.is_bounded || m_description.dimension <= max_of_dense;
  if (!has_few_vertices || !is_small) options.variant = FrankWolfeVariant::vanilla;
  if (is_exact) options.gap_tolerance *= size_of_objective();
  return options;
}

// Whether the minimum between bounds is found by coordinate steps, because Frank–Wolfe takes very many iterations
// there. Frank–Wolfe then only bounds the distance from the minimum.
bool PortfolioProblem::is_descended() const {
  if (m_description.is_sampled || !m_task.region.is_bounded) return false;
  const auto* const normal = std::get_if<models::NormalReturns>(&m_task.returns);
  constexpr double max_operations = 1e10;  // limit for writing the covariance out
  const auto d = static_cast<double>(m_description.dimension);
  return normal != nullptr && d * d * static_cast<double>(normal->factors() + 1) <= max_operations;
}

// Returns the size of the objective, to which a tolerance can be relative: that of the best single asset or, if
// smaller, that of the largest mean.
double PortfolioProblem::size_of_objective() const {
  const auto& returns = std::get<models::NormalReturns>(m_task.returns);
  const std::size_t d = returns.means.size();
  const double limit = m_task.region.kind == Kind::box ? 1 : m_task.region.limit;
  constexpr double least = 1e-5;  // relative to the largest objective, as rounding is
  double size = std::numeric_limits<double>::max(), largest = 0, largest_mean = 0;
  for (std::size_t j = 0; j < d; ++j) {
    double variance = returns.deviations[j] * returns.deviations[j];
    for (std::size_t i = j; i < returns.loadings.size(); i += d) variance += returns.loadings[i] * returns.loadings[i];
    const double objective = std::abs(returns.means[j]) * limit + 0.5 * variance * limit * limit;
    if (objective > 0) size = std::min(size, objective);
    largest = std::max(largest, objective);
    largest_mean = std::max(largest_mean, std::abs(returns.means[j]) * limit);
  }
  if (largest_mean > 0) size = std::min(size, largest_mean);
  return largest > 0 ? std::max(size, least * largest) : 1;
}

// Returns a vertex, or the centre of a ball. If the minimum is found by coordinate steps, returns that minimum.
std::vector<double> PortfolioProblem::start() const {
  const auto& [kind, limit, is_bounded, low, high, file, nonzeros, bounds] = m_task.region;
  if (!is_bounded) {
    std::vector<double> start(static_cast<std::size_t>(m_description.dimension));
    if (kind == Kind::full_investment) start.front() = limit;
    return start;
  }
  std::vector<double> start = bounds.low;
  if (kind == Kind::box) return is_descended() ? descended(std::move(start)) : start;
  double left = limit - std::accumulate(start.begin(), start.end(), 0.0);
  for (std::size_t i = 0; i < start.size() && left > 0; ++i) {
    const double more = std::min(left, bounds.high[i] - start[i]);
    start[i] += more;
    left -= more;
  }
  constexpr double rounding = 1e-12;
  // If the start is not feasible, the region is empty.
  const bool is_feasible = std::abs(left) <= rounding * std::max(std::abs(limit), 1.0);
  return is_descended() && is_feasible ? descended(std::move(start)) : start;
}

std::vector<double> PortfolioProblem::descended(std::vector<double> start) const {
  const WeightBounds& bounds = m_task.region.bounds;
  const bool has_fixed_sum = m_task.region.kind == Kind::full_investment;
  constexpr double part = 0.1;  // part of the tolerance, as a margin for rounding
  return models::bounded_portfolio(std::get<models::NormalReturns>(m_task.returns),
                                   {bounds.low, bounds.high, has_fixed_sum}, std::move(start),
                                   part * default_options().gap_tolerance);
}

double PortfolioProblem::mean_return(const std::vector<double>& weights) const {
  const auto* normal = std::get_if<models::NormalReturns>(&m_task.returns);
  const std::vector<double> means =
      normal != nullptr ? normal->means : means_of(std::get<models::HistoricalReturns>(m_task.returns));
  return std::inner_product(weights.begin(), weights.end(), means.begin(), 0.0);
}

// Returns the theoretical optimum, which is known for a diagonal covariance.
std::optional<double> PortfolioProblem::optimum() const {
  const auto* normal = std::get_if<models::NormalReturns>(&m_task.returns);
  const Kind kind = m_task.region.kind;
  const bool has_budget = (kind == Kind::budget || kind == Kind::full_investment) && !m_task.region.is_bounded;
  if (normal == nullptr || normal->factors() > 0 || !has_budget || m_task.region.limit != 1) return std::nullopt;
  const auto budget = kind == Kind::budget ? models::BudgetRule::at_most_one : models::BudgetRule::one;
  return models::best_diagonal_portfolio(*normal, budget).value;
}

Findings PortfolioProblem::findings(const OptimizationOutcome& outcome) const {
  Findings findings;
  const double mean = mean_return(outcome.result.solution);
  const double variance = 2 * (outcome.exact_objective + mean) / m_risk_aversion;
  findings.figures = {
      {"mean_return", "mean return", mean, ValueKind::number},
      {"standard_deviation", "standard deviation", std::sqrt(std::max(variance, 0.0)), ValueKind::number}};
  if (m_description.is_sampled) findings.exact_objective = outcome.exact_objective;
  findings.optimum = optimum();
  return findings;
}

std::unique_ptr<OptimizationProblem> make_portfolio(const OptionTable& options) {
  return std::make_unique<PortfolioProblem>(options);
}

}  // namespace

std::unique_ptr<OptimizationProblem> portfolio_problem(PortfolioReturns returns, const OptionTable& options,
                                                       std::optional<WeightBounds> bounds) {
  return std::make_unique<PortfolioProblem>(std::move(returns), options, std::move(bounds));
}

ProblemKind portfolio_kind() {
  return {"portfolio",
          "mean-variance portfolio: minimizes A / 2 times the variance of its return, less the mean",
          "With --days all or --moments exact, nothing is sampled: the problem is a quadratic program, and the duality "
          "gap\nis a bound on the distance of the objective from its minimum.",
          {{default_options_of_samples(1)},
           {default_options_of_quadratic_program(1), "if nothing is sampled",
            "in full-investment without bounds of weights, budget, l1-ball and, with exact moments, k-sparse"}},
          portfolio_options,
          make_portfolio};
}

}  // namespace sporos::runtime
