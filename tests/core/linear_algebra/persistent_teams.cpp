// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the exchange of persistent teams with host threads as teams. They run at the same time, whatever Kokkos does.
#include "exchanged_numbers.hpp"

#include <sporos/core/execution/persistent_kernel.hpp>
#include <sporos/core/linear_algebra/persistent_teams.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// Kernel functions are instantiated here for teams that exist only on a host.
#ifdef __CUDACC__
#pragma nv_diag_suppress 20014
#endif

namespace sporos::test {
namespace persistent_teams_tests {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// The functions of Kokkos' team members that a PersistentTeam uses, for a host thread.
class ThreadMember {
 public:
  ThreadMember(int league_rank, int team_rank, int team_size, std::barrier<>& barrier)
      : m_league_rank(league_rank), m_team_rank(team_rank), m_team_size(team_size), m_barrier(&barrier) {}
  int league_rank() const { return m_league_rank; }
  int team_rank() const { return m_team_rank; }
  int team_size() const { return m_team_size; }
  void team_barrier() const { m_barrier->arrive_and_wait(); }

 private:
  int m_league_rank, m_team_rank, m_team_size;
  std::barrier<>* m_barrier;
};

using Team = PersistentTeam<ThreadMember>;

/// The memory of a kernel with these teams, and host threads that act as its teams.
class ThreadTeams {
 public:
  ThreadTeams(int teams, int team_size, std::int64_t most, std::uint64_t limit_ms = 60'000)
      : m_team_size(team_size), m_partition{64 * teams, 64, teams} {
    m_words.resize(static_cast<std::size_t>(ExchangeBuffer::size(m_partition, most)));
    m_buffer = {m_words.data(), most, &m_timed_out, limit_ms};
  }

  const TeamPartition& partition() const { return m_partition; }
  const ExchangeBuffer& buffer() const { return m_buffer; }

  /// Word number `index` that team `team` publishes in round `round`.
  std::uint64_t& word(std::int64_t team, std::uint32_t round, std::int64_t index) {
    const std::int64_t first = (round % 2) * 2 * m_partition.teams * m_buffer.most;
    return m_words[static_cast<std::size_t>(first + 2 * m_buffer.most * team + index)];
  }

  /// Starts the threads of team `league_rank`. Each of them calls body(team).
  std::vector<std::jthread> start(int league_rank, const std::function<void(Team&)>& body) {
    auto shared = std::make_shared<Shared>(m_team_size, m_buffer.scratch());
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < m_team_size; ++rank) {
      threads.emplace_back([=, this] {
        const ThreadMember member(league_rank, rank, m_team_size, shared->barrier);
        Team team(member, m_partition, m_buffer, shared->scratch.data(), 0);
        body(team);
      });
    }
    return threads;
  }

  /// Runs the first `present` teams and waits for them.
  void run(std::int64_t present, const std::function<void(Team&)>& body) {
    std::vector<std::vector<std::jthread>> teams;
    for (int rank = 0; rank < present; ++rank) teams.push_back(start(rank, body));
  }
  void run(const std::function<void(Team&)>& body) { run(m_partition.teams, body); }

  std::uint64_t timed_out() const { return impl::load_at_device_scope<std::memory_order_relaxed>(m_timed_out); }

 private:
  struct Shared {  // shared by the threads of a team
    Shared(int size, std::int64_t numbers) : barrier(size), scratch(static_cast<std::size_t>(numbers)) {}
    std::barrier<> barrier;
    std::vector<double> scratch;
  };

