// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace sporos::runtime {

namespace {

void read_row(const models::DenseRows& rows, std::int64_t row, std::span<double> features) {
  const auto first = rows.values.begin() + row * rows.columns;
  std::copy(first, first + rows.columns, features.begin());
}

void read_row(const models::SparseRows& rows, std::int64_t row, std::span<double> features) {
  std::fill_n(features.begin(), rows.columns, 0.0);
  const auto place = static_cast<std::size_t>(row);
  for (auto entry = static_cast<std::size_t>(rows.starts[place]);
       entry < static_cast<std::size_t>(rows.starts[place + 1]); ++entry) {
    features[static_cast<std::size_t>(rows.indices[entry])] = rows.values[entry];
  }
}

// Returns the names of up to five coefficients that grow fastest, and the number of others that grow.
std::string names_of_growing(const ClassSeparation& separation, const ClassificationData& data) {
  constexpr std::size_t most = 5;
  const auto all = growing(separation, data);
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", io::in_quotes(all[i].first));
  }
  return all.size() > most ? fmt::format("{} and {} more", text, all.size() - most) : text;
}

LinearPredictor predictor_of(const ClassificationReport& report) {
  return LinearPredictor::of(report.outcome.result.solution, report.data.description.columns);
}

ResultSubject subject_of(const RowDescription& description) {
  return {description.path, fmt::format("{} of {} in the classes {} and {}", plural(description.rows, "row", "rows"),
                                        plural(description.columns, "feature", "features"),
                                        io::in_quotes(description.classes[0]), io::in_quotes(description.classes[1]))};
}

std::string plan_of(const SqnOptions& options) {
  const bool is_limited = options.limit_steps && options.step_rule != SqnStepRule::line_search;
  const bool has_hessian = options.pair_source == PairSource::hessian_products;
  return fmt::format(
      "stochastic quasi-Newton with {} steps from {:.6g}{}, {} per gradient, {}, a pair every {}, {} stored, seed {}",
      name_of(options.step_rule), options.step, is_limited ? ", limited" : "",
      plural(options.batch_size, "row", "rows"),
      has_hessian ? fmt::format("{} per Hessian", options.hessian_batch_size) : "gradient differences",
      plural(options.pair_interval, "iteration", "iterations"), options.pairs.memory, options.seed);
}

std::string plan_of(const LbfgsOptions& options) {
  return fmt::format("L-BFGS over all rows, {} stored", plural(options.pairs.memory, "pair", "pairs"));
}

std::string lead_of(const ClassificationReport& report) {
  const ClassificationData& data = report.data;
  const models::GeneralizedLinearOptions& model = data.training.model;
  const auto held_back = static_cast<std::int64_t>(data.test_labels.size());
  return fmt::format("Logistic classification with penalty {:.6g} and {} intercept{}, by {}: {}, {}", model.penalty,
                     model.has_intercept ? "an" : "no",
                     data.test_share > 0
                         ? fmt::format(", {} held back by seed {}", plural(held_back, "row", "rows"), data.split_seed)
                         : "",
                     std::visit([](const auto& options) { return plan_of(options); }, report.options),
                     plural(report.outcome.result.iterations, "iteration", "iterations"),
                     end_text(name_of(report.outcome.result.stopped_by)));
}

std::vector<ResultFact> settings_of(const ClassificationReport& report) {
  const ClassificationData& data = report.data;
  const bool is_lbfgs = std::holds_alternative<LbfgsOptions>(report.options);
  std::vector<ResultFact> settings{
      {"first_class", "first class", data.description.classes[0]},
      {"second_class", "second class", data.description.classes[1]},
      {"data_format", "format of the data", std::string(name_of(data.description.format))},
      {"missing", "missing values", std::string(name_of(data.missing))},
      {"test_share", "share of rows held back", data.test_share, ValueKind::percentage},
      {"split_seed", "seed of the choice of these rows",
       data.test_share > 0 ? ResultValue(data.split_seed) : ResultValue(), ValueKind::count},
      {"penalty", "penalty", data.training.model.penalty, ValueKind::number},
      {"intercept", "intercept", data.training.model.has_intercept, ValueKind::boolean},
      {"optimizer", "optimizer", std::string(is_lbfgs ? "lbfgs" : "sqn")}};
  io::Json options = std::visit([](const auto& some) { return sporos::json_of(some); }, report.options);
  options.erase("sample_size");  // all rows
  options.erase("evaluation_size");
  if (is_lbfgs) options.erase("seed");
  for (ResultFact& fact : facts_of(options)) settings.push_back(std::move(fact));
  return settings;
}

