// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of features with vectors, for every storage, equal those computed from the table entry by entry.
#include "tables.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/classification/column_sums.hpp>
#include <sporos/models/classification/feature_products.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace features_tests {

using namespace sporos;
using models::ColumnSums, models::DenseFeatures, models::PackedFeatures, models::RowSelection, models::SparseFeatures;

template <class Space>
struct FeaturesOn : testing::Test {};
TYPED_TEST_SUITE(FeaturesOn, test::Backends, test::BackendName);

constexpr double tolerance = 1e-13;  // relative to the magnitudes of the terms of a sum

struct Writer {
  double* out;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double product) const { out[i] = product; }
};

template <class Space>
struct SumWriter {
  typename ColumnSums<Space>::Handle sums;
  double* out;
  std::int64_t columns;
  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    models::SumStack<1> sum;
    if (j < columns) {
      sums.add_up(j, 1, sum);
    } else {
      sums.add_up_factors(sum);
    }
    out[j] = sum.sums[0][0];
  }
};

std::vector<double> numbers(std::int64_t count, std::int64_t seed) {
  std::vector<double> some;
  for (std::int64_t i = 0; i < count; ++i) some.push_back(test::some_number(i + 1000 * seed));
  return some;
}

// Selected rows of a table, copied to where kernels can reach them; without indices, all rows are selected.
template <class Space>
struct Rows {
  Kokkos::View<std::int64_t*, typename Space::memory_space> indices;
  RowSelection selection;

  Rows(const test::Table& table, const std::vector<std::int64_t>& chosen)
      : indices("indices", chosen.size()),
        selection{chosen.empty() ? nullptr : indices.data(),
                  chosen.empty() ? table.rows() : static_cast<std::int64_t>(chosen.size())} {
    const auto host = Kokkos::create_mirror_view(indices);
    for (std::size_t i = 0; i < chosen.size(); ++i) host(i) = chosen[i];
    Kokkos::deep_copy(indices, host);
  }
};

template <class Space, class Features>
std::vector<double> products(const Features& features, const RowSelection& rows, const std::vector<double>& w) {
  const Space space;
  const auto on_space = to_device<Space>(w);
  const Vector<Space> out("out", static_cast<std::size_t>(rows.count));
  for_each_margin(space, features, rows, {on_space.data(), nullptr}, Writer{out.data()});
  space.fence();
  return to_host<Space>(out);
}

// Computes products by teams, as on a device, with the kernel for few rows or the kernel for many.
template <bool by_few, class Space, class Features>
std::vector<double> team_products(const Features& features, const RowSelection& rows, const std::vector<double>& w) {
  const Space space;
  const auto on_space = to_device<Space>(w);
  const Vector<Space> out("out", static_cast<std::size_t>(rows.count));
  const auto handle = features.handle();
  const models::LinearPredictor predictor{on_space.data(), nullptr};
  if constexpr (models::are_packed<Features>) {
    constexpr bool by_eight = by_few && !runs_on_host<Space>;  // a host's team is one thread
    models::impl::multiply_packed_in_teams<by_eight ? 1 : models::impl::packed_lanes>(space, handle, rows, predictor,
                                                                                      Writer{out.data()}, 1000);
  } else {
    models::impl::multiply_in_teams<by_few ? 1 : decltype(handle)::rows_of_team>(space, handle, rows, predictor,
                                                                                 Writer{out.data()}, 1000);
  }
  space.fence();
  return to_host<Space>(out);
}

template <class Space, class Features>
std::vector<double> column_sums(const Features& features, const RowSelection& rows, const std::vector<double>& r) {
  const Space space;
  const auto on_space = to_device<Space>(r);
  ColumnSums<Space> sums;
  const std::int64_t columns = features.columns();
  sums.add_up(space, features, ColumnSums<Space>::parts_of(rows, columns, single_process), on_space.data());
  const Vector<Space> out("out", static_cast<std::size_t>(columns + 1));
  Kokkos::parallel_for("sums", Kokkos::RangePolicy<Space>(space, 0, columns + 1),
                       SumWriter<Space>{sums.handle(), out.data(), columns});
  space.fence();
  return to_host<Space>(out);
}

