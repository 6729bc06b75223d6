// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// Bits of replications of the model that all parts share, and of each part's own model.
struct Bits {
  std::uint64_t of_shared_model;
  std::uint64_t of_own_model;
};

#define DECLARE_PART(name)                                             \
  namespace name {                                                     \
  __attribute__((visibility("default"))) Bits bits();                  \
  __attribute__((visibility("default"))) void run_into_too_few_rows(); \
  }

DECLARE_PART(first)
DECLARE_PART(second)
DECLARE_PART(third)
