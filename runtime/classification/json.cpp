// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/report.hpp>
#include <sporos/runtime/classification/task.hpp>
#include <sporos/runtime/files/json_text.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>
#include <sporos/version.hpp>

#include <cmath>
#include <utility>

namespace sporos::runtime {

namespace {

io::Json data_json(const ClassificationReport& report) {
  const auto& [description, training, test, test_labels, test_share, split_seed, means, missing, standardization] =
      report.data;
  return {{"file", description.path},
          {"format", name_of(description.format)},
          {"digest", io::bits_text(description.digest)},
          {"rows", description.rows},
          {"features", description.columns},
          {"classes", description.classes},
          {"test_share", test_share},
          {"split_seed", test_share > 0 ? io::Json(split_seed) : io::Json(nullptr)},
          {"missing", name_of(missing)},
          {"notes", description.notes},
          {"standardized", standardization.has_value()},
          {"storage", name_of(training.storage)},
          {"bytes", report.bytes}};
}

io::Json options_json(const ClassificationReport& report) {
  const bool is_lbfgs = std::holds_alternative<LbfgsOptions>(report.options);
  io::Json options = {{"penalty", report.data.training.model.penalty},
                      {"intercept", report.data.training.model.has_intercept},
                      {"optimizer", is_lbfgs ? "lbfgs" : "sqn"}};
  options.update(std::visit([](const auto& some) { return sporos::json_of(some); }, report.options));
  options.erase("sample_size");  // all rows
  options.erase("evaluation_size");
  if (is_lbfgs) options.erase("seed");
  return options;
}

}  // namespace

io::Json summary_of(const ClassificationReport& report) {
  const auto& last = report.result.trajectory.back();
  const auto& classes = report.data.description.classes;
  return {{"sporos", SPOROS_VERSION},
          {"problem", classification_name},
          {"data", data_json(report)},
          {"options", options_json(report)},
          {"stopped_by", end_of(report.result)},
          {"iterations", report.result.iterations},
          {"objective", io::json_number(last.objective)},
          {"gradient_norm", io::json_number(last.gradient_norm)},
          {"separation", report.separation ? json_of(*report.separation, report.data) : io::Json(nullptr)},
          {"counts", sporos::json_of(report.result.counts)},
          {"training", json_of(report.training, classes)},
          {"test", report.test ? json_of(*report.test, classes) : io::Json(nullptr)}};
}

std::string json_of(const ClassificationReport& report) {
  io::Json json = summary_of(report);
  io::Json trajectory = io::Json::array();
  for (const auto& point : report.result.trajectory) trajectory.push_back(sporos::json_of(point));
  json["trajectory"] = std::move(trajectory);
  json["run"] = {{"seconds", io::json_number(report.seconds)}, {"machine", json_of(report.machine)}};
  return json_text(json);
}

std::string csv_of(const ClassificationReport& report) {
  std::string text;
  io::append_csv_row(text, {"iteration", "objective", "gradient_norm", "step", "pairs_stored", "pairs_damped",
                            "pairs_skipped", "limited_steps", "gradients", "hessian_products", "seconds"});
  for (const auto& [iteration, objective, gradient_norm, step, seconds, counts] : report.result.trajectory) {
    const auto& [pairs, limited_steps, gradients, hessian_products] = counts;
    io::append_csv_row(text, {std::to_string(iteration), io::shortest_text(objective), io::shortest_text(gradient_norm),
                              io::shortest_text(step), std::to_string(pairs.stored), std::to_string(pairs.damped),
                              std::to_string(pairs.skipped), std::to_string(limited_steps), std::to_string(gradients),
                              std::to_string(hessian_products), io::shortest_text(seconds)});
  }
  return text;
}

}  // namespace sporos::runtime
