// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random networks, simulated by the programs of all backends.
#include "harness/folder.hpp"
#include "models/networks/network_grammar.hpp"
#include "process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace sporos::test {
namespace networks_tests {

// Digest of 70 replications, which fill two warps and a part of a third. If replications fail, the reason of the first
// one. The number of failed replications in the message depends on the size of a launch.
std::string digest_or_error(const std::string& program, const std::string& options) {
  const Outcome outcome = run(program, words("simulate network --replications 70 --format json " + options));
  if (outcome.status != 0) return outcome.error.substr(std::min(outcome.error.find(';'), outcome.error.size()));
  return nlohmann::ordered_json::parse(outcome.out).at("findings").at("digest");
}

TEST(RandomNetworks, HaveTheSameBitsOnEveryBackendMappingAndThreadCount) {
  const Folder folder;
  const int cases = programs().size() > 1 ? 100 : 15;
  int digests = 0, other_digests = 0;
  for (int i = 0; i < cases; ++i) {
    const std::string text = NetworkGrammar(static_cast<std::uint32_t>(i)).network().dump();
    const std::string options = "--case " + folder.write("case.json", text);
    const std::string expected = digest_or_error(first_program, options);
    digests += expected.size() == 16 ? 1 : 0;
    for (const std::string& program : programs()) {
      for (const std::string mapping : {" --mapping thread", " --mapping warp"}) {
        EXPECT_EQ(digest_or_error(program, options + mapping), expected) << program << mapping << "\n" << text;
      }
      if (program != "sporos-openmp") continue;
      EXPECT_EQ(digest_or_error(program, options + " --threads 3"), expected) << text;
    }
    other_digests += digest_or_error(first_program, options + " --seed 2") != expected ? 1 : 0;
  }
  EXPECT_GT(digests, cases / 2);
  EXPECT_GT(other_digests, cases / 2);  // another seed is noticed
}

}  // namespace networks_tests
}  // namespace sporos::test
