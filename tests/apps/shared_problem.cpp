// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples that processes share. Threads represent the processes.
#include <sporos/runtime/search/requested_problem.hpp>

#include <gtest/gtest.h>

#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sporos::test {
namespace shared_problem_tests {

using runtime::SharedProblem;

// Buffer in which threads leave the data for the others.
struct Exchange {
  explicit Exchange(int count) : all(static_cast<std::size_t>(count)), meeting(count) {}

  std::vector<std::vector<std::byte>> all;
  std::barrier<> meeting;
};

class Thread final : public OneProcess {
 public:
  Thread(Exchange& exchange, int rank) : m_exchange(exchange), m_rank(rank) {}

  int count() const override { return static_cast<int>(m_exchange.all.size()); }
  int rank() const override { return m_rank; }
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override {
    m_exchange.all[static_cast<std::size_t>(m_rank)].assign(mine.begin(), mine.end());
    m_exchange.meeting.arrive_and_wait();
    auto all = m_exchange.all;
    m_exchange.meeting.arrive_and_wait();
    return all;
  }

 private:
  Exchange& m_exchange;
  int m_rank;
};

void in_threads(int count, const std::function<void(Processes&)>& work) {
  Exchange exchange(count);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&exchange, &work, rank] {
      Thread processes(exchange, rank);
      work(processes);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// A problem whose results depend on the sample. It runs no replications at 0 and fails below 0.
class Telling final : public SampledProblem {
 public:
  std::span<const DecisionRange> bounds() const override { return {&range, 1}; }
  bool has_gradient() const override { return true; }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found;
    for (const Sample& sample : samples) {
      const double x = sample.x.front(), nan = std::numeric_limits<double>::quiet_NaN();
      if (x < 0) throw std::runtime_error("nothing is below 0");
      SampleMoments& moments = found.emplace_back();
      if (x == 0) continue;
      replications += sample.count;
      moments = {sample.count, {x / 3}, {x * 7}, {}, {}};
      if (sample.has_gradient) moments.slopes = {1 / x};
      if (sample.has_values) moments.values = {x, -0.0, nan};
      if (!sample.direction.empty()) moments.curvatures = {x * x};
    }
    return found;
  }

  std::int64_t replications = 0;

 private:
  static constexpr DecisionRange range{-1, 100};
};

std::vector<Sample> samples(std::initializer_list<double> points) {
  std::vector<Sample> list;
  for (const double x : points) {
    const auto count = static_cast<std::int64_t>(10 * std::abs(x)) + 1;
    list.push_back({{x}, 1, 0, count, list.size() % 2 == 0, list.size() % 3 == 0});
    if (list.size() % 2 == 1) list.back().direction = {1};
  }
  return list;
}

// Bits of all numbers, so that NaN is equal to itself.
std::string bits(const std::vector<SampleMoments>& all) {
  std::string text;
  for (const SampleMoments& moments : all) {
    text += std::to_string(moments.count);
    for (const auto* list :
         {&moments.means, &moments.products, &moments.slopes, &moments.values, &moments.curvatures}) {
      text += ':' + std::to_string(list->size());
      text.append(reinterpret_cast<const char*>(list->data()), list->size() * sizeof(double));
    }
  }
  return text;
}

TEST(SharedProblem, GivesAllTheBitsOfOne) {
  for (const auto& all : {samples({1}), samples({1, 2}), samples({3, 0, 5, 1, 1}), samples({9, 1, 1, 1, 1, 1, 9, 4})}) {
    Telling one;
    const std::string expected = bits(one.simulate(all));
    for (const int count : {1, 2, 3, 7}) {
      std::vector<Telling> problems(static_cast<std::size_t>(count));
      std::vector<std::string> found(problems.size());
      in_threads(count, [&](Processes& processes) {
        const auto rank = static_cast<std::size_t>(processes.rank());
        SharedProblem shared(problems[rank], processes);
        found[rank] = bits(shared.simulate(all));
      });
      std::int64_t replications = 0, busy = 0;
      for (std::size_t rank = 0; rank < problems.size(); ++rank) {
        EXPECT_EQ(found[rank], expected);
        replications += problems[rank].replications;
        busy += problems[rank].replications > 0 ? 1 : 0;
      }
      EXPECT_EQ(replications, one.replications);  // a single process runs each sample
      if (count > 1 && all.size() > 1) {
        EXPECT_GT(busy, 1);
      }
    }
  }
}

TEST(SharedProblem, FailsEverywhereWhereOneFails) {
  for (const auto& all : {samples({-1, 1, 1}), samples({1, 1, -1})}) {
    std::vector<std::string> messages(3);
    in_threads(3, [&](Processes& processes) {
      Telling problem;
      SharedProblem shared(problem, processes);
      try {
        shared.simulate(all);
      } catch (const std::runtime_error& error) {
        messages[static_cast<std::size_t>(processes.rank())] = error.what();
      }
      EXPECT_TRUE(processes.failed_together());
    });
    EXPECT_EQ(messages, std::vector<std::string>(3, "nothing is below 0"));
  }
}

}  // namespace shared_problem_tests
}  // namespace sporos::test
