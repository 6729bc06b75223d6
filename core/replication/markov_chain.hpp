// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sporos {

/// Names of the parts of a model's Markov chain.
struct ChainNames {
  std::string_view level;  ///< quantity that defines rare events
  std::string_view cycle;  ///< period from the start of the chain to its end
};

/// A model that provides a Markov chain for events that are too rare to be observed in replications, and names the
/// level of the chain. procedures/rare_events/splitting.hpp specifies the chain.
///
///     static constexpr ChainNames chain_names{"number in system", "a busy cycle"};
///     BusyCycle chain() const;
///     std::optional<double> exact_reach(double level) const;   // P(the chain reaches it), if known
template <class Model>
concept OffersChain = requires(const Model& model) {
  {std::string_view(Model::chain_names.level)};
  {std::string_view(Model::chain_names.cycle)};
  requires std::is_trivially_copyable_v<decltype(model.chain())>;
  { model.exact_reach(1.0) } -> std::same_as<std::optional<double>>;
};

}  // namespace sporos
