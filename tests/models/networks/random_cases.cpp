// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random cases, valid by a grammar or broken in one place: none crashes or hangs, and a broken one gives no number.
#include "network_grammar.hpp"
#include "replicated_network.hpp"

#include <harness/long_tests.hpp>
#include <harness/refusal.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/models/networks/network_files.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sporos::test {
namespace random_cases_tests {

using io::Json;

void expect_run(const models::NetworkDescription& description, std::uint64_t seed) {
  const models::NetworkTables<Kokkos::HostSpace> tables(description);
  const auto network = tables.model();
  const auto responses = network_replication(network, seed, 0);
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const bool is_marked = failure_marked_by(responses[i]).failure != Failure::none;
    EXPECT_TRUE(is_marked || (std::isfinite(responses[i]) && responses[i] >= 0))
        << network.response_name(static_cast<int>(i)) << " is " << responses[i];
    const auto range = network.response_range(static_cast<int>(i));
    EXPECT_TRUE(is_marked || responses[i] <= range.most) << network.response_name(static_cast<int>(i));
  }
  // A period as long as the replication has the values of the replication.
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < responses.size(); ++i) values[network.response_name(static_cast<int>(i))] = responses[i];
  for (const auto& [name, value] : values) {
    const auto place = name.find(" from 0 to " + io::shortest_text(description.horizon));
    if (place == std::string::npos) continue;
    const double whole = values.at(name.substr(0, place));
    EXPECT_TRUE(std::isnan(whole) || std::abs(value - whole) <= 1e-9 * (1 + whole))
        << name << ": " << value << ", " << whole;
  }
  // Servers serve, hold blocked customers, or are idle. Waits exceed the limit, or end with service within the limit,
  // with reneging or with jockeying. Hence each sum is at most 1.
  for (const char* sum : {"utilization at |blocked servers at ", "wait over |served within "}) {
    const std::string names(sum), first = names.substr(0, names.find('|')), second = names.substr(first.size() + 1);
    std::map<std::string, double> sums;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      const std::string name = network.response_name(static_cast<int>(i));
      for (const std::string& part : {first, second}) {
        if (name.rfind(part, 0) == 0) sums[name.substr(part.size())] += responses[i];
      }
    }
    for (const auto& [of, all] : sums) EXPECT_FALSE(all > 1 + 1e-12) << names << of << ": " << all;
  }
}

// Collects pointers to all values in a case.
void collect(Json& json, std::vector<Json*>& values) {
  values.push_back(&json);
  if (json.is_structured()) {
    for (auto& element : json) collect(element, values);
  }
}

int count() { return are_tests_long() ? 100'000 : 1000; }

TEST(RandomNetworks, RunOrAreRefused) {
  int runs = 0;
  for (int i = 0; i < count(); ++i) {
    const std::string text = NetworkGrammar(static_cast<std::uint32_t>(i)).network().dump();
    const std::string said = refusal([&] { expect_run(models::network_case_of_json("case", text), 1); });
    // The grammar can write cycles of stations that block, processor sharing with blocked customers, and choices among
    // stations that block and that lose. It also writes resources that customers never seize, or do not hold where
    // they release them.
    EXPECT_TRUE(said == "none" || said.find(".full is block") != std::string::npos ||
                said.find(".full differs from that of") != std::string::npos ||
                said.find(" is never seized") != std::string::npos ||
                said.find(", which customers do not hold there") != std::string::npos)
        << said << "\n"
        << text;
    runs += said == "none" ? 1 : 0;
  }
  EXPECT_GT(runs, count() / 2);
}

// Inserts an unknown member, or a value of a type that is invalid here, or null.
TEST(RandomNetworks, BrokenOnesGiveNoNumber) {
  for (int i = 0; i < count(); ++i) {
    NetworkGrammar grammar(static_cast<std::uint32_t>(i));
    Json json = grammar.network();
    std::vector<Json*> values;
    collect(json, values);
    Json& broken = *values[static_cast<std::size_t>(grammar.below(static_cast<int>(values.size())))];
    switch (grammar.below(4)) {
      case 0:
        broken = nullptr;
        break;
      case 1:
        broken = broken == true ? Json("true") : Json(true);
        break;
      case 2:
        broken = "?";
        break;
      default:
        if (broken.is_object()) {
          broken["?"] = 1;
        } else {
          broken = Json::array({Json::array()});
        }
    }
    const std::string text = json.dump();
    const std::string said = refusal([&] { models::network_case_of_json("case", text); });
    EXPECT_EQ(said.rfind("case", 0), 0U) << said << "\n" << text;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

// Replaces one number: the case is refused or runs.
TEST(RandomNetworks, OtherNumbersRunOrAreRefused) {
  for (int i = 0; i < count(); ++i) {
    NetworkGrammar grammar(static_cast<std::uint32_t>(i));
    Json json = grammar.network();
    std::vector<Json*> values;
    collect(json, values);
    Json& changed = *values[static_cast<std::size_t>(grammar.below(static_cast<int>(values.size())))];
    if (!changed.is_number()) continue;
    constexpr double numbers[] = {-1, 0, 0.5, 7, 1e300};
    const double number = numbers[grammar.below(5)];
    changed = number;
    const std::string text = json.dump();
    const std::string said = refusal([&] {
      const auto network = models::network_case_of_json("case", text);
      if (number < 1e300) expect_run(network, 1);
    });
    EXPECT_TRUE(said == "none" || said.rfind("case", 0) == 0) << said;
  }
}

}  // namespace random_cases_tests
}  // namespace sporos::test
