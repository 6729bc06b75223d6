// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/mixtures/mixtures.hpp>

#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/mixtures/mixture_picture.hpp>
#include <sporos/procedures/mixture_json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

using Row = std::vector<ResultValue>;

const char* target_of(const FitReport& report) {
  return report.options.is_bayesian ? "log-posterior" : "log-likelihood";
}

ResultSubject subject_of(const FitReport& report) {
  const auto& [path, column, weight_column, sample, notes] = report.data;
  std::string title = plural(static_cast<std::int64_t>(sample.values.size()), "observation", "observations");
  if (!column.empty()) title += fmt::format(" of {}", io::in_quotes(column));
  if (!weight_column.empty()) title += fmt::format(", of total weight {:.6g}", report.outcome.fit.sample.weight);
  return {path, title};
}

std::string lead_of(const FitReport& report) {
  const MixtureFitOptions& options = report.options;
  const std::int64_t least = options.min_components, most = options.max_components;
  return fmt::format("Normal mixtures of {}{}, by {} of EM and {} of Nelder-Mead{}, seed {}, {} precision{}{}",
                     least == most ? "" : fmt::format("{} to ", least), plural(most, "component", "components"),
                     plural(options.starts, "start", "starts"), options.nelder_mead_starts,
                     least == most ? "" : " for each number", options.seed, name_of(report.precision),
                     options.deviations == MixtureDeviations::equal ? ", equal deviations" : "",
                     options.is_bayesian ? ", under the prior of Fraley and Raftery" : "");
}

std::vector<ResultFact> settings_of(const FitReport& report) {
  const MixtureFitOptions& options = report.options;
  const auto name_or_none = [](const std::string& name) { return name.empty() ? ResultValue() : ResultValue(name); };
  const std::int64_t least = options.min_components, most = options.max_components;
  io::Json asked = json_of(options);
  asked["components"] = least == most ? fmt::format("{}", most) : fmt::format("{}:{}", least, most);
  std::vector<ResultFact> settings{{"column", "column", name_or_none(report.data.column)},
                                   {"weights", "column of weights", name_or_none(report.data.weight_column)},
                                   {"precision", "precision", std::string(name_of(report.precision))}};
  for (ResultFact& fact : facts_of(asked)) settings.push_back(std::move(fact));
  if (const auto& bootstrap = report.asked_bootstrap) {
    settings.push_back({"bootstrap", "bootstrap samples", bootstrap->samples, ValueKind::count});
    settings.push_back({"confidence", "confidence of intervals", bootstrap->confidence, ValueKind::percentage});
    settings.push_back({"level", "level of tests", bootstrap->level, ValueKind::percentage});
  }
  return settings;
}

std::vector<ResultFact> findings_of(const FitReport& report) {
  const auto& [fit, bootstrap] = report.outcome;
  const models::MixturePrior& prior = fit.prior;
  const auto of_prior = [&](double value) { return report.options.is_bayesian ? ResultValue(value) : ResultValue(); };
  std::vector<ResultFact> findings{
      {"components", "components chosen", fit.sizes[fit.chosen].components(), ValueKind::count},
      data_fact("observations", "total weight of the observations", fit.sample.weight, ValueKind::number),
      {"mean", "mean of the sample", fit.sample.mean, ValueKind::number},
      {"deviation", "deviation of the sample", fit.sample.deviation, ValueKind::number},
      {"floor", "floor of the deviations", fit.floor, ValueKind::number},
      data_fact("prior_concentration", "prior: concentration of the weights", of_prior(prior.concentration),
                ValueKind::number),
      {"prior_mean", "prior: centre of the means", of_prior(prior.mean), ValueKind::number},
      {"prior_mean_strength", "prior: weight of the centre in observations", of_prior(prior.mean_strength),
       ValueKind::number},
      {"prior_shape", "prior: degrees of freedom of a deviation", of_prior(prior.shape), ValueKind::number},
      {"prior_scale", "prior: scale of a deviation, times the number of components",
       of_prior(std::sqrt(prior.squared_scale)), ValueKind::number},
      data_fact("digest", "digest of the data", io::bits_text(digest_of(report.data.sample)))};
  if (bootstrap) {
    findings.push_back({"enough_components", "sufficient number of components by the bootstrap",
                        bootstrap->enough ? ResultValue(*bootstrap->enough) : ResultValue(), ValueKind::count});
  }
  return findings;
}

