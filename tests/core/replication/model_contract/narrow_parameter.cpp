// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parameter is written as a std::int64_t or a double, whose values a narrower member cannot hold.
#include <sporos/core/replication/described_model.hpp>

#include <string_view>
#include <tuple>

// expected: a parameter must be a double (or the number type of derivatives), a std::int64_t, or a std::string
struct Narrow {
  static constexpr std::string_view name = "queue", title = "a queue";
  int servers;
  static constexpr auto parameters() {
    return std::tuple{sporos::Parameter<Narrow, int>{"servers", &Narrow::servers, 1, "", "", nullptr}};
  }
};

constexpr auto parameters = Narrow::parameters();
