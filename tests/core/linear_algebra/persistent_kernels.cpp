// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the exchange within kernels. A host runs one team there; persistent_teams.cpp runs several teams on a host.
#include "exchanged_numbers.hpp"
#include "harness/backends.hpp"

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/persistent_kernel.hpp>
#include <sporos/core/linear_algebra/persistent_teams.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sporos::test {
namespace persistent_kernels_tests {

/// Results of a kernel.
struct Outcome {
  std::uint64_t timed_out = 0;
  std::int64_t wrong = 0;
};

/// Exchanges `rounds` times. The last `absent` teams do not take part.
struct Exchanger {
  TeamPartition partition;
  ExchangeBuffer buffer;
  Outcome* outcome = nullptr;
  std::uint32_t rounds = 0;
  std::int64_t absent = 0;

  KOKKOS_FUNCTION std::int64_t scratch_bytes() const {
    return static_cast<std::int64_t>(sizeof(double)) * buffer.scratch();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    if (member.league_rank() >= partition.teams - absent) return;
    auto* const scratch = static_cast<double*>(member.team_scratch(0).get_shmem(static_cast<int>(scratch_bytes())));
    PersistentTeam<Member> team(member, partition, buffer, scratch, 0);
    const std::int64_t wrong = wrong_sums(team, partition.teams, rounds, buffer.most);
    if (wrong != 0) Kokkos::atomic_add(&outcome->wrong, wrong);
  }
};

constexpr std::int64_t most = 100;

/// A kernel of Exchangers with its memory.
template <class Space>
class Exchanges {
 public:
  Exchanges(const Space& space, std::int64_t teams, std::uint32_t rounds, std::uint64_t limit_ms,
            std::int64_t absent = 0)
      : m_space(space),
        m_kernel{{64 * teams, 64, teams}, {nullptr, most, nullptr, limit_ms}, nullptr, rounds, absent},
        m_words("test::words", static_cast<std::size_t>(ExchangeBuffer::size(m_kernel.partition, most))),
        m_outcome("test::outcome") {
    m_kernel.buffer.words = m_words.data();
    m_kernel.buffer.timed_out = &m_outcome.data()->timed_out;
    m_kernel.outcome = m_outcome.data();
  }

  /// Runs the kernel and returns the number of wrong sums. Throws if a team times out. Call it only once.
  std::int64_t run() const {
    Outcome found;
    const Kokkos::View<Outcome, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> here(&found);
    const auto lock = lock_persistent_kernels(m_space);
    Kokkos::parallel_for("test::exchange",
                         persistent_policy(m_space, m_kernel.partition.teams, m_kernel.scratch_bytes()), m_kernel);
    check_launches<Space>();
    Kokkos::deep_copy(m_space, here, m_outcome);
    m_space.fence();
    m_kernel.buffer.check_time(found.timed_out);
    return found.wrong;
  }

 private:
  using Memory = typename Space::memory_space;

  Space m_space;
  Exchanger m_kernel;
  Kokkos::View<std::uint64_t*, Memory> m_words;
  Kokkos::View<Outcome, Memory> m_outcome;
};

template <class Space>
class PersistentKernel : public ::testing::Test {
 protected:
  /// Largest number of teams that Sporos runs at once: one for each multiprocessor of a device, one on a host.
  static std::int64_t max_teams() { return runs_on_host<Space> ? 1 : impl::multiprocessors(Space()); }

  static bool can_run(std::int64_t teams, std::int64_t numbers = most) {
    Exchanger kernel;
    kernel.buffer.most = numbers;
    return can_be_resident(Space(), teams, kernel.scratch_bytes(), kernel);
  }

  static std::int64_t run(std::int64_t teams, std::uint32_t rounds, std::uint64_t limit_ms, std::int64_t absent = 0) {
    return Exchanges<Space>(Space(), teams, rounds, limit_ms, absent).run();
  }

  /// Number of wrong sums in kernels of two threads, each on a separate instance. Without the lock, the kernels would
  /// run at the same time.
  static std::int64_t wrong_of_two_threads(std::int64_t teams, int launches) {
    std::vector<std::vector<Exchanges<Space>>> exchanges(2);
    for (auto& of_thread : exchanges) {
      const Space space = impl::own_instance<Space>();
      for (int k = 0; k < launches; ++k) of_thread.emplace_back(space, teams, 200, 10'000);
    }
    std::atomic<std::int64_t> wrong = 0;
    {
      std::vector<std::jthread> threads;
      for (auto& of_thread : exchanges) {
        threads.emplace_back([&] {
          for (const auto& exchange : of_thread) wrong += exchange.run();
        });
      }
    }
    return wrong;
  }
};
TYPED_TEST_SUITE(PersistentKernel, Backends, BackendName);

TYPED_TEST(PersistentKernel, ExchangesSumsOfAllTeams) {
  for (const std::int64_t teams : {std::int64_t{1}, std::int64_t{2}, std::int64_t{64}, this->max_teams()}) {
    if (teams > this->max_teams()) continue;
    EXPECT_TRUE(this->can_run(teams));
    EXPECT_EQ(this->run(teams, 2000, 10'000), 0) << teams << " teams";
  }
}

TYPED_TEST(PersistentKernel, IsRefusedWhereTheDeviceDoesNotHoldAllTeamsAtOnce) {
  EXPECT_TRUE(this->can_run(this->max_teams()));
  EXPECT_FALSE(this->can_run(this->max_teams() + 1));
  EXPECT_FALSE(this->can_run(1, 1'000'000)) << "numbers of scratch";
}

// These tests require several teams. The single team of a host never waits for another.
template <class Space>
class PersistentKernelOnDevice : public PersistentKernel<Space> {
 protected:
  void SetUp() override {
    if (runs_on_host<Space>) GTEST_SKIP() << "a host runs one team";
  }
};
TYPED_TEST_SUITE(PersistentKernelOnDevice, Backends, BackendName);

// A device cannot hold this many teams: a multiprocessor has at most 2048 threads, which are four teams.
TYPED_TEST(PersistentKernelOnDevice, EndsWithAnErrorWhereTheDeviceDoesNotHoldAllTeamsAtOnce) {
  EXPECT_THROW(this->run(5 * this->max_teams(), 10, 500), std::runtime_error);
  EXPECT_EQ(this->run(2, 100, 10'000), 0) << "the device works on";
}

TYPED_TEST(PersistentKernelOnDevice, EndsWithAnErrorWhereATeamNeverComes) {
  const Kokkos::Timer timer;
  EXPECT_THROW(this->run(8, 1000, 500, 1), std::runtime_error);
  EXPECT_GE(timer.seconds(), 0.5);
  EXPECT_LT(timer.seconds(), 60);
  EXPECT_EQ(this->run(8, 100, 10'000), 0) << "the device works on";
}

TYPED_TEST(PersistentKernelOnDevice, RunsOneAtATime) {
  EXPECT_EQ(this->wrong_of_two_threads(this->max_teams(), 10), 0);
}

}  // namespace persistent_kernels_tests
}  // namespace sporos::test
