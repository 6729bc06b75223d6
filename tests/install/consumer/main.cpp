// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/log.hpp>
#include <sporos/version.hpp>
#ifdef WITH_MODELS
#include <sporos/models/integration/pi.hpp>
#endif

#include <cstdio>
#include <string_view>

#if SPOROS_VERSION_NUMBER < 100
#error "SPOROS_VERSION_NUMBER is no version"
#endif

int main() {
#ifdef WITH_MODELS
  const std::string_view model = sporos::models::Pi::name;
#else
  const std::string_view model = "none";
#endif
  std::printf("Sporos %s: ln 2 = %a, model %.*s\n", SPOROS_VERSION, sporos::math::log(2.0),
              static_cast<int>(model.size()), model.data());
}
