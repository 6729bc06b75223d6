// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sporos {

/// A model that offers a Markov chain, for events too rare to be seen in replications
/// (procedures/rare_events/splitting.hpp says what a chain has), and says what its level counts:
///
///     static constexpr std::string_view chain_level = "number in system";
///     static constexpr std::string_view chain_cycle = "a busy cycle";       // from its start until it is over
///     BusyCycle chain() const;
///     std::optional<double> exact_reach(double level) const;   // P(the chain reaches it), where theory knows it
template <class Model>
concept OffersChain = requires(const Model& model) {
  {std::string_view(Model::chain_level)};
  {std::string_view(Model::chain_cycle)};
  requires std::is_trivially_copyable_v<decltype(model.chain())>;
  { model.exact_reach(1.0) } -> std::same_as<std::optional<double>>;
};

}  // namespace sporos
