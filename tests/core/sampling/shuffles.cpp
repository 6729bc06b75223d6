// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks shuffles by keyed permutations, for keys 0, 1, 2, …, against the uniform distribution over all permutations:
// exactly for small sizes, by images of few numbers, and by comparing statistics of whole shuffles with those of
// ArrayRefinedSequence with a Mersenne twister. Each check rejects a good shuffle with probability 10^-4 for a random
// choice of keys (they are fixed here). Each must reject its controls even with the few shuffles of short tests.
#include "harness/long_tests.hpp"

#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/core/sampling/refined_descriptive.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace shuffles_tests {

using namespace sporos;

constexpr double error_probability = 1e-4;

using Shuffle = std::vector<std::uint32_t>;
using Shuffler = std::function<void(std::uint64_t key, Shuffle&)>;  // fills the whole vector

void keyed(std::uint64_t key, Shuffle& images) {
  const auto size = static_cast<std::uint32_t>(images.size());
  KeyedPermutation(size, key).fill(0, size, images.data());
}

/// The network of a keyed permutation with `rounds` rounds.
Shuffler network(int rounds) {
  return [rounds](std::uint64_t key, Shuffle& images) {
    const auto size = static_cast<std::uint32_t>(images.size());
    const impl::FeistelNetwork permutation(size, mix_bits(key), rounds);
    std::iota(images.begin(), images.end(), 0u);
    for (auto& i : images) {
      do permutation.permute<1>(&i, &i);
      while (i >= size);
    }
  };
}

/// Control: i -> a i + b modulo a prime size. This is one-to-one, and even any two images have the right distribution.
void affine(std::uint64_t key, Shuffle& images) {
  const std::uint64_t size = images.size(), a = 1 + mix_bits(2 * key) % (size - 1), b = mix_bits(2 * key + 1) % size;
  for (std::uint64_t i = 0; i < size; ++i) images[i] = static_cast<std::uint32_t>((a * i + b) % size);
}

void array_and_swap(std::uint64_t key, Shuffle& images) {
  const auto size = static_cast<std::uint32_t>(images.size());
  ArrayRefinedSequence<std::mt19937> sequence({size, size}, std::mt19937(static_cast<std::uint32_t>(key)));
  for (auto& image : images) image = static_cast<std::uint32_t>(sequence.next() * size);
}

struct Cell {
  double count, expected;
};

// Two-sided p-value: counts that are too even are as suspicious as uneven ones.
double chi_square_p(const std::vector<Cell>& cells, double degrees_of_freedom) {
  double statistic = 0;
  for (const Cell& cell : cells) statistic += std::pow(cell.count - cell.expected, 2) / cell.expected;
  const boost::math::chi_squared distribution(degrees_of_freedom);
  return 2 * std::min(cdf(distribution, statistic), cdf(complement(distribution, statistic)));
}

double chi_square_p(const std::vector<Cell>& cells) {
  return chi_square_p(cells, static_cast<double>(cells.size()) - 1);
}

// Index of a permutation among all permutations of its size.
std::size_t rank(const Shuffle& images) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    std::size_t smaller = 0;
    for (std::size_t j = i + 1; j < images.size(); ++j) smaller += images[j] < images[i];
    index = index * (images.size() - i) + smaller;
  }
  return index;
}

// p-value for the hypothesis that all permutations of `size` numbers are equally likely. Each is expected at least 20
// times, or 100 times in long tests.
double all_permutations_p(const Shuffler& shuffler, std::size_t size) {
  const std::size_t of_each = test::are_tests_long() ? 100 : 20;
  std::size_t permutations = 1;
  for (std::size_t i = 2; i <= size; ++i) permutations *= i;
  const std::size_t shuffles = std::max<std::size_t>(of_each * permutations, 100000);
  std::vector<Cell> cells(permutations, {0, static_cast<double>(shuffles) / static_cast<double>(permutations)});
  Shuffle images(size);
  for (std::size_t key = 0; key < shuffles; ++key) {
    shuffler(key, images);
    cells[rank(images)].count += 1;
  }
  return chi_square_p(cells);
}

TEST(AllPermutations, AreAsLikely) {
  for (std::size_t size = 2; size <= 8; ++size) {
    EXPECT_GT(all_permutations_p(keyed, size), error_probability) << "size " << size;
  }
}

TEST(AllPermutationsControl, FewRoundsAndAffineMapsAreRejected) {
  for (std::size_t size = 3; size <= 7; ++size) {
    EXPECT_LT(all_permutations_p(network(size == 3 ? 4 : 6), size), error_probability) << "size " << size;
  }
  EXPECT_LT(all_permutations_p(affine, 5), error_probability);
  EXPECT_LT(all_permutations_p(affine, 7), error_probability);
}

