// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/model.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/json_version.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/classification/losses.hpp>
#include <sporos/models/classification/scores.hpp>
#include <sporos/version.hpp>

#include <cstddef>

namespace sporos::runtime {

namespace {

constexpr auto model_kind = "logistic classification";

std::vector<double> margins_of(const models::DenseRows& rows, const LinearPredictor& predictor) {
  const std::size_t n = predictor.coefficients.size();
  std::vector<double> margins(static_cast<std::size_t>(rows.rows()), predictor.intercept);
  for (std::size_t i = 0; i < rows.values.size(); ++i) margins[i / n] += rows.values[i] * predictor.coefficients[i % n];
  return margins;
}

std::vector<double> margins_of(const models::SparseRows& rows, const LinearPredictor& predictor) {
  std::vector<double> margins(static_cast<std::size_t>(rows.rows()), predictor.intercept);
  rows.for_each([&](std::size_t i, std::size_t j, double value) { margins[i] += value * predictor.coefficients[j]; });
  return margins;
}

std::vector<std::string> texts_of_json(const io::Json& json, const std::string& path, const std::string& name) {
  std::vector<std::string> texts;
  for (const auto& text : io::json_list(json, path, name)) {
    if (!text.is_string()) {
      throw io::JsonError(text, fmt::format("{}: {}[{}] is {}, expected a string", path, name, texts.size(),
                                            io::in_quotes(text.dump())));
    }
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

void check_count(const io::Json& json, const std::string& path, const std::string& name, std::size_t found,
                 std::int64_t expected) {
  if (static_cast<std::int64_t>(found) == expected) return;
  throw io::JsonError(json.at(name), fmt::format("{}: {} has {} entries, expected {}", path, name, found, expected));
}

io::Json json_of(const std::vector<models::FeatureColumn>& columns) {
  if (columns.empty()) return nullptr;
  io::Json list = io::Json::array();
  for (const auto& [name, levels] : columns) {
    list.push_back({{"name", name}, {"levels", levels.empty() ? io::Json(nullptr) : io::Json(levels)}});
  }
  return list;
}

bool has(const io::Json& json, const char* name) { return json.contains(name) && !json[name].is_null(); }

// Reads the members that files of earlier versions do not have.
void read_columns(const io::Json& json, const std::string& path, models::KnownRows& rows) {
  if (has(json, "columns")) {
    std::int64_t features = 0;
    for (const auto& column : io::json_list(json, path, "columns")) {
      const std::string what = fmt::format("{}: columns[{}]", path, rows.file_columns.size());
      models::FeatureColumn read{io::json_member<std::string>(column, what, "name")};
      if (has(column, "levels")) read.levels = texts_of_json(column, what, "levels");
      features += static_cast<std::int64_t>(read.features());
      rows.file_columns.push_back(std::move(read));
    }
    if (features != rows.columns) {
      throw io::JsonError(json.at("columns"),
                          fmt::format("{}: columns make {} features, expected {}", path, features, rows.columns));
    }
  }
  if (has(json, "missing")) {
    rows.missing = io::json_choice<models::MissingValues>(json, path, "missing");
  }
  if (!has(json, "means")) return;
  rows.means = io::json_numbers(json, path, "means");
  check_count(json, path, "means", rows.means.size(), rows.columns);
}

}  // namespace

LinearPredictor LinearPredictor::of(const std::vector<double>& solution, std::int64_t dimension) {
  const auto end = solution.begin() + dimension;
  return {{solution.begin(), end}, end == solution.end() ? 0.0 : *end};
}

LinearPredictor LinearPredictor::before(const models::Standardization& standardization) const {
  std::vector<double> weights = coefficients;
  weights.push_back(intercept);
  return of(standardization.weights_before(std::move(weights)), static_cast<std::int64_t>(coefficients.size()));
}

std::vector<double> LinearPredictor::margins(const FeatureRows& rows) const {
  return std::visit([&](const auto& table) { return margins_of(table, *this); }, rows);
}

std::vector<double> probabilities_of(std::vector<double> margins) {
  for (double& margin : margins) margin = models::LogisticLoss::mean(margin);
  return margins;
}

io::Json json_of(const ClassificationModel& model, const LinearPredictor& standardized,
                 const std::optional<models::Standardization>& standardization) {
  io::Json of_standardized = nullptr;
  if (standardization) {
    of_standardized = {{"means", standardization->means},
                       {"scales", standardization->scales},
                       {"intercept", standardized.intercept},
                       {"coefficients", standardized.coefficients}};
  }
  const auto& [rows, predictor] = model;
  return {{"sporos", SPOROS_VERSION},
          {"kind", model_kind},
          {"classes", rows.classes},
          {"label", rows.label_name.empty() ? io::Json(nullptr) : io::Json(rows.label_name)},
          {"feature_count", rows.columns},
          {"features", rows.feature_names.empty() ? io::Json(nullptr) : io::Json(rows.feature_names)},
          {"columns", json_of(rows.file_columns)},
          {"missing", name_of(rows.missing)},
          {"means", rows.means.empty() ? io::Json(nullptr) : io::Json(rows.means)},
          {"intercept", predictor.intercept},
          {"coefficients", predictor.coefficients},
          {"standardization", std::move(of_standardized)}};
}

ClassificationModel classification_model_of_json(const io::Json& json, const std::string& path) {
  const auto found = io::json_member<std::string>(json, path, "kind");
  io::check_json_version(json, path);
  if (found != model_kind) {
    throw io::JsonError(json.at("kind"), fmt::format("{} is a model of the kind {}, expected {}", path,
                                                     io::in_quotes(found), model_kind));
  }
  ClassificationModel model;
  const auto classes = texts_of_json(json, path, "classes");
  check_count(json, path, "classes", classes.size(), 2);
  model.rows.classes = {classes[0], classes[1]};
  if (!io::json_member<io::Json>(json, path, "label").is_null()) {
    model.rows.label_name = io::json_member<std::string>(json, path, "label");
  }
  model.predictor.coefficients = io::json_numbers(json, path, "coefficients");
  model.predictor.intercept = io::json_member<double>(json, path, "intercept");
  model.rows.columns = io::json_member<std::int64_t>(json, path, "feature_count");
  check_count(json, path, "coefficients", model.predictor.coefficients.size(), model.rows.columns);
  if (!io::json_member<io::Json>(json, path, "features").is_null()) {
    model.rows.feature_names = texts_of_json(json, path, "features");
    check_count(json, path, "features", model.rows.feature_names.size(), model.rows.columns);
  }
  read_columns(json, path, model.rows);
  return model;
}

ClassificationModel read_classification_model(const std::string& path) {
  constexpr std::size_t max_mebibytes = 4096;
  return io::JsonText(path, io::read_text_file(path, max_mebibytes)).read(classification_model_of_json);
}

ClassificationScores scores_of(const std::vector<double>& margins, const std::vector<double>& labels) {
  const std::vector<double> probabilities = probabilities_of(margins);
  ClassificationScores scores{models::accuracy(probabilities, labels),
                              models::area_under_curve(probabilities, labels),
                              models::log_loss_of_margins(margins, labels),
                              {}};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++scores.counted[labels[i] == 1 ? 1 : 0][static_cast<std::size_t>(predicted_label(probabilities[i]))];
  }
  return scores;
}

}  // namespace sporos::runtime
