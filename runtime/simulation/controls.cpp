// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/controls.hpp>

#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace sporos::runtime {

OptionEntry control_variates_entry() {
  return {"Plan", "control-variates", "",
          "reduce the variance of means by control variates, whose means are known; the digest includes them; with 30 "
          "replications of skewed responses, 95 % intervals cover in 91 to 93 %"};
}

void check_controls(const ModelDescription& model, const Plan& plan) {
  if (model.control_names.empty()) {
    const auto with_controls =
        names_of_models([](const ModelDescription& other) { return !other.control_names.empty(); });
    throw std::invalid_argument(fmt::format(
        "--control-variates is given with {}, which has no control variates, expected {}", model.name,
        with_controls.empty() ? "a model that has them" : fmt::format("{}", fmt::join(with_controls, ", "))));
  }
  if (plan.precision.is_set()) {
    throw std::invalid_argument(
        "--control-variates is given with a precision, which applies to plain means: expected --replications");
  }
}

namespace {

// Throws if an option that shows single replications is given: `option` replaces their responses by others.
void refuse_next_to_responses(const std::string& option, const OptionTable& options) {
  for (const OptionEntry& entry : options.entries()) {
    constexpr std::array others{"responses", "quantiles", "probability", "histogram", "density"};
    if (std::ranges::find(others, entry.name) == others.end() || !options.given(entry)) continue;
    throw std::invalid_argument(fmt::format("--{} is given with --{}, expected one of them", option, entry.name));
  }
}

}  // namespace

bool wants_controls(const OptionTable& options, const ModelDescription& model, const Plan& plan) {
  if (!options.has("control-variates")) return false;
  check_controls(model, plan);
  refuse_next_to_responses("control-variates", options);
  return true;
}

OptionEntry conditional_entry() {
  return {"Plan", "conditional", "",
          "conditional Monte Carlo: replace responses by their conditional expectations given part of the draws, as "
          "the model defines them"};
}

bool wants_conditional(const OptionTable& options, const ModelDescription& model) {
  if (!options.has("conditional")) return false;
  if (model.conditional_on.empty()) {
    const auto others = names_of_models([](const ModelDescription& other) { return !other.conditional_on.empty(); });
    throw std::invalid_argument(
        fmt::format("--conditional is given with {}, which has no conditional expectations, expected {}", model.name,
                    others.empty() ? "a model that has them" : fmt::format("{}", fmt::join(others, ", "))));
  }
  if (options.has("control-variates")) {
    throw std::invalid_argument("--conditional is given with --control-variates, expected one of them");
  }
  refuse_next_to_responses("conditional", options);
  return true;
}

std::vector<ControlledPoint> take_controls(std::vector<PointResult>& points, const ModelDescription& model,
                                           std::span<const ParameterValues> design, double confidence,
                                           bool keeps_covariances) {
  std::vector<ControlledPoint> controlled;
  const std::size_t controls = model.control_names.size();
  for (std::size_t p = 0; p < points.size(); ++p) {
    PointResult& point = points[p];
    std::vector<double> known(controls, 0.0);  // known means; those of the inputs' controls are 0
    if (model.known_means != nullptr) std::ranges::copy_backward(model.known_means(design[p]), known.end());
    controlled.push_back(controlled_means(point, known, confidence));
    const std::size_t all = point.responses.size(), responses = all - controls;
    std::vector<double> kept;
    for (std::size_t i = 0; keeps_covariances && i < responses; ++i) {
      for (std::size_t j = 0; j < responses; ++j) kept.push_back(point.covariances[i * all + j]);
    }
    point.covariances = std::move(kept);
    point.responses.resize(responses);
  }
  return controlled;
}

std::vector<std::string> control_notes(std::span<const ControlledPoint> points) {
  std::vector<std::string> notes;
  const std::size_t controls = points.empty() ? 0 : points.front().controls.size();
  for (std::size_t c = 0; c < controls; ++c) {
    std::size_t left_out = 0;
    for (const ControlledPoint& point : points) left_out += !point.controls[c].is_used;
    if (left_out == 0) continue;
    notes.push_back(
        fmt::format("control {} is left out{}: it does not vary, or depends on the other controls",
                    io::in_quotes(points.front().controls[c].name),
                    points.size() > 1 ? fmt::format(" at {} of {} design points", left_out, points.size()) : ""));
  }
  return notes;
}

}  // namespace sporos::runtime
