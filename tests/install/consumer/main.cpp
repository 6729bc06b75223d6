// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/log.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/version.hpp>

#include <cstdio>

int main() {
  const auto model = sporos::models::Pi::name;
  std::printf("Sporos %s: ln 2 = %a, model %.*s\n", SPOROS_VERSION, sporos::math::log(2.0),
              static_cast<int>(model.size()), model.data());
}
