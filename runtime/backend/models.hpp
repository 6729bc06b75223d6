// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/integration/pi.hpp>
#include <sporos/models/inventory/newsboy.hpp>
#include <sporos/models/projects/pert.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/models/radiation/lit_slab.hpp>
#include <sporos/models/walks/random_walk.hpp>

#include <tuple>

namespace sporos::runtime {

/// The models, and described cases of models, that the command line offers, in the order in which they are listed. Each
/// has a file in runners/.
using Models = std::tuple<models::Pi, models::MM1, models::MMCK, models::RandomWalk, models::NewsboyCase,
                          models::PertCase, models::LitSlab>;

/// Calls `visit` with std::type_identity of each model's type.
template <class Visit>
void for_each_model(Visit&& visit) {
  [&]<class... Model>(std::type_identity<std::tuple<Model...>>) {
    (visit(std::type_identity<Model>()), ...);
  }(std::type_identity<Models>());
}

}  // namespace sporos::runtime