// Returns "margins" or "linear program", or a missing value if there is no evidence.
ResultValue evidence_value(SeparationEvidence evidence) {
  if (evidence == SeparationEvidence::nothing) return {};
  return std::string(evidence == SeparationEvidence::margins ? "margins" : "linear program");
}

std::vector<ResultFact> findings_of(const ClassificationReport& report,
                                    const std::optional<ClassSeparation>& separation) {
  const ClassificationData& data = report.data;
  const QuasiNewtonResult& result = report.outcome.result;
  const auto& [pairs, limited_steps, gradients, hessian_products] = result.counts;
  const auto of_sqn = [&](std::int64_t count) {
    return std::holds_alternative<SqnOptions>(report.options) ? ResultValue(count) : ResultValue();
  };
  return {data_fact("iterations", "iterations", result.iterations, ValueKind::count),
          data_fact("objective", "objective", result.trajectory.back().objective, ValueKind::number),
          data_fact("gradient_norm", "norm of the gradient", result.trajectory.back().gradient_norm, ValueKind::number),
          {"pairs_stored", "correction pairs stored", pairs.stored, ValueKind::count},
          {"pairs_damped", "correction pairs damped", pairs.damped, ValueKind::count},
          {"pairs_skipped", "correction pairs skipped", pairs.skipped, ValueKind::count},
          {"limited_steps", "limited steps", of_sqn(limited_steps), ValueKind::count},
          {"gradients", "gradients", gradients, ValueKind::count},
          {"hessian_products", "products with the Hessian", of_sqn(hessian_products), ValueKind::count},
          {"standardized", "standardized features", data.standardization.has_value(), ValueKind::boolean},
          {"storage", "storage of features", std::string(name_of(data.training.storage))},
          {"bytes", "memory of features in bytes", static_cast<std::int64_t>(report.outcome.bytes), ValueKind::count},
          data_fact("separation", "separation of the classes",
                    separation ? ResultValue(std::string(name_of(separation->kind))) : ResultValue()),
          data_fact("separation_checked_by", "checked by",
                    separation ? evidence_value(separation->evidence) : ResultValue()),
          data_fact("digest", "digest of the data", io::bits_text(data.description.digest))};
}

ResultTable trajectory_table(const QuasiNewtonResult& result) {
  ResultTable table{.id = "trajectory",
                    .title = "How it was found",
                    .columns = {{"iteration", "iteration", ValueKind::count},
                                {.id = "objective", .title = "objective", .resolution = 1e-7},
                                {"gradient_norm", "norm of the gradient"},
                                {"step", "step"},
                                data_column("pairs_stored", "pairs stored", ValueKind::count),
                                data_column("pairs_damped", "pairs damped", ValueKind::count),
                                data_column("pairs_skipped", "pairs skipped", ValueKind::count),
                                data_column("limited_steps", "limited steps", ValueKind::count),
                                data_column("gradients", "gradients", ValueKind::count),
                                data_column("hessian_products", "products with the Hessian", ValueKind::count),
                                data_column("seconds", "time", ValueKind::duration)},
                    .rows = {},
                    .pictures = {{"Objective", PictureKind::curve, "iteration", "objective"},
                                 {.title = "Norm of the gradient",
                                  .kind = PictureKind::curve,
                                  .x = "iteration",
                                  .y = "gradient_norm",
                                  .is_logarithmic = true}},
                    .rows_shown = RowsShown::thinned};
  for (const auto& [iteration, objective, gradient_norm, step, seconds, counts] : result.trajectory) {
    const auto& [pairs, limited_steps, gradients, hessian_products] = counts;
    table.rows.push_back({iteration, objective, gradient_norm, step, pairs.stored, pairs.damped, pairs.skipped,
                          limited_steps, gradients, hessian_products, seconds});
  }
  return table;
}

