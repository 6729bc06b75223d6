// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bits_of.hpp"
#include "part.hpp"

#include <sporos/models/queues/mm1.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <stdexcept>

namespace {

bool throws_what_is_caught_here(void (*run_into_too_few_rows)()) {
  try {
    run_into_too_few_rows();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::uint64_t expected = bits_of(sporos::models::MM1{0.5, 1.0, 100, 0.0}, 200);
  const Bits a = first::bits(), b = second::bits(), c = third::bits();
  const bool equal = a.of_shared_model == expected && b.of_shared_model == expected && c.of_shared_model == expected;
  const bool own =
      a.of_own_model != b.of_own_model && b.of_own_model != c.of_own_model && c.of_own_model != a.of_own_model;
  const bool caught = throws_what_is_caught_here(first::run_into_too_few_rows) &&
                      throws_what_is_caught_here(second::run_into_too_few_rows) &&
                      throws_what_is_caught_here(third::run_into_too_few_rows);
  std::printf("equal bits: %s, own models: %s, errors caught: %s\n", equal ? "yes" : "no", own ? "yes" : "no",
              caught ? "yes" : "no");
}
