// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/mixtures/report.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;
using Numbers = std::vector<double>;

std::string two_decimals(double value) { return std::isfinite(value) ? fmt::format("{:.2f}", value) : ""; }

std::string title_of(const FitReport& report) {
  const auto& [path, column, weight_column, sample, notes] = report.data;
  const MixtureFit& fit = report.fit;
  const auto rows = static_cast<std::int64_t>(sample.values.size());
  std::string text = "normal mixtures of " + plural(rows, "observation", "observations");
  if (!weight_column.empty()) text += fmt::format(" of weight {:.6g}", fit.sample.weight);
  if (!column.empty()) text += fmt::format(" of {}", io::in_quotes(column));
  text += fmt::format(" in {}", path);
  for (const auto& note : notes) text += "\n" + note;
  text += fmt::format("\nmean {:.6g}, deviation {:.6g}, floor of the deviations {:.6g}", fit.sample.mean,
                      fit.sample.deviation, fit.floor);
  if (!report.options.is_bayesian) return text;
  return text + fmt::format(
                    "\nprior of Fraley and Raftery: {:.6g} of an observation at {:.6g} for each mean, {:.6g} "
                    "degrees of freedom and scale {:.6g} / k for each deviation",
                    fit.prior.mean_strength, fit.prior.mean, fit.prior.shape, std::sqrt(fit.prior.squared_scale));
}

std::string plan_of(const FitReport& report) {
  const MixtureFitOptions& options = report.options;
  return fmt::format("{} of EM and {} of Nelder-Mead for each k, seed {}, {} precision{}",
                     plural(options.starts, "start", "starts"), options.nelder_mead_starts, options.seed,
                     name_of(report.precision),
                     options.deviations == MixtureDeviations::equal ? ", equal deviations" : "");
}

// The best end of a method's starts on the side of the floor where the best fit is; NaN if there is none.
double best_of(MixtureMethod method, const MixtureSizeFit& size) {
  double best = std::numeric_limits<double>::quiet_NaN();
  for (const MixtureStartResult& start : size.starts) {
    if (start.method == method && start.is_at_floor == !size.at_floor.empty())
      best = std::fmax(best, start.log_posterior);
  }
  return best;
}

bool do_methods_differ(const MixtureSizeFit& size) {
  const double difference = best_of(MixtureMethod::em, size) - best_of(MixtureMethod::nelder_mead, size);
  return std::isfinite(difference) && std::abs(difference) > size.reach;
}

// What is shown of all sizes.
struct ShownFit {
  explicit ShownFit(const FitReport& report) : log_posterior(report.options.is_bayesian) {
    const auto& sizes = report.fit.sizes;
    methods = std::any_of(sizes.begin(), sizes.end(), do_methods_differ);
    floor = std::any_of(sizes.begin(), sizes.end(), [](const auto& size) { return size.starts_at_floor() > 0; });
  }

  bool log_posterior, methods = false, floor = false;
};

io::Table empty_table(const ShownFit& shown) {
  std::vector<std::pair<std::string, Column>> columns{
      {"k", Column::number}, {"parameters", Column::number}, {"log-likelihood", Column::number}};
  const auto add = [&](const char* name) { columns.emplace_back(name, Column::number); };
  if (shown.log_posterior) add("log-posterior");
  for (const char* name : {"BIC", "AIC", "ICL", "reached", "spread"}) add(name);
  if (shown.methods) add("EM");
  if (shown.methods) add("Nelder-Mead");
  if (shown.floor) add("starts at floor");
  columns.emplace_back("", Column::text);
  return io::Table(std::move(columns));
}

std::vector<std::string> row_of(const MixtureSizeFit& size, const ShownFit& shown, bool is_chosen) {
  std::vector<std::string> row{std::to_string(size.components()), std::to_string(size.parameters()),
                               two_decimals(size.log_likelihood)};
  if (shown.log_posterior) row.push_back(two_decimals(size.log_posterior));
  for (const double value : {size.bic, size.aic, size.icl}) row.push_back(two_decimals(value));
  row.push_back(fmt::format("{} of {}", size.reached, size.starts.size()));
  row.push_back(two_decimals(std::max(size.log_posterior - worst_start(size), 0.0)));
  if (shown.methods) {
    for (const auto& named : ChoiceNames<MixtureMethod>::values) {
      row.push_back(do_methods_differ(size) ? two_decimals(best_of(named.value, size)) : "");
    }
  }
  const auto at_floor = size.starts_at_floor();
  if (shown.floor) row.push_back(at_floor == 0 ? "" : std::to_string(at_floor));
  row.emplace_back(is_chosen ? "chosen" : size.at_floor.empty() ? "" : "at the floor");
  return row;
}

