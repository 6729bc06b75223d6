// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sporos {

/// A model that provides a Markov chain for events that are too rare to be observed in replications, and names the
/// level of the chain. procedures/rare_events/splitting.hpp specifies the chain.
///
///     static constexpr std::string_view chain_level = "number in system";
///     static constexpr std::string_view chain_cycle = "a busy cycle";       // from the start of the chain to its end
///     BusyCycle chain() const;
///     std::optional<double> exact_reach(double level) const;   // P(the chain reaches it), if known
template <class Model>
concept OffersChain = requires(const Model& model) {
  {std::string_view(Model::chain_level)};
  {std::string_view(Model::chain_cycle)};
  requires std::is_trivially_copyable_v<decltype(model.chain())>;
  { model.exact_reach(1.0) } -> std::same_as<std::optional<double>>;
};

}  // namespace sporos