  int m_team_size;
  TeamPartition m_partition;
  ExchangeBuffer m_buffer;
  std::vector<std::uint64_t> m_words;
  std::uint64_t m_timed_out = 0;
};

struct Shape {
  int teams, team_size;
  std::int64_t most;
  std::uint32_t rounds;
};

class Exchange : public ::testing::TestWithParam<Shape> {};

// Numbers are read in pieces of 1536 / teams, so that the 400 numbers of 8 teams take three pieces.
INSTANTIATE_TEST_SUITE_P(Shapes, Exchange,
                         ::testing::Values(Shape{2, 1, 1, 20'000}, Shape{2, 1, 40, 5'000}, Shape{3, 1, 7, 5'000},
                                           Shape{8, 1, 400, 300}, Shape{2, 2, 30, 1'000}, Shape{4, 2, 50, 300}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.teams) + "TeamsOf" +
                                  std::to_string(shape.param.team_size) + "With" + std::to_string(shape.param.most);
                         });

TEST_P(Exchange, GivesAllTeamsTheSumsOfEachRound) {
  const auto [teams, team_size, most, rounds] = GetParam();
  ThreadTeams threads(teams, team_size, most);
  std::atomic<std::int64_t> wrong = 0, ended = 0;
  threads.run([&, teams = teams, most = most, rounds = rounds](Team& team) {
    wrong += wrong_sums(team, teams, rounds, most);
    ended += team.round() == rounds && !team.has_timed_out();
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(ended, teams * team_size);
  EXPECT_EQ(threads.timed_out(), 0u);
}

/// Control: a team that takes words without checking their rounds.
class HastyTeam {
 public:
  HastyTeam(ThreadTeams& threads, int rank, std::int64_t most)
      : m_threads(threads), m_member{rank}, m_numbers(static_cast<std::size_t>(most)) {}

  struct Member {
    int league_rank() const { return rank; }
    int rank;
  };
  const Member& member() const { return m_member; }
  std::uint32_t round() const { return m_round; }
  bool has_timed_out() const { return false; }
  double* numbers() { return m_numbers.data(); }
  template <class Do>
  void for_each(std::int64_t count, const Do& one) const {
    for (std::int64_t i = 0; i < count; ++i) one(i);
  }
  void all_reduce(std::int64_t count) {
    ++m_round;
    for (std::int64_t c = 0; c < count; ++c) {
      const std::uint64_t bits = math::impl::to_bits(m_numbers[c]);
      m_threads.word(m_member.rank, m_round, 2 * c) = bits >> 32 << 32 | m_round;
      m_threads.word(m_member.rank, m_round, 2 * c + 1) = bits << 32 | m_round;
    }
    for (std::int64_t c = 0; c < count; ++c) {
      m_numbers[c] = 0;
      for (std::int64_t of = 0; of < m_threads.partition().teams; ++of) {
        const std::uint64_t high = m_threads.word(of, m_round, 2 * c), low = m_threads.word(of, m_round, 2 * c + 1);
        m_numbers[c] += math::impl::from_bits(high >> 32 << 32 | low >> 32);
      }
    }
  }

 private:
  ThreadTeams& m_threads;
  Member m_member;
  std::vector<double> m_numbers;
  std::uint32_t m_round = 0;
};

TEST(ExchangeControl, SumsOfATeamThatDoesNotWaitAreFoundWrong) {
  constexpr std::int64_t most = 5, rounds = 20;
  ThreadTeams threads(2, 1, most);
  HastyTeam first(threads, 0, most), second(threads, 1, most);
  EXPECT_GT(wrong_sums(first, 2, rounds, most), 0);
  EXPECT_GT(wrong_sums(second, 2, rounds, most), 0);
}

/// Seconds that `run` takes.
template <class Run>
double seconds(const Run& run) {
  const auto start = Clock::now();
  run();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(ExchangeTimeOut, EndsTheOthersWhereATeamNeverComes) {
  ThreadTeams threads(4, 2, 10, 200);
  std::atomic<int> gave_up = 0;
  const double time = seconds([&] {
    threads.run(3, [&](Team& team) {
      wrong_sums(team, 4, 1000, 10);
      gave_up += team.has_timed_out() && team.round() == 1;
    });
  });
  EXPECT_EQ(gave_up, 6);
  EXPECT_EQ(threads.timed_out(), 1u);
  EXPECT_GE(time, 0.2);
  EXPECT_LT(time, 20);  // not 1000 rounds of 0.2 s
  EXPECT_THROW(threads.buffer().check_time(threads.timed_out()), std::runtime_error);
}

TEST(ExchangeTimeOut, EndsTheOthersWhereATeamLeaves) {
  ThreadTeams threads(3, 1, 10, 200);
  std::atomic<int> gave_up = 0;
  threads.run([&](Team& team) {
    const std::uint32_t rounds = team.is_first() ? 50 : 100;
    EXPECT_EQ(wrong_sums(team, 3, rounds, 10), 0);
    gave_up += team.has_timed_out();
  });
  EXPECT_EQ(gave_up, 2);
  EXPECT_EQ(threads.timed_out(), 1u);
}

// A team may reach a device after the others have left it. It must not wait until the limit, which is a minute.
TEST(ExchangeTimeOut, IsNotAwaitedByATeamThatComesLate) {
  ThreadTeams threads(2, 2, 10);
  *threads.buffer().timed_out = 1;
  std::atomic<int> gave_up = 0;
  const double time = seconds([&] {
    threads.run(1, [&](Team& team) {
      wrong_sums(team, 2, 1000, 10);
      gave_up += team.has_timed_out();
    });
  });
  EXPECT_EQ(gave_up, 2);
  EXPECT_LT(time, 30);
}

TEST(ExchangeTimeOut, IsToldInASentence) {
  ExchangeBuffer buffer;
  buffer.limit_ms = 200;
  EXPECT_NO_THROW(buffer.check_time(0));
  try {
    buffer.check_time(1);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "a team of a persistent kernel waited 200 ms for another: expected all of its teams on the device at the "
              "same time; run no other persistent kernel on this device");
  }
}

/// Publishes a word in the way that a team does.
void publish(std::uint64_t& word, std::uint64_t half, std::uint32_t round) {
  impl::store_at_device_scope<std::memory_order_release>(word, half << 32 | round);
}

// The second team is simulated: it does not wait for the first one, and its words are already two rounds ahead.
TEST(ExchangeOrder, NumbersOfALaterRoundAreNotTaken) {
  ThreadTeams threads(2, 1, 1, 200);
  publish(threads.word(1, 3, 0), 7, 3);
  publish(threads.word(1, 3, 1), 7, 3);
  std::atomic<int> gave_up = 0;
  threads.run(1, [&](Team& team) {
    team.numbers()[0] = 1;
    team.all_reduce(1);
    gave_up += team.has_timed_out();
  });
  EXPECT_EQ(gave_up, 1);
}

// All that a team does before an exchange is complete for the other teams after it, even if they overwrite it two
// rounds later. The values are not atomic, so that the thread sanitizer reports any other order as a race.
TEST(ExchangeOrder, RoundsHappenOneAfterTheOther) {
  constexpr int teams = 3, rounds = 300;
  ThreadTeams threads(teams, 2, 1);
  std::vector<double> written[2]{std::vector<double>(teams), std::vector<double>(teams)};
  std::atomic<int> wrong = 0;
  threads.run([&](Team& team) {
    for (int round = 0; round < rounds; ++round) {
      auto& values = written[round % 2];
      team.for_each(1, [&](std::int64_t) {
        values[static_cast<std::size_t>(team.member().league_rank())] = team.numbers()[0] = round;
      });
      team.all_reduce(1);
      team.for_each(teams, [&](std::int64_t of) { wrong += values[static_cast<std::size_t>(of)] != round; });
    }
  });
  EXPECT_EQ(wrong, 0);
}

// The halves of a number arrive 20 ms apart, in any order. In round 3, the first of them meets the other half of round
// 1.
TEST(ExchangeOrder, HalvesOfANumberAreTakenOfOneRound) {
  for (const int last : {0, 1}) {
    ThreadTeams threads(2, 1, 1);
    const std::vector<double> numbers{0, 1.25, -3e10, 0x1.23456789abcdep7};
    std::vector<double> sums;
    std::atomic<std::uint32_t> summed = 0;
    auto team = threads.start(0, [&](Team& first) {
      for (int round = 1; round <= 3; ++round) {
        first.numbers()[0] = 0.5;
        first.all_reduce(1);
        sums.push_back(first.numbers()[0]);
        ++summed;
      }
    });
    for (std::uint32_t round = 1; round <= 3; ++round) {
      const std::uint64_t bits = math::impl::to_bits(numbers[round]);
      const std::uint64_t halves[2] = {bits >> 32, bits & 0xffffffffu};
      publish(threads.word(1, round, 1 - last), halves[1 - last], round);
      std::this_thread::sleep_for(20ms);
      EXPECT_EQ(summed, round - 1);
      publish(threads.word(1, round, last), halves[last], round);
      while (summed < round) std::this_thread::yield();
    }
    team.clear();
    EXPECT_EQ(sums, (std::vector<double>{0.5 + numbers[1], 0.5 + numbers[2], 0.5 + numbers[3]}));
  }
}

// Whether another thread finds the lock of this device taken.
bool is_taken(int device) {
  return std::async(std::launch::async,
                    [device] {
                      std::mutex& mutex = impl::persistent_kernel_mutex<Kokkos::DefaultHostExecutionSpace>(device);
                      const bool is_free = mutex.try_lock();
                      if (is_free) mutex.unlock();
                      return !is_free;
                    })
      .get();
}

TEST(PersistentKernelLock, IsOfOneDeviceAndEndsWithItsOwner) {
  const Kokkos::DefaultHostExecutionSpace space;
  const int device = impl::device_number(space);
  EXPECT_FALSE(is_taken(device));
  {
    const auto lock = lock_persistent_kernels(space);
    EXPECT_TRUE(is_taken(device));
    EXPECT_FALSE(is_taken(device + 1));
  }
  EXPECT_FALSE(is_taken(device));
}

TEST(PersistentKernelLock, LetsOneThreadInAtATime) {
  const Kokkos::DefaultHostExecutionSpace space;
  std::atomic<int> inside = 0, most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int turn = 0; turn < 20; ++turn) {
          const auto lock = lock_persistent_kernels(space);
          const int now = ++inside;
          if (now > most) most = now;
          std::this_thread::sleep_for(100us);
          --inside;
        }
      });
    }
  }
  EXPECT_EQ(most, 1);
}

}  // namespace persistent_teams_tests
}  // namespace sporos::test
