// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/inputs.hpp>

#include <cstdlib>
#include <string>

namespace sporos::impl {

void abort_for_input(int input, int input_count) {
  const auto name = name_of_launched.load();
  const std::string message = std::string("Sporos: model ")
                                  .append(name == nullptr ? "without a name" : name())
                                  .append(" draws from input ")
                                  .append(std::to_string(input))
                                  .append(", which it does not have: its input_count is ")
                                  .append(std::to_string(input_count))
                                  .append(input_count > 0 ? ", expected an input from 0 to " : ", expected no draws")
                                  .append(input_count > 0 ? std::to_string(input_count - 1) : "")
                                  .append("\n");
  Kokkos::abort(message.c_str());
  std::abort();
}

}  // namespace sporos::impl