/// Selects images of few numbers for a check: in `bins` equal parts of {0 … size − 1}, they must have the distribution
/// of images without repetition.
struct Images {
  std::uint32_t size, bins;
  std::vector<std::uint32_t> numbers;
  std::uint64_t shuffles;
};

// Number of shuffles: `shuffles` in long tests, else a third of it.
std::uint64_t up_to(std::uint64_t shuffles) { return test::are_tests_long() ? shuffles : shuffles / 3; }

std::uint32_t bin_of(const Images& images, std::uint64_t image) {
  return static_cast<std::uint32_t>(image * images.bins / images.size);
}

// One cell for each tuple of bins, the last bin fastest.
std::vector<Cell> expected_cells(const Images& images) {
  std::vector<double> bin_sizes(images.bins);
  const auto first_of = [&](std::uint64_t bin) { return (bin * images.size + images.bins - 1) / images.bins; };
  for (std::uint32_t bin = 0; bin < images.bins; ++bin) bin_sizes[bin] = first_of(bin + 1) - first_of(bin);
  const std::size_t count = images.numbers.size();
  std::vector<Cell> cells(static_cast<std::size_t>(std::pow(images.bins, count)));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    std::vector<double> left = bin_sizes;
    double expected = static_cast<double>(images.shuffles);
    std::size_t rest = c;
    for (std::size_t i = 0; i < count; ++i, rest /= images.bins) {
      expected *= left[rest % images.bins]-- / static_cast<double>(images.size - i);
    }
    cells[c] = {0, expected};
  }
  return cells;
}

double images_p(const std::function<std::uint32_t(std::uint64_t key, std::uint32_t size, std::uint32_t i)>& image,
                const Images& images) {
  std::vector<Cell> cells = expected_cells(images);
  for (std::uint64_t key = 0; key < images.shuffles; ++key) {
    std::size_t cell = 0;
    for (const std::uint32_t i : images.numbers) cell = cell * images.bins + bin_of(images, image(key, images.size, i));
    cells[cell].count += 1;
  }
  std::erase_if(cells, [](const Cell& cell) { return cell.expected == 0; });
  return chi_square_p(cells);
}

std::uint32_t keyed_image(std::uint64_t key, std::uint32_t size, std::uint32_t i) {
  return KeyedPermutation(size, key)(i);
}

template <int rounds>
std::uint32_t network_image(std::uint64_t key, std::uint32_t size, std::uint32_t i) {
  const impl::FeistelNetwork permutation(size, mix_bits(key), rounds);
  do permutation.permute<1>(&i, &i);
  while (i >= size);
  return i;
}

std::uint32_t affine_image(std::uint64_t key, std::uint32_t size, std::uint32_t i) {
  const std::uint64_t a = 1 + mix_bits(2 * key) % (size - 1), b = mix_bits(2 * key + 1) % size;
  return static_cast<std::uint32_t>((a * i + b) % size);
}

TEST(Images, OfOneNumberAreUniform) {
  for (const std::uint32_t size : {11u, 17u, 101u, 1009u}) {
    for (const std::uint32_t i : {0u, 1u, size / 2, size - 1}) {
      EXPECT_GT(images_p(keyed_image, {size, size, {i}, 100 * size + 10000}), error_probability) << size << ": " << i;
    }
  }
  EXPECT_GT(images_p(keyed_image, {65521, 500, {0}, 100000}), error_probability);
  EXPECT_GT(images_p(keyed_image, {2147483647, 500, {2147483646}, 100000}), error_probability);
}

// Checks neighbours, numbers in one column, and ends.
TEST(Images, OfTwoNumbersAreUniform) {
  for (const std::uint32_t size : {11u, 13u, 17u, 31u, 37u, 67u}) {
    EXPECT_GT(images_p(keyed_image, {size, size, {0, 1}, up_to(300000)}), error_probability) << size;
    EXPECT_GT(images_p(keyed_image, {size, size, {2, size - 1}, up_to(300000)}), error_probability) << size;
    EXPECT_GT(images_p(keyed_image, {size, size, {0, 8}, up_to(300000)}), error_probability) << size;
  }
  for (const std::uint32_t size : {101u, 257u, 1009u, 10007u, 65521u, 2147483647u}) {
    EXPECT_GT(images_p(keyed_image, {size, 50, {0, 1}, up_to(300000)}), error_probability) << size;
    EXPECT_GT(images_p(keyed_image, {size, 50, {0, 64}, up_to(300000)}), error_probability) << size;
  }
}