// How many starts used up their evaluations.
std::int64_t unfinished_starts(const MixtureFit& fit) {
  std::int64_t count = 0;
  for (const MixtureSizeFit& size : fit.sizes) {
    count +=
        std::count_if(size.starts.begin(), size.starts.end(), [](const auto& start) { return !start.has_converged; });
  }
  return count;
}

std::string explanation_of(const FitReport& report, const ShownFit& shown) {
  const char* const what = shown.log_posterior ? "log-posterior" : "log-likelihood";
  std::string text =
      fmt::format("reached: starts that ended within {:.6g} of the best {}; spread: how far below it the worst ended\n",
                  MixtureSizeFit::reach, what);
  if (shown.methods) {
    text += fmt::format("EM, Nelder-Mead: the best {} from the starts of each, where these differ\n", what);
  }
  if (shown.floor) {
    text += fmt::format("starts at floor: starts that ended with a component whose deviation is the floor, {:.6g}\n",
                        report.fit.floor);
  }
  for (const std::string& note : floor_notes(report)) text += note + '\n';
  const std::int64_t unfinished = unfinished_starts(report.fit);
  if (!report.fit.is_whole) {
    text += fmt::format("interrupted: {} had not converged\n", plural(unfinished, "start", "starts"));
  } else if (unfinished > 0) {
    text += fmt::format("{} used up all iterations before converging; only the best of each k went on from there\n",
                        plural(unfinished, "start", "starts"));
  }
  return text;
}

std::string sizes_of(const FitReport& report) {
  const ShownFit shown(report);
  io::Table table = empty_table(shown);
  const auto& sizes = report.fit.sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    table.add_row(row_of(sizes[i], shown, sizes.size() > 1 && i == report.fit.chosen));
  }
  return fmt::format("{}\n{}", table.text(), explanation_of(report, shown));
}

// A number of each component with its standard error, where it has one.
std::vector<std::string> with_errors(const MixtureSizeFit& fit, double models::NormalComponent::*number) {
  std::vector<std::string> values, errors;
  for (std::size_t c = 0; c < fit.mixture.size(); ++c) {
    const double value = fit.mixture[c].*number, error = fit.standard_errors[c].*number;
    values.push_back(io::text_to_precision(value, error));
    errors.push_back(error > 0 ? io::text_to_precision(error, error) : "");
  }
  values = lined_up(std::move(values));
  errors = lined_up(std::move(errors));
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (fit.standard_errors[c].*number > 0) values[c] += " ± " + errors[c];
  }
  return values;
}

// Among which sizes the criterion was least, where not among all.
std::string among_of(const MixtureFit& fit) {
  const double least = fit.sizes[fit.chosen].value_of(fit.criterion);
  const bool is_least_of_all = std::all_of(fit.sizes.begin(), fit.sizes.end(), [&](const MixtureSizeFit& size) {
    return !(size.value_of(fit.criterion) < least);
  });
  return is_least_of_all ? "" : " among those without a component at the floor";
}

std::string components_of(const FitReport& report) {
  const MixtureFit& fit = report.fit;
  const MixtureSizeFit& chosen = fit.sizes[fit.chosen];
  const auto weights = with_errors(chosen, &models::NormalComponent::weight);
  const auto means = with_errors(chosen, &models::NormalComponent::mean);
  const auto deviations = with_errors(chosen, &models::NormalComponent::deviation);
  io::Table table({{"component", Column::number},
                   {"weight", Column::text},
                   {"mean", Column::text},
                   {"deviation", Column::text},
                   {"", Column::text}});
  for (std::size_t c = 0; c < chosen.mixture.size(); ++c) {
    table.add_row(
        {std::to_string(c + 1), weights[c], means[c], deviations[c], chosen.is_at_floor(c) ? "at the floor" : ""});
  }
  std::string criterion(name_of(fit.criterion));
  for (char& letter : criterion) letter = static_cast<char>(letter - 'a' + 'A');
  const bool is_choice = fit.sizes.size() > 1;
  const bool has_errors = std::any_of(chosen.standard_errors.begin(), chosen.standard_errors.end(),
                                      [](const auto& component) { return !std::isnan(component.mean); });
  return fmt::format("the fit of {}{}\n\n{}\n{}\n", plural(chosen.components(), "component", "components"),
                     is_choice ? fmt::format(", whose {} is least{}", criterion, among_of(fit)) : "", table.text(),
                     has_errors ? "±: standard error, from the observed information"
                                : "no standard errors: the observed information is singular");
}