template <class Space, class Features>
void expect_products(const test::Table& table, const std::vector<std::int64_t>& chosen) {
  const auto features = test::features_of<Features>(table);
  ASSERT_EQ(features.rows(), table.rows());
  ASSERT_EQ(features.columns(), table.columns);
  const Rows<Space> rows(table, chosen);
  const auto row = [&](std::int64_t i) { return chosen.empty() ? i : chosen[static_cast<std::size_t>(i)]; };
  const auto w = numbers(table.columns, 1), r = numbers(rows.selection.count, 2);
  const auto margins = products<Space>(features, rows.selection, w);
  const auto of_teams = team_products<true, Space>(features, rows.selection, w);
  EXPECT_EQ((team_products<false, Space>(features, rows.selection, w)), of_teams);
  std::vector<double> expected_sums(w.size() + 1, 0.0);
  for (std::size_t i = 0; i < r.size(); ++i) {
    double margin = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double x = table.at(row(static_cast<std::int64_t>(i)), static_cast<std::int64_t>(j));
      margin += x * w[j];
      expected_sums[j] += r[i] * x;
    }
    expected_sums[w.size()] += r[i];
    ASSERT_NEAR(margins[i], margin, tolerance * static_cast<double>(w.size())) << "row " << i;
    ASSERT_NEAR(of_teams[i], margin, tolerance * static_cast<double>(w.size())) << "row " << i;
  }
  const auto sums = column_sums<Space>(features, rows.selection, r);
  for (std::size_t j = 0; j < sums.size(); ++j) {
    ASSERT_NEAR(sums[j], expected_sums[j], tolerance * static_cast<double>(r.size())) << "column " << j;
  }
  EXPECT_EQ(margins, products<Space>(features, rows.selection, w));
  EXPECT_EQ(sums, column_sums<Space>(features, rows.selection, r));
}

std::vector<std::int64_t> some_rows(std::int64_t rows, std::int64_t count) {
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < count; ++i) chosen.push_back(i * i * 7 % rows);
  return chosen;
}

template <class Space, class Features, class MakeTable>
void expect_all_products(const MakeTable& make) {
  for (const std::int64_t columns : {1, 7, 63, 64, 65, 130, 511, 512, 513, 600}) {
    for (const std::int64_t rows : {1, 50, 100}) {
      const auto table = make(rows, columns);
      expect_products<Space, Features>(table, {});
      expect_products<Space, Features>(table, some_rows(rows, 77));
    }
  }
  expect_products<Space, Features>(make(700, 40), {});
  expect_products<Space, Features>(make(5000, 3), {});                      // several parts, not all full
  expect_products<Space, Features>(make(100, 520), some_rows(100, 20000));  // more parts than threads
}

TYPED_TEST(FeaturesOn, PackedProductsAreThoseOfTheTable) {
  expect_all_products<TypeParam, PackedFeatures<typename TypeParam::memory_space>>(test::binary_table);
}

TYPED_TEST(FeaturesOn, DenseProductsAreThoseOfTheTable) {
  expect_all_products<TypeParam, DenseFeatures<double, typename TypeParam::memory_space>>(test::real_table);
}

TYPED_TEST(FeaturesOn, FloatProductsAreThoseOfTheTable) {
  expect_all_products<TypeParam, DenseFeatures<float, typename TypeParam::memory_space>>(test::real_table);
}

TYPED_TEST(FeaturesOn, SparseProductsAreThoseOfTheTable) {
  expect_all_products<TypeParam, SparseFeatures<typename TypeParam::memory_space>>(test::real_table);
}

// Packed products computed with `Words`: margins of the selected rows, then sums of columns from 512 on.
template <class Words>
std::vector<double> packed_products(const test::Table& table, const RowSelection& rows, const std::vector<double>& w,
                                    const std::vector<double>& r) {
  const PackedFeatures<Kokkos::HostSpace> features(test::packed_rows(table));
  const auto handle = features.handle();
  const auto vector = handle.prepared(w.data());
  std::vector<double> found(static_cast<std::size_t>(rows.count) + 1024);
  for (std::int64_t first = 0; first < rows.count; first += 256) {
    models::impl::multiply_packed<Words>(handle.words, table.columns, rows, first,
                                         std::min<std::int64_t>(256, rows.count - first), vector, &found[first]);
  }
  models::impl::sum_packed<Words>(handle.words, handle.words_of_row, rows, 3, rows.count, r.data(), 512, table.columns,
                                  &found[rows.count]);
  return found;
}

TEST(PackedFeatures, HaveTheSameBitsInPlainLoopsAndInVectorRegisters) {
  const auto chosen = some_rows(300, 777);
  for (const std::int64_t columns : {513, 600, 1025, 1530}) {
    const auto table = test::binary_table(300, columns);
    const auto w = numbers(columns, 1), r = numbers(777, 2);
    for (const RowSelection& rows : {RowSelection{nullptr, 300}, RowSelection{chosen.data(), 777}}) {
      EXPECT_EQ(packed_products<models::impl::HostWords>(table, rows, w, r),
                packed_products<models::impl::PlainWords>(table, rows, w, r));
    }
  }
}