TEST(Images, OfThreeNumbersAreUniform) {
  for (const std::uint32_t size : {11u, 17u, 23u}) {
    EXPECT_GT(images_p(keyed_image, {size, size, {0, 1, 2}, up_to(1000000)}), error_probability) << size;
    EXPECT_GT(images_p(keyed_image, {size, size, {0, 4, 8}, up_to(1000000)}), error_probability) << size;
  }
  for (const std::uint32_t size : {37u, 101u, 1009u, 65521u}) {
    EXPECT_GT(images_p(keyed_image, {size, 12, {0, 1, 2}, up_to(500000)}), error_probability) << size;
  }
}

TEST(ImagesControl, FewRoundsAndAffineMapsAreRejected) {
  EXPECT_LT(images_p(network_image<0>, {101, 101, {0}, 20000}), error_probability);
  EXPECT_LT(images_p(network_image<6>, {17, 17, {0, 1}, up_to(300000)}), error_probability);
  EXPECT_LT(images_p(network_image<4>, {31, 31, {0, 1}, up_to(300000)}), error_probability);
  EXPECT_LT(images_p(network_image<2>, {1009, 50, {0, 1}, up_to(300000)}), error_probability);
  for (const std::uint32_t size : {101u, 1009u, 65521u}) {
    EXPECT_LT(images_p(affine_image, {size, 12, {0, 1, 2}, up_to(500000)}), error_probability) << size;
  }
  EXPECT_LT(images_p(affine_image, {17, 17, {0, 1, 2}, up_to(1000000)}), error_probability);
}

// ---------------------------------------------------------------------------------------------------------------------
// Whole shuffles.

double fixed_points(const Shuffle& images) {
  double count = 0;
  for (std::size_t i = 0; i < images.size(); ++i) count += images[i] == i;
  return count;
}

double cycles(const Shuffle& images) {
  std::vector<bool> seen(images.size());
  double count = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    count += !seen[i];
    for (std::size_t j = i; !seen[j]; j = images[j]) seen[j] = true;
  }
  return count;
}

double odd(const Shuffle& images) { return (static_cast<int>(images.size()) - static_cast<int>(cycles(images))) % 2; }

double inversions(const Shuffle& images) {
  double count = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (std::size_t j = i + 1; j < images.size(); ++j) count += images[j] < images[i];
  }
  return count;
}

double ascending_runs(const Shuffle& images) {
  double count = 1;
  for (std::size_t i = 1; i < images.size(); ++i) count += images[i] < images[i - 1];
  return count;
}

// Sum of the products of centred numbers that are `lag` places apart.
template <std::size_t lag>
double serial_product(const Shuffle& images) {
  const double middle = (static_cast<double>(images.size()) - 1) / 2;
  double sum = 0;
  for (std::size_t i = lag; i < images.size(); ++i) sum += (images[i] - middle) * (images[i - lag] - middle);
  return sum;
}

struct Statistic {
  const char* name;
  double (*of)(const Shuffle&);
};

constexpr Statistic parity = {"parity", odd};
constexpr Statistic statistics[] = {{"fixed points", fixed_points},
                                    {"cycles", cycles},
                                    {"inversions", inversions},
                                    {"ascending runs", ascending_runs},
                                    {"serial product", serial_product<1>},
                                    {"serial product, lag 8", serial_product<8>},
                                    {"serial product, lag 32", serial_product<32>}};

std::vector<double> sample(const Shuffler& shuffler, const Statistic& statistic, std::size_t size, std::uint64_t keys) {
  std::vector<double> values;
  Shuffle images(size);
  for (std::uint64_t key = 0; key < keys; ++key) {
    shuffler(key, images);
    values.push_back(statistic.of(images));
  }
  return values;
}

// p-value for the hypothesis that two samples come from one distribution, by chi-square over classes. Each class holds
// at least a twentieth of both samples together, so that the many ties do not matter.
double two_sample_p(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::sort(both.begin(), both.end());
  const std::size_t least = both.size() / 20;
  std::vector<Cell> cells;
  std::size_t low = 0;
  while (low < both.size()) {
    std::size_t high =
        std::upper_bound(both.begin(), both.end(), both[std::min(low + least, both.size()) - 1]) - both.begin();
    if (both.size() - high < least) high = both.size();
    const auto in_class = [&](double x) { return x >= both[low] && x <= both[high - 1]; };
    for (const auto* one : {&a, &b}) {
      const double share = static_cast<double>(one->size()) / static_cast<double>(both.size());
      cells.push_back({static_cast<double>(std::count_if(one->begin(), one->end(), in_class)),
                       share * static_cast<double>(high - low)});
    }
    low = high;
  }
  return chi_square_p(cells, static_cast<double>(cells.size()) / 2 - 1);
}

double whole_shuffle_p(const Shuffler& shuffler, const Statistic& statistic, std::size_t size, std::uint64_t keys) {
  return two_sample_p(sample(shuffler, statistic, size, keys), sample(array_and_swap, statistic, size, keys));
}

