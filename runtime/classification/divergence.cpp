// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/divergence.hpp>

#include <sporos/core/io/format.hpp>

namespace sporos::runtime {

std::optional<std::string> divergence(const QuasiNewtonResult& result,
                                      const std::variant<SqnOptions, LbfgsOptions>& options, std::int64_t first) {
  const auto* const sqn = std::get_if<SqnOptions>(&options);
  const char* const advice = sqn == nullptr     ? "standardized features may help"
                             : sqn->limit_steps ? "a smaller --step may help"
                                                : "--limit-steps on or a smaller --step may help";
  if (result.trajectory.empty() || result.stopped_by == StoppedBy::not_finite) {
    return fmt::format("objective or gradient are not finite beyond iteration {}, no model is written: {}",
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

}  // namespace sporos::runtime
