// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/germinal_centre/cases.hpp"

#include <harness/backends.hpp>
#include <harness/own_instance.hpp>

#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace sporos::test {
namespace germinal_centres_tests {

struct Centres {
  template <class Space>
  std::uint64_t operator()(const Space& space) const {
    models::GerminalCentres<Space> centres(space, rich_centres(), 7);
    for (int i = 0; i < 2; ++i) centres.advance();
    return centres.digest();
  }
};

template <class Space>
class GerminalCentresOnOwnInstance : public ::testing::Test {};
TYPED_TEST_SUITE(GerminalCentresOnOwnInstance, Backends, BackendName);

TYPED_TEST(GerminalCentresOnOwnInstance, LiveAsElsewhere) { expect_same_on_own_instance<TypeParam>(Centres{}); }

}  // namespace germinal_centres_tests
}  // namespace sporos::test