TEST(WholeShuffles, AreOddAsOftenAsEven) {
  for (const std::size_t size : {7, 37, 101, 257}) {
    EXPECT_GT(whole_shuffle_p(keyed, parity, size, 20000), error_probability) << "size " << size;
  }
}

TEST(WholeShufflesControl, EvenOnesAloneAreRejected) {
  const Shuffler even = [](std::uint64_t key, Shuffle& images) {
    keyed(key, images);
    if (odd(images) != 0) std::swap(images[0], images[1]);
  };
  EXPECT_LT(whole_shuffle_p(even, parity, 101, 1000), error_probability);
}

TEST(WholeShuffles, AreAsArrayAndSwapMakesThem) {
  for (const Statistic& statistic : statistics) {
    EXPECT_GT(whole_shuffle_p(keyed, statistic, 37, 20000), error_probability) << statistic.name;
    EXPECT_GT(whole_shuffle_p(keyed, statistic, 101, 10000), error_probability) << statistic.name;
    EXPECT_GT(whole_shuffle_p(keyed, statistic, 1009, 1000), error_probability) << statistic.name;
  }
}

TEST(WholeShufflesControl, FewRoundsAndAffineMapsAreRejected) {
  for (const Statistic& statistic : statistics) {
    EXPECT_LT(whole_shuffle_p(affine, statistic, 101, 10000), error_probability) << statistic.name;
    EXPECT_LT(whole_shuffle_p(network(2), statistic, 101, 10000), error_probability) << statistic.name;
  }
}

// p-value for the hypothesis that the steps images[i + lag] − images[i] modulo the size take all values except 0
// equally often. The counts of a shuffle's steps are nearly independent: their variance exceeds the binomial variance
// by one part in `size`.
double steps_p(const Shuffler& shuffler, std::size_t size, std::size_t lag, std::uint64_t keys) {
  const double expected = static_cast<double>(keys * (size - lag)) / static_cast<double>(size - 1);
  std::vector<Cell> cells(size - 1, {0, expected});
  Shuffle images(size);
  for (std::uint64_t key = 0; key < keys; ++key) {
    shuffler(key, images);
    for (std::size_t i = lag; i < size; ++i) cells[(images[i] + size - images[i - lag]) % size - 1].count += 1;
  }
  return chi_square_p(cells);
}

TEST(Steps, AreUniform) {
  for (const std::size_t lag : {1, 8, 32}) {
    EXPECT_GT(steps_p(keyed, 67, lag, 20000), error_probability) << "lag " << lag;
    EXPECT_GT(steps_p(keyed, 257, lag, 10000), error_probability) << "lag " << lag;
    EXPECT_GT(steps_p(keyed, 1009, lag, 10000), error_probability) << "lag " << lag;
    EXPECT_GT(steps_p(keyed, 10007, lag, 1000), error_probability) << "lag " << lag;
  }
}

TEST(StepsControl, FewRoundsAndAffineMapsAreRejected) {
  EXPECT_LT(steps_p(network(2), 1009, 1, 1000), error_probability);
  EXPECT_LT(steps_p(network(6), 67, 1, 20000), error_probability);
  EXPECT_LT(steps_p(network(4), 1009, 1, 10000), error_probability);
  EXPECT_LT(steps_p(affine, 1009, 1, 1000), error_probability);
}

// Shuffle from the images of a key to those of the next key. Its fixed points are where the two shuffles agree.
Shuffler next_to_its_neighbour(const Shuffler& shuffler) {
  return [shuffler](std::uint64_t key, Shuffle& images) {
    Shuffle neighbour(images.size()), own(images.size());
    shuffler(2 * key, own);
    shuffler(2 * key + 1, neighbour);
    for (std::size_t i = 0; i < images.size(); ++i) images[neighbour[i]] = own[i];
  };
}

TEST(NeighbouringKeys, HaveNothingInCommon) {
  for (const Statistic& statistic : statistics) {
    EXPECT_GT(whole_shuffle_p(next_to_its_neighbour(keyed), statistic, 101, 10000), error_probability)
        << statistic.name;
  }
}

TEST(NeighbouringKeysControl, AKeyWhoseLastBitDoesLittleIsRejected) {
  const Shuffler last_bit_exchanges_two = [](std::uint64_t key, Shuffle& images) {
    keyed(key / 2, images);
    if (key % 2 == 1) std::swap(images[0], images[1]);
  };
  for (const Statistic& statistic : statistics) {
    EXPECT_LT(whole_shuffle_p(next_to_its_neighbour(last_bit_exchanges_two), statistic, 101, 1000), error_probability)
        << statistic.name;
  }
}

}  // namespace shuffles_tests