// An interval of a number of each component.
std::vector<std::string> intervals(const MixtureBootstrap& bootstrap, double models::NormalComponent::*number) {
  std::vector<std::string> lower, upper;
  for (std::size_t c = 0; c < bootstrap.lower.size(); ++c) {
    const double error = bootstrap.standard_errors[c].*number;
    lower.push_back(io::text_to_precision(bootstrap.lower[c].*number, error));
    upper.push_back(io::text_to_precision(bootstrap.upper[c].*number, error));
  }
  lower = lined_up(std::move(lower));
  upper = lined_up(std::move(upper));
  for (std::size_t c = 0; c < lower.size(); ++c) lower[c] += " to " + upper[c];
  return lower;
}

std::string tests_of(const MixtureBootstrap& bootstrap) {
  io::Table table({{"k", Column::number},
                   {"2 ln ratio to k + 1", Column::number},
                   {fmt::format("{:.3g} % exceed", 100 * bootstrap.options.level), Column::number},
                   {"p-value", Column::number},
                   {"", Column::text}});
  for (const MixtureRatioTest& test : bootstrap.tests) {
    const bool is_enough = bootstrap.enough == test.components;
    table.add_row({std::to_string(test.components), two_decimals(test.statistic), two_decimals(test.critical),
                   fmt::format("{:.3g}", test.p_value), is_enough ? "enough" : ""});
  }
  return table.text();
}

std::string bootstrap_of(const MixtureBootstrap& bootstrap) {
  std::string text =
      fmt::format("bootstrap, {} from each fit\n\n", plural(bootstrap.options.samples, "sample", "samples"));
  if (!bootstrap.tests.empty()) {
    text += tests_of(bootstrap) + "\np-value: how probable so large a ratio is where k components are enough\n\n";
  }
  const auto weights = intervals(bootstrap, &models::NormalComponent::weight);
  const auto means = intervals(bootstrap, &models::NormalComponent::mean);
  const auto deviations = intervals(bootstrap, &models::NormalComponent::deviation);
  io::Table table(
      {{"component", Column::number}, {"weight", Column::text}, {"mean", Column::text}, {"deviation", Column::text}});
  for (std::size_t c = 0; c < weights.size(); ++c) {
    table.add_row({std::to_string(c + 1), weights[c], means[c], deviations[c]});
  }
  return fmt::format("{}{:.3g} % intervals of the fit's numbers\n\n{}\n", text, 100 * bootstrap.options.confidence,
                     table.text());
}

}  // namespace

double worst_start(const MixtureSizeFit& size) {
  const auto worst = std::min_element(size.starts.begin(), size.starts.end(),
                                      [](const auto& a, const auto& b) { return a.log_posterior < b.log_posterior; });
  return worst->log_posterior;
}

std::vector<std::string> floor_notes(const FitReport& report) {
  std::vector<std::int64_t> left_out, at_floor;  // numbers of components
  for (const MixtureSizeFit& size : report.fit.sizes) {
    const auto best_at_floor = size.best_at_floor();
    if (!size.at_floor.empty()) {
      at_floor.push_back(size.components());
    } else if (best_at_floor && *best_at_floor > size.log_posterior) {
      left_out.push_back(size.components());
    }
  }
  const char* const what = report.options.is_bayesian ? "log-posterior" : "log-likelihood";
  std::vector<std::string> notes;
  if (!left_out.empty()) {
    notes.push_back(
        fmt::format("k = {}: starts that ended at the floor have a larger {}, which grows without bound as a deviation "
                    "shrinks onto equal or single observations; the fit shown is the best above the floor",
                    fmt::join(left_out, ", "), what));
  }
  if (!at_floor.empty()) {
    notes.push_back(fmt::format(
        "k = {}: all starts ended at the floor, which alone decides how large the {} is; such a fit is chosen only if "
        "there is no other; {}try a larger --floor or more --starts",
        fmt::join(at_floor, ", "), what,
        report.options.is_bayesian ? "" : "use --bayesian, a prior that keeps deviations away from 0, or "));
  }
  return notes;
}

std::string table_of(const FitReport& report) {
  return fmt::format("{}\n{}\n\n{}\n{}\n{}{} on {}\n", title_of(report), plan_of(report), sizes_of(report),
                     components_of(report), report.bootstrap ? bootstrap_of(*report.bootstrap) : "",
                     duration_text(report.seconds), text_of(report.machine));
}

}  // namespace sporos::runtime
