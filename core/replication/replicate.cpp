// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/replicate.hpp>

#include <stdexcept>

namespace sporos::impl {

void check_outputs(std::size_t rows, std::size_t columns, std::int64_t min_rows, int responses) {
  if (static_cast<std::int64_t>(rows) >= min_rows && static_cast<int>(columns) == responses) return;
  throw std::invalid_argument("outputs are " + std::to_string(rows) + " x " + std::to_string(columns) + ", expected " +
                              std::to_string(min_rows) + " x " + std::to_string(responses));
}

void refuse_draws(const std::string& model, std::int64_t drawn, std::size_t input, std::int64_t stated,
                  Sampling sampling) {
  throw std::runtime_error("model " + model + " draws " + std::to_string(drawn) + " times from input " +
                           std::to_string(input + 1) + " in a replication, but its input_draws() states " +
                           std::to_string(stated) + ": sampling " + std::string(name_of(sampling)) +
                           " reserves a place for each stated draw, so state the largest number of draws");
}

}  // namespace sporos::impl
