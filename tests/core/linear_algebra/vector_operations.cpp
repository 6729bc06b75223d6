// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <future>
#include <iterator>
#include <thread>
#include <vector>

namespace sporos::test {
namespace vector_operations_tests {

// Empty, small, and so large that all threads share the work. An odd size leaves a remainder in vector registers.
constexpr std::size_t sizes[] = {0, 1, 7, 1000, 100'003};

std::vector<double> numbers(std::size_t size, double factor) {
  std::vector<double> x;
  for (std::size_t i = 0; i < size; ++i) x.push_back((i % 3 == 0 ? -factor : factor) / static_cast<double>(1 + i % 10));
  return x;
}

template <class Space>
class VectorOperations : public ::testing::Test {};
TYPED_TEST_SUITE(VectorOperations, Backends, BackendName);

TYPED_TEST(VectorOperations, MultiplyAMatrixTheSameEveryTime) {
  const TypeParam space;
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 7}, {130, 59}, {4001, 31}, {4001, 311}}) {
    std::vector<double> entries(rows * columns);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = std::sin(static_cast<double>(i));
    const auto x = numbers(columns, 2), before = numbers(rows, -0.7);
    const Matrix<TypeParam> matrix("matrix", rows, columns);
    const auto on_host = Kokkos::create_mirror_view(matrix);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) on_host(i, j) = entries[i * columns + j];
    }
    Kokkos::deep_copy(matrix, on_host);
    const auto on_device = to_device<TypeParam>(space, x);
    std::vector<double> expected(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      long double sum = 0;
      for (std::size_t j = 0; j < columns; ++j) sum += static_cast<long double>(entries[i * columns + j]) * x[j];
      expected[i] = static_cast<double>(0.5L * sum - 2.0L * before[i]);
    }
    std::vector<double> first;
    for (int time = 0; time < 100; ++time) {
      const auto y = to_device<TypeParam>(space, before);
      add_product<TypeParam>(space, 0.5, matrix, on_device, -2, y);
      const auto found = to_host<TypeParam>(space, y);
      if (time == 0) first = found;
      ASSERT_EQ(found, first) << rows << " rows, time " << time;
      for (std::size_t i = 0; i < rows; ++i) {
        ASSERT_NEAR(found[i], expected[i], 1e-11) << rows << " rows, time " << time << ", row " << i;
      }
    }
  }
}

TYPED_TEST(VectorOperations, GiveTheNumbersOfALoop) {
  const TypeParam space;
  for (const std::size_t size : sizes) {
    const auto x = numbers(size, 2), y = numbers(size, -0.7);
    long double product = 0, squares = 0, magnitudes = 0, largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      product += x[i] * y[i];
      squares += x[i] * x[i];
      magnitudes += std::abs(x[i]);
      largest = std::max<long double>(largest, std::abs(x[i]));
    }
    const auto on_device = to_device<TypeParam>(space, x), other = to_device<TypeParam>(space, y);
    // Largest rounding error of a sum of this many terms of one sign, in any order.
    const long double rounding = 1.2e-16L * static_cast<long double>(size + 10);
    const auto near = [&](long double value) { return static_cast<double>(rounding * std::abs(value)); };
    EXPECT_NEAR(dot<TypeParam>(space, on_device, other), static_cast<double>(product), near(product)) << size;
    EXPECT_NEAR(norm<TypeParam>(space, on_device), static_cast<double>(std::sqrt(squares)), near(std::sqrt(squares)))
        << size;
    EXPECT_NEAR(sum_of_magnitudes<TypeParam>(space, on_device), static_cast<double>(magnitudes), near(magnitudes));
    EXPECT_EQ(largest_magnitude<TypeParam>(space, on_device), static_cast<double>(largest)) << size;
  }
}

TYPED_TEST(VectorOperations, WriteTheVectorsOfALoop) {
  const TypeParam space;
  for (const std::size_t size : sizes) {
    const auto x = numbers(size, 2), y = numbers(size, -0.7);
    std::vector<double> moved, scaled, sum;
    for (std::size_t i = 0; i < size; ++i) {
      moved.push_back(x[i] + 3 * y[i]);
      scaled.push_back(-0.5 * moved[i]);
      sum.push_back(2 * scaled[i] + 0.25 * y[i]);
    }
    const auto expect_near = [&](const Vector<TypeParam>& found, const std::vector<double>& expected) {
      const auto values = to_host<TypeParam>(space, found);
      ASSERT_EQ(values.size(), expected.size());
      for (std::size_t i = 0; i < size; ++i) ASSERT_NEAR(values[i], expected[i], 1e-15 * 20) << i << " of " << size;
    };
    const auto a = to_device<TypeParam>(space, x), b = to_device<TypeParam>(space, y);
    set_moved<TypeParam>(space, a, a, 3, b);  // in place
    expect_near(a, moved);
    const Vector<TypeParam> c("test::c", size);
    set_scaled<TypeParam>(space, c, -0.5, a);
    expect_near(c, scaled);
    add_scaled<TypeParam>(space, 2, c, 0.25, b);
    expect_near(b, sum);
  }
}

#ifdef KOKKOS_ENABLE_SERIAL

std::size_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

// A multithreaded BLAS would start its threads here.
TEST(SerialVectorOperations, StartNoThreads) {
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "this system does not list threads";
  const std::size_t before = threads();
  const Kokkos::Serial space;
  const Vector<Kokkos::Serial> x("test::x", 1'000'000), y("test::y", 1'000'000);
  add_scaled<Kokkos::Serial>(space, 2, x, 0.25, y);
  EXPECT_EQ(dot<Kokkos::Serial>(space, x, y) + sum_of_magnitudes<Kokkos::Serial>(space, x) +
                largest_magnitude<Kokkos::Serial>(space, x),
            0);
  EXPECT_EQ(threads(), before);
  std::promise<void> seen;  // control: another thread is counted
  std::thread other([waits = seen.get_future()] { waits.wait(); });
  EXPECT_EQ(threads(), before + 1);
  seen.set_value();
  other.join();
}

#endif

}  // namespace vector_operations_tests
}  // namespace sporos::test