ResultTable scores_table(const ClassificationReport& report, const LinearPredictor& predictor) {
  const ClassificationData& data = report.data;
  std::vector<std::pair<std::string, ClassificationScores>> parts{
      {"learned from", scores_of(predictor.margins(data.training.features), data.training.labels)}};
  if (!data.test_labels.empty()) {
    parts.emplace_back("held back", scores_of(predictor.margins(data.test), data.test_labels));
  }
  return scores_table(parts, data.description.classes);
}

ResultTable separation_table(const ClassSeparation& separation, const ClassificationData& data) {
  ResultTable table{"separation",
                    "Coefficients that grow without bound",
                    {{"coefficient", "coefficient", ValueKind::text}, {"direction", "direction"}},
                    {},
                    Shown::as_data};
  for (const auto& [name, direction] : growing(separation, data)) table.rows.push_back({name, direction});
  return table;
}

}  // namespace

std::vector<std::pair<std::string, double>> growing(ClassSeparation separation, const ClassificationData& data) {
  const RowDescription& description = data.description;
  constexpr double least = 1e-6;  // relative to the largest entry
  std::vector<std::pair<std::string, double>> found;
  const bool has_intercept = static_cast<std::int64_t>(separation.direction.size()) > description.columns;
  if (has_intercept && data.standardization) {
    const auto of_features = LinearPredictor::of(separation.direction, description.columns);
    separation.direction.back() = of_features.before(*data.standardization).intercept;
  }
  for (std::size_t j = 0; j < separation.direction.size(); ++j) {
    if (std::abs(separation.direction[j]) < least) continue;
    const bool is_intercept = static_cast<std::int64_t>(j) == description.columns;
    found.emplace_back(is_intercept                        ? "intercept"
                       : description.feature_names.empty() ? fmt::format("feature {}", j + 1)
                                                           : description.feature_names[j],
                       separation.direction[j]);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  return found;
}

std::optional<ClassSeparation> separation_of(const ClassificationData& data, const LinearPredictor& predictor) {
  const ClassificationTask& task = data.training;
  if (task.model.penalty > 0) return std::nullopt;
  const std::int64_t features = data.description.columns, dimension = features + (task.model.has_intercept ? 1 : 0);
  const auto read = [&](std::int64_t row, std::span<double> numbers) {
    std::visit([&](const auto& rows) { read_row(rows, row, numbers); }, task.features);
    if (dimension > features) numbers[static_cast<std::size_t>(features)] = 1;
  };
  std::vector<double> coefficients = predictor.coefficients;
  if (dimension > features) coefficients.push_back(predictor.intercept);
  return class_separation({dimension, task.labels, read}, coefficients, predictor.margins(task.features));
}

std::string text_of(const ClassSeparation& separation, const ClassificationData& data) {
  constexpr auto consequence =
      "without a penalty there is no minimum: coefficients grow without bound, and those found depend on where the "
      "iteration stopped; give a positive --penalty";
  switch (separation.kind) {
    case SeparationKind::none:
      return "separation: none, by a linear program, so there is a minimum";
    case SeparationKind::quasi:
      return fmt::format(
          "quasi-complete separation: a linear function of {} separates the classes except for rows on its boundary; "
          "{}, or remove such a feature",
          names_of_growing(separation, data), consequence);
    case SeparationKind::complete:
      return fmt::format("complete separation: a linear function of {} separates the classes without an error; {}",
                         names_of_growing(separation, data), consequence);
    default:
      return data.description.columns >= max_separation_coefficients
                 ? fmt::format(
                       "separation: unknown, because there are more than {} coefficients; if the classes can be "
                       "separated, there is no minimum without a penalty",
                       max_separation_coefficients)
                 : "separation: unknown, because the classes are separated or overlap by rounding only; if they can be "
                   "separated, there is no minimum without a penalty";
  }
}

std::optional<std::string> divergence(const QuasiNewtonResult& result,
                                      const std::variant<SqnOptions, LbfgsOptions>& options, std::int64_t first) {
  const auto* const sqn = std::get_if<SqnOptions>(&options);
  const char* const advice = sqn == nullptr     ? "standardized features may help"
                             : sqn->limit_steps ? "a smaller --step may help"
                                                : "--limit-steps on or a smaller --step may help";
  if (result.trajectory.empty() || result.stopped_by == StoppedBy::not_finite) {
    return fmt::format("objective or gradient are not finite after iteration {}, no model is written: {}",
                       result.iterations, advice);
  }
  const auto &from = result.trajectory.front(), &to = result.trajectory.back();
  const bool is_worse = first == 0 ? to.objective > from.objective : is_hopeless(to.objective, from.objective);
  if (!is_worse) return std::nullopt;
  return fmt::format(
      "the objective is {:.3g} after iteration {}, from {:.3g} after iteration {}: it diverges, no model is written: "
      "{}",
      to.objective, to.iteration, from.objective, from.iteration, advice);
}

ResultDocument document_of(const ClassificationReport& report) {
  const LinearPredictor predictor = predictor_of(report);
  const std::optional<ClassSeparation> separation = separation_of(report.data, predictor);
  ResultDocument document{.question = "classify",
                          .subject = subject_of(report.data.description),
                          .lead = lead_of(report),
                          .settings = settings_of(report),
                          .tables = {trajectory_table(report.outcome.result), scores_table(report, predictor)},
                          .findings = findings_of(report, separation),
                          .notes = report.data.description.notes,
                          .stopped_by = std::string(name_of(report.outcome.result.stopped_by)),
                          .seconds = report.seconds,
                          .machine = report.machine};
  if (separation) {
    document.tables.push_back(separation_table(*separation, report.data));
    document.notes.push_back(text_of(*separation, report.data));
  }
  return document;
}

io::Json model_json(const ClassificationReport& report, const ResultDocument& document) {
  const auto& [description, training, test, test_labels, test_share, split_seed, means, missing, standardization] =
      report.data;
  const LinearPredictor found = predictor_of(report);
  const ClassificationModel model{{description.columns, description.feature_names, description.classes,
                                   description.label_name, description.file_columns, means, missing},
                                  standardization ? found.before(*standardization) : found};
  io::Json json = json_of(model, found, standardization), learned = io::parse_json("the report", json_of(document));
  for (const char* name : {"sporos", "seconds", "machine"}) learned.erase(name);
  learned["tables"].erase("trajectory");
  json["learned"] = std::move(learned);
  return json;
}

ResultTable scores_table(const std::vector<std::pair<std::string, ClassificationScores>>& parts,
                         const std::array<std::string, 2>& classes) {
  const auto decimals = [](std::string id, std::string title) {
    constexpr double resolution = 1e-3;  // four decimals
    return ResultColumn{.id = std::move(id), .title = std::move(title), .resolution = resolution};
  };
  ResultTable table{"scores",
                    "How well the classes are predicted",
                    {{"part", "rows", ValueKind::text},
                     {"rows", "count", ValueKind::count},
                     decimals("accuracy", "accuracy"),
                     decimals("area_under_curve", "AUC"),
                     decimals("log_loss", "log-loss")},
                    {}};
  constexpr std::array places{"first", "second"};
  for (std::size_t label = 0; label < 2; ++label) {
    for (std::size_t taken = 0; taken < 2; ++taken) {
      table.columns.push_back({fmt::format("{}_as_{}", places[label], places[taken]),
                               fmt::format("{} as {}", classes[label], classes[taken]), ValueKind::count});
    }
  }
  for (const auto& [name, scores] : parts) {
    const auto& [of_first, of_second] = scores.counted;
    table.rows.push_back({name, scores.rows(), scores.accuracy, scores.area, scores.log_loss, of_first[0], of_first[1],
                          of_second[0], of_second[1]});
  }
  return table;
}

}  // namespace sporos::runtime
