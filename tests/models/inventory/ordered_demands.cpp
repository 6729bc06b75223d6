// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ordered demands give the count of demands up to a stock, or report that they cannot determine it.
#include <harness/backends.hpp>

#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>
#include <sporos/models/inventory/ordered_demands.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace ordered_demands_tests {

using namespace sporos;
using models::AnyDemand, models::NewsvendorSample, models::NormalDemand;
using models::impl::OrderedDemands;

constexpr int stocks = 2000, products = 3;

// Counts for each product and stock: from the ordered demands with all lanes together and with each lane alone, whether
// the count is certain, and from all demands.
template <class Space, class Demand>
struct Counter {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;

  Demand demand;
  SampleRange sample;
  OrderedDemands ordered, other;
  bool at_demands;  // whether stocks equal demands, where no count is certain
  Kokkos::View<int* [4], Space> counts;

  KOKKOS_FUNCTION void operator()(const Team&) const {
    for (int product = 0; product < products; ++product) {
      ordered.fill(sample.size, [&](int s) { return models::impl::ends_of(sample, product, s, demand); });
      other.fill(sample.size, [&](int s) { return models::impl::ends_of(sample, product + 1, s, demand); });
      const bool is_first = product % 2 == 0;
      const OrderedDemands &a = is_first ? ordered : other, &b = is_first ? other : ordered;
      models::impl::fill_in_order(a, a.ends, 1, b, b.ends, 1, sample.size);
      for (int i = 0; i < stocks; ++i) {
        const NewsvendorSample drawn{sample};
        double x = 120.0 * i / stocks;
        if (at_demands) x = demand.quantile(drawn.uniform(product, i % sample.size));
        if (x < 0) x = demand.quantile(drawn.uniform(product, (i + 1) % sample.size));  // a stock is not negative
        const auto [count, until, is_certain] = ordered.reached(x);
        const int row = product * stocks + i;
        if (impl::lane_index() != i % impl::lane_count()) continue;
        counts(row, 0) = count;
        const auto separate = ordered.reached(x, static_cast<int>(sample.size));
        counts(row, 1) = separate.until == until && separate.is_certain == is_certain ? separate.surely : -1;
        counts(row, 2) = is_certain ? 1 : 0;
        counts(row, 3) = static_cast<int>(drawn.count(product, demand.cdf(x)));
      }
    }
  }
};

template <class Space, class Demand>
void check(const Demand& demand, std::int64_t size) {
  const int room = OrderedDemands::room_of(size);
  const Kokkos::View<models::impl::DemandEnds*, Space> ends("sporos::test::ends", 2 * room);
  const Kokkos::View<int* [4], Space> counts("sporos::test::counts", products * stocks);
  for (const bool at_demands : {false, true}) {
    const int lanes = runs_on_host<Space> ? 1 : impl::warp_lanes;
    Kokkos::parallel_for(
        "sporos::test::count", Kokkos::TeamPolicy<Space>(1, 1, lanes),
        Counter<Space, Demand>{
            demand, {7, 3, size}, {ends.data(), room}, {ends.data() + room, room}, at_demands, counts});
    const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
    int certain = 0, wrong = 0;
    for (int row = 0; row < products * stocks; ++row) {
      certain += found(row, 2);
      wrong += found(row, 0) != found(row, 1) || (found(row, 2) != 0 && found(row, 0) != found(row, 3)) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0) << "of " << size << " demands";
    if (at_demands) {
      EXPECT_EQ(certain, 0) << "of " << size << " demands";
    } else {
      EXPECT_GT(certain, products * stocks - 50) << "of " << size << " demands";
    }
  }
}

template <class Space>
struct OrderedDemandsOn : testing::Test {};
TYPED_TEST_SUITE(OrderedDemandsOn, test::Backends, test::BackendName);

TYPED_TEST(OrderedDemandsOn, CountAsAllDemandsDo) {
  for (const std::int64_t size : {1, 25, 31, 32, 50, 200}) {
    check<TypeParam>(NormalDemand{50, 20}, size);
    check<TypeParam>(AnyDemand{{DistributionKind::gamma, 2.5, 20, 0, 0, {}}}, size);
  }
}

}  // namespace ordered_demands_tests
