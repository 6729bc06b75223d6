// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the quantiles of distributions that users give as texts.
#include <sporos/runtime/options/distribution_text.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {
namespace quantiles_tests {

TEST(DistributionText, HasTheSameQuantilesTogetherAsOneByOne) {
  std::vector<double> uniforms{0x1p-53, 1 - 0x1p-53, 0.0001, 0.9999};
  for (int i = 1; i < 500; ++i) uniforms.push_back(i / 500.0);
  std::vector<double> with_a_small_one = uniforms;
  with_a_small_one.push_back(0x1p-60);
  for (const std::string text : {"normal(2, 3)", "lognormal(6.2, 0.5)", "exponential(0.5)", "binomial(14, 0.25)"}) {
    const DistributionChoice distribution = distribution_of(text, "a text");
    for (const std::vector<double>& some : {uniforms, with_a_small_one}) {
      std::vector<double> found = some;
      replace_by_quantiles(distribution, found);
      for (std::size_t i = 0; i < some.size(); ++i)
        EXPECT_EQ(found[i], quantile_of(distribution, some[i])) << text << " " << some[i];
    }
  }
}

}  // namespace quantiles_tests
}  // namespace sporos::runtime
