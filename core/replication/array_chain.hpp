// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sporos {

/// A model that provides a Markov chain for array-RQMC, which estimates the chain's response after a given number of
/// steps, and that names the response. procedures/array_rqmc/array_rqmc.hpp specifies the chain.
///
///     static constexpr std::string_view array_response = "time in queue";
///     static constexpr std::string_view array_step = "customer";             // what a step represents
///     WaitChain array_chain(std::int64_t steps) const;                      // may depend on the number of steps
///     std::optional<double> exact_after(std::int64_t steps) const;          // mean of the response, if known
template <class Model>
concept OffersArrayChain = requires(const Model& model) {
  {std::string_view(Model::array_response)};
  {std::string_view(Model::array_step)};
  requires std::is_trivially_copyable_v<decltype(model.array_chain(std::int64_t{1}))>;
  { model.exact_after(std::int64_t{1}) } -> std::same_as<std::optional<double>>;
};

}  // namespace sporos
