// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sporos {

/// A model that offers a Markov chain whose response after so many steps is asked for, by array-RQMC
/// (procedures/array_rqmc/array_rqmc.hpp says what such a chain has), and says what the response is:
///
///     static constexpr std::string_view array_response = "time in queue";
///     static constexpr std::string_view array_step = "customer";             // what a step brings
///     WaitChain array_chain(std::int64_t steps) const;                      // of so many, where that matters
///     std::optional<double> exact_after(std::int64_t steps) const;          // its mean, where theory knows it
template <class Model>
concept OffersArrayChain = requires(const Model& model) {
  {std::string_view(Model::array_response)};
  {std::string_view(Model::array_step)};
  requires std::is_trivially_copyable_v<decltype(model.array_chain(std::int64_t{1}))>;
  { model.exact_after(std::int64_t{1}) } -> std::same_as<std::optional<double>>;
};

}  // namespace sporos