TEST(PackedFeatures, HaveTheSumsOfAllSubsetsOfFourNumbers) {
  const std::int64_t largest = std::int64_t{1} << 52;
  for (const std::vector<std::int64_t>& four :
       {std::vector<std::int64_t>{1, 20, 300, 4000}, {-5, 7, -9, 11}, {largest, -largest, 3 - largest, largest - 1}}) {
    models::impl::SubsetSums found;
    found.fill(four.data());
    models::impl::SubsetTable of_doubles;
    of_doubles.fill(std::vector<double>(four.begin(), four.end()).data());
    for (unsigned subset = 0; subset < 16; ++subset) {
      std::int64_t sum = 0;
      double of_double = 0;
      for (unsigned k = 0; k < 4; ++k) {
        if ((subset >> k & 1) == 0) continue;
        sum += four[k];
        of_double += static_cast<double>(four[k]);
      }
      const std::int64_t high = static_cast<std::int32_t>(found.high[subset]);
      EXPECT_EQ((high << models::impl::low_bits) + found.low[subset], sum) << subset;
      EXPECT_LT(found.low[subset], 1u << models::impl::low_bits) << subset;
      EXPECT_EQ(of_doubles.sums[subset], of_double) << subset;
    }
  }
}

TEST(PackedFeatures, NarrowRowsHaveTheSameBitsInPlainLoopsToo) {
  models::impl::SubsetTable tables[16];
  for (int four = 0; four < 16; ++four) {
    const double numbers[] = {0.1 * four, -1.0 / 3, 1e-3, 1e5 / (1 + four)};
    tables[four].fill(numbers);
  }
  constexpr std::size_t lanes = models::impl::narrow_lanes;
  std::uint64_t words[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) words[lane] = 0x9e3779b97f4a7c15u * (lane + 1);
  std::vector<double> plain(lanes, 0.25), fast(lanes, 0.25);
  models::impl::add_subsets_plainly(tables, 16, words, plain.data());
  models::impl::add_subsets(tables, 16, words, fast.data());
  EXPECT_EQ(plain, fast);
}

TEST(PackedFeatures, AddExactlyWhateverTheOrder) {
  const std::int64_t columns = 1000;
  const auto table = test::binary_table(50, columns);
  test::Table reversed{columns, {}};
  for (std::int64_t i = 0; i < 50; ++i) {
    for (std::int64_t j = columns; j-- > 0;) reversed.values.push_back(table.at(i, j));
  }
  auto w = numbers(columns, 1);
  const RowSelection all{nullptr, 50};
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Features = PackedFeatures<Kokkos::HostSpace>;
  const auto found = products<Space>(test::features_of<Features>(table), all, w);
  std::reverse(w.begin(), w.end());
  EXPECT_EQ(products<Space>(test::features_of<Features>(reversed), all, w), found);
  w[7] = std::nan("");
  for (const double x : products<Space>(test::features_of<Features>(table), all, w)) EXPECT_TRUE(std::isnan(x));
}

TEST(Features, TakeTheMemoryThatTheyNeed) {
  const auto table = test::binary_table(128, 640);
  EXPECT_EQ((PackedFeatures<Kokkos::HostSpace>(test::packed_rows(table)).bytes()), 128 * 80 + 56);
  EXPECT_EQ((DenseFeatures<float, Kokkos::HostSpace>(640, std::vector<float>(128 * 640)).bytes()), 128 * 640 * 4);
}

TEST(Features, RefuseWhatIsNoTable) {
  using models::PackedRows, models::SparseRows;
  const auto dense = [](std::int64_t columns, std::size_t count) {
    return test::refusal([&] { DenseFeatures<double, Kokkos::HostSpace>(columns, std::vector<double>(count)); });
  };
  EXPECT_EQ(dense(0, 2), "number of features is 0, expected a positive integer");
  EXPECT_EQ(dense(2, 3), "number of feature values is 3, expected a positive multiple of 2");
  EXPECT_EQ(dense(2, 0), "number of feature values is 0, expected a positive multiple of 2");
  const auto packed = [](const PackedRows& rows) { return test::refusal([&] { rows.check(); }); };
  EXPECT_EQ(packed({65, {1, 1, 1}}), "number of words is 3, expected a positive multiple of 2");
  EXPECT_EQ(packed({65, {1, 1, 1, 2}}), "a bit beyond the features of row 1 is 1, expected 0");
  EXPECT_EQ(packed({65, {1, 1, 1, 1}}), "none");
  const auto sparse = [](const SparseRows& rows) { return test::refusal([&] { rows.check(); }); };
  EXPECT_EQ(sparse({3, {0, 2}, {0, 2}, {1, 1}}), "none");
  EXPECT_EQ(sparse({2, {0, 2}, {0, 2}, {1, 1}}),
            "column index 2 of row 0 is out of order, expected ascending indices below 2");
  EXPECT_EQ(sparse({3, {0, 2}, {2, 0}, {1, 1}}),
            "column index 0 of row 0 is out of order, expected ascending indices below 3");
  EXPECT_EQ(sparse({3, {0, 3, 2}, {0, 2}, {1, 1}}),
            "end of row 0 is 3, expected a number from the start of the row to the number of entries");
  EXPECT_EQ(sparse({3, {0}, {}, {}}), "number of rows is 0, expected a positive integer");
}

}  // namespace features_tests