// Largest log-posterior of a method's starts. If the best fit is at the floor, only starts at the floor count,
// otherwise only the others. NaN if none counts.
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

// Log-posterior of the best fit minus that of the worst start.
double spread_of(const MixtureSizeFit& size) {
  double worst = size.log_posterior;
  for (const MixtureStartResult& start : size.starts) worst = std::min(worst, start.log_posterior);
  return size.log_posterior - worst;
}

ResultColumn criterion_column(std::string id, std::string title, Shown shown = Shown::everywhere,
                              std::string meaning = "") {
  constexpr double resolution = 0.1;  // two decimals
  return {.id = std::move(id),
          .title = std::move(title),
          .shown = shown,
          .resolution = resolution,
          .meaning = std::move(meaning)};
}

std::vector<ResultColumn> columns_of_sizes(const FitReport& report) {
  const auto& sizes = report.outcome.fit.sizes;
  const auto if_any = [&](const auto& is_so) {
    return std::ranges::any_of(sizes, is_so) ? Shown::everywhere : Shown::as_data;
  };
  const Shown of_methods = if_any(do_methods_differ);
  const std::string target = target_of(report), by_method = "largest " + target + " from the starts of ";
  return {{"components", "components", ValueKind::count},
          data_column("parameters", "parameters", ValueKind::count),
          criterion_column("log_likelihood", "log-likelihood"),
          criterion_column("log_posterior", "log-posterior",
                           report.options.is_bayesian ? Shown::everywhere : Shown::as_data),
          criterion_column("bic", "BIC"),
          criterion_column("aic", "AIC"),
          criterion_column("icl", "ICL"),
          data_column("starts", "starts", ValueKind::count),
          {.id = "reached",
           .title = "reached",
           .kind = ValueKind::count,
           .meaning = fmt::format("starts that ended within {:.6g} of the largest {}", MixtureSizeFit::reach, target)},
          criterion_column("spread", "spread", Shown::everywhere,
                           fmt::format("how far below the largest {} the worst start ended", target)),
          criterion_column("em", "EM", of_methods, by_method + "EM"),
          criterion_column("nelder_mead", "Nelder-Mead", of_methods, by_method + "Nelder-Mead"),
          {.id = "starts_at_floor",
           .title = "starts at floor",
           .kind = ValueKind::count,
           .shown = if_any([](const auto& size) { return size.starts_at_floor() > 0; }),
           .meaning = fmt::format("starts that ended with a component whose deviation is the floor, {:.6g}",
                                  report.outcome.fit.floor)},
          data_column("best_at_floor", "best at floor"),
          data_column("components_at_floor", "components at the floor", ValueKind::count),
          data_column("is_chosen", "chosen", ValueKind::boolean),
          {"remark", "remark", ValueKind::text}};
}

ResultTable sizes_table(const FitReport& report) {
  const MixtureFit& fit = report.outcome.fit;
  ResultTable table{"sizes", "Numbers of components", columns_of_sizes(report), {}};
  const auto known = [](double value) { return std::isnan(value) ? ResultValue() : ResultValue(value); };
  for (std::size_t i = 0; i < fit.sizes.size(); ++i) {
    const MixtureSizeFit& size = fit.sizes[i];
    const bool is_chosen = i == fit.chosen;
    ResultValue remark;
    if (is_chosen && fit.sizes.size() > 1) remark = "chosen";
    if (!size.at_floor.empty()) remark = is_chosen ? "chosen, at the floor" : "at the floor";
    table.rows.push_back({size.components(), size.parameters(), size.log_likelihood, size.log_posterior, size.bic,
                          size.aic, known(size.icl), static_cast<std::int64_t>(size.starts.size()), size.reached,
                          spread_of(size), known(best_of(MixtureMethod::em, size)),
                          known(best_of(MixtureMethod::nelder_mead, size)), size.starts_at_floor(),
                          value_of(size.best_at_floor()), static_cast<std::int64_t>(size.at_floor.size()), is_chosen,
                          std::move(remark)});
  }
  if (fit.sizes.size() > 1) table.pictures.push_back({"BIC", PictureKind::curve, "components", "bic"});
  return table;
}

// Adds a column with the id `name` + `ending` for the member `name` of the components.
void add_columns(std::vector<ResultColumn>& columns, const std::string& name, const std::string& ending,
                 const std::string& title, Shown shown = Shown::everywhere) {
  columns.push_back({.id = name + ending, .title = title, .half_width = name + "_standard_error", .shown = shown});
}

constexpr std::array number_names{"weight", "mean", "deviation"};
constexpr std::array component_numbers{&models::NormalComponent::weight, &models::NormalComponent::mean,
                                       &models::NormalComponent::deviation};

ResultValue error_value(double error) { return std::isnan(error) ? ResultValue() : ResultValue(error); }

// Components of the mixtures of all sizes.
ResultTable mixtures_table(const FitReport& report) {
  const MixtureFit& fit = report.outcome.fit;
  const bool is_any_at_floor = !fit.sizes[fit.chosen].at_floor.empty();
  ResultTable table{"mixtures",
                    "Mixtures for each number of components",
                    {{"components", "components", ValueKind::count}, {"component", "component", ValueKind::count}},
                    {},
                    Shown::as_data};
  for (const std::string name : number_names) {
    add_columns(table.columns, name, "", name);
    add_columns(table.columns, name, "_standard_error", "standard error");
  }
  table.columns.push_back({.id = "is_at_floor",
                           .title = "deviation is the floor",
                           .kind = ValueKind::boolean,
                           .shown = is_any_at_floor ? Shown::everywhere : Shown::as_data});
  for (const MixtureSizeFit& size : fit.sizes) {
    for (std::size_t c = 0; c < size.mixture.size(); ++c) {
      Row row{size.components(), static_cast<std::int64_t>(c + 1)};
      for (const auto number : component_numbers) {
        row.emplace_back(size.mixture[c].*number);
        row.push_back(error_value(size.standard_errors[c].*number));
      }
      row.emplace_back(size.is_at_floor(c));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

// Text on the sizes among which the criterion is the smallest; empty if it is the smallest of all.
std::string among_of(const MixtureFit& fit) {
  const double smallest = fit.sizes[fit.chosen].value_of(fit.criterion);
  const bool is_smallest_of_all = std::ranges::none_of(
      fit.sizes, [&](const MixtureSizeFit& size) { return size.value_of(fit.criterion) < smallest; });
  return is_smallest_of_all ? "" : " among those without a component at the floor";
}

std::string choice_text(const MixtureFit& fit) {
  if (fit.sizes.size() == 1) return "";
  std::string criterion(name_of(fit.criterion));
  std::ranges::transform(criterion, criterion.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(", whose {} is the smallest{}", criterion, among_of(fit));
}

// The histogram of the sample, the chosen mixture and its components.
PagePicture drawing_of(const FitReport& report) {
  const MixtureSizeFit& chosen = report.outcome.fit.sizes[report.outcome.fit.chosen];
  std::vector<std::string> words;
  for (const auto& [weight, mean, deviation] : chosen.mixture) {
    words.push_back(fmt::format("weight {:.4g}, mean {:.6g}, deviation {:.4g}", weight, mean, deviation));
  }
  const std::string variable = report.data.column.empty() ? "observation" : report.data.column;
  return {"Histogram of the sample, fitted density (thick) and its components",
          fmt::format("Normal components: {}.", fmt::join(words, "; ")),
          models::mixture_panel(report.data.sample, chosen.mixture, {report.data.path, variable, chosen.bic})};
}

// Rows of the chosen mixture in `mixtures`, without the column for the number of components.
ResultTable mixture_table(const FitReport& report, const ResultTable& mixtures) {
  const MixtureFit& fit = report.outcome.fit;
  const std::int64_t components = fit.sizes[fit.chosen].components();
  ResultTable table{"mixture",
                    fmt::format("The mixture of {}{}", plural(components, "component", "components"), choice_text(fit)),
                    {mixtures.columns.begin() + 1, mixtures.columns.end()},
                    {}};
  for (const Row& row : mixtures.rows) {
    if (row.front() == ResultValue(components)) table.rows.emplace_back(row.begin() + 1, row.end());
  }
  table.drawings.push_back(drawing_of(report));
  return table;
}

ResultTable starts_table(const MixtureFit& fit) {
  ResultTable table{"starts",
                    "Where the starts ended",
                    {{"components", "components", ValueKind::count},
                     {"method", "method", ValueKind::text},
                     {"log_posterior", "log-posterior"},
                     {"evaluations", "evaluations", ValueKind::count},
                     {"has_converged", "converged", ValueKind::boolean},
                     {"is_at_floor", "at the floor", ValueKind::boolean}},
                    {},
                    Shown::as_data};
  for (const MixtureSizeFit& size : fit.sizes) {
    for (const auto& [method, log_posterior, evaluations, has_converged, is_at_floor] : size.starts) {
      table.rows.push_back(
          {size.components(), std::string(name_of(method)), log_posterior, evaluations, has_converged, is_at_floor});
    }
  }
  return table;
}

ResultTable tests_table(const MixtureBootstrap& bootstrap) {
  ResultTable table{"tests",
                    "Bootstrap test for one more component",
                    {{"components", "components", ValueKind::count},
                     criterion_column("statistic", "2 ln ratio", Shown::everywhere,
                                      "2 ln of the likelihood ratio of the fits with and without one more component"),
                     criterion_column("critical", fmt::format("{:.3g} % exceed", 100 * bootstrap.options.level)),
                     {.id = "p_value",
                      .title = "p-value",
                      .meaning = "probability of at least this ratio if this number of components is sufficient"},
                     {"is_enough", "enough", ValueKind::boolean}},
                    {}};
  for (const auto& [components, statistic, critical, p_value] : bootstrap.tests) {
    table.rows.push_back({components, statistic, critical, p_value, bootstrap.enough == components});
  }
  return table;
}

ResultTable intervals_table(const MixtureBootstrap& bootstrap) {
  ResultTable table{"intervals",
                    fmt::format("{:.6g} % bootstrap intervals of the components", 100 * bootstrap.options.confidence),
                    {{"component", "component", ValueKind::count}},
                    {}};
  for (const std::string name : number_names) {
    add_columns(table.columns, name, "_low", name + ": from");
    add_columns(table.columns, name, "_high", "to");
    add_columns(table.columns, name, "_standard_error", "standard error", Shown::as_data);
  }
  for (std::size_t c = 0; c < bootstrap.lower.size(); ++c) {
    Row row{static_cast<std::int64_t>(c + 1)};
    for (const auto number : component_numbers) {
      row.emplace_back(bootstrap.lower[c].*number);
      row.emplace_back(bootstrap.upper[c].*number);
      row.push_back(error_value(bootstrap.standard_errors[c].*number));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Notes on the numbers of components with starts at the floor of the deviations, and on the remedy.
std::vector<std::string> floor_notes(const FitReport& report) {
  std::vector<std::int64_t> left_out, at_floor;  // numbers of components
  for (const MixtureSizeFit& size : report.outcome.fit.sizes) {
    const auto best_at_floor = size.best_at_floor();
    if (!size.at_floor.empty()) {
      at_floor.push_back(size.components());
    } else if (best_at_floor && *best_at_floor > size.log_posterior) {
      left_out.push_back(size.components());
    }
  }
  const char* const target = target_of(report);
  std::vector<std::string> notes;
  if (!left_out.empty()) {
    notes.push_back(fmt::format(
        "{} components: starts that ended at the floor have a larger {}, which grows without bound as a deviation "
        "shrinks to 0 around equal or single observations; the fit shown is the best above the floor",
        fmt::join(left_out, ", "), target));
  }
  if (!at_floor.empty()) {
    notes.push_back(fmt::format(
        "{} components: all starts ended at the floor, which determines the {}; such a fit is chosen only if there is "
        "no other; {}try a larger --floor or more --starts",
        fmt::join(at_floor, ", "), target,
        report.options.is_bayesian ? "" : "use --bayesian, a prior that keeps deviations away from 0, or "));
  }
  return notes;
}

// Number of starts of all sizes, and number of those that converged.
std::pair<std::int64_t, std::int64_t> starts_and_converged(const MixtureFit& fit) {
  std::int64_t starts = 0, converged = 0;
  for (const MixtureSizeFit& size : fit.sizes) {
    starts += static_cast<std::int64_t>(size.starts.size());
    converged += std::ranges::count_if(size.starts, [](const auto& start) { return start.has_converged; });
  }
  return {starts, converged};
}

std::vector<std::string> notes_of(const FitReport& report) {
  const MixtureFit& fit = report.outcome.fit;
  std::vector<std::string> notes = report.data.notes;
  for (std::string& note : floor_notes(report)) notes.push_back(std::move(note));
  const auto [starts, converged] = starts_and_converged(fit);
  if (fit.is_whole && converged < starts) {
    notes.push_back(
        fmt::format("{} reached the iteration limit before converging; only the best of each number of components was "
                    "continued",
                    plural(starts - converged, "start", "starts")));
  }
  const auto& errors = fit.sizes[fit.chosen].standard_errors;
  if (std::ranges::all_of(errors, [](const auto& component) { return std::isnan(component.mean); })) {
    notes.emplace_back("no standard errors: the observed information is singular");
  }
  return notes;
}

std::string early_end_of(const FitReport& report) {
  if (is_whole(report.outcome, report.asked_bootstrap)) return "";
  const auto [starts, converged] = starts_and_converged(report.outcome.fit);
  return early_end_line("interrupted", report.outcome.fit.is_whole
                                           ? "the fit, before the bootstrap was complete"
                                           : fmt::format("{} of {} starts had converged", converged, starts));
}

}  // namespace

std::uint64_t digest_of(const models::Observations& sample) {
  return digest_of_numbers(sample.values) + 3 * digest_of_numbers(sample.weights);
}

bool is_whole(const FitOutcome& outcome, const std::optional<MixtureBootstrapOptions>& asked_bootstrap) {
  return outcome.fit.is_whole && outcome.bootstrap.has_value() == asked_bootstrap.has_value();
}

ResultDocument document_of(const FitReport& report) {
  const auto& [fit, bootstrap] = report.outcome;
  ResultTable mixtures = mixtures_table(report);
  ResultDocument document{
      .question = "fit",
      .subject = subject_of(report),
      .lead = lead_of(report),
      .settings = settings_of(report),
      .tables = {sizes_table(report), mixture_table(report, mixtures), std::move(mixtures), starts_table(fit)},
      .findings = findings_of(report),
      .notes = notes_of(report),
      .stopped_by = is_whole(report.outcome, report.asked_bootstrap) ? "convergence" : "interrupted",
      .early_end = early_end_of(report),
      .confidence = report.asked_bootstrap.value_or(MixtureBootstrapOptions()).confidence,
      .seconds = report.seconds,
      .machine = report.machine};
  if (bootstrap) {
    if (!bootstrap->tests.empty()) document.tables.push_back(tests_table(*bootstrap));
    document.tables.push_back(intervals_table(*bootstrap));
  }
  return document;
}

}  // namespace sporos::runtime
