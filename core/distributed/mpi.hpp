// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

/// Groups of processes that communicate through MPI (version 3 or later).
namespace sporos {

namespace impl {

inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call).append(": ").append(text, static_cast<std::size_t>(length)));
}

// Whether all processes of the communicator share memory. Collective.
inline bool is_on_one_node(MPI_Comm communicator) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  int of_node = 0, all = 0, is_whole = 0;
  MPI_Comm_size(node, &of_node);
  MPI_Comm_free(&node);
  MPI_Comm_size(communicator, &all);
  const int mine = of_node == all ? 1 : 0;
  check_mpi(MPI_Allreduce(&mine, &is_whole, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return is_whole != 0;
}

// Allocates a window of one number at rank 0. Collective. If all processes are on one node, the window is in shared
// memory: other windows of Open MPI 4.1 share one file if their communicators have a node but no process in common
// (open-mpi/ompi#7393).
inline std::int64_t* allocate_counter(MPI_Comm communicator, int rank, MPI_Win* window) {
  const MPI_Aint bytes = rank == 0 ? sizeof(std::int64_t) : 0;
  const auto allocate = is_on_one_node(communicator) ? MPI_Win_allocate_shared : MPI_Win_allocate;
  std::int64_t* counter = nullptr;
  check_mpi(allocate(bytes, sizeof(std::int64_t), MPI_INFO_NULL, communicator, static_cast<void*>(&counter), window),
            "MPI_Win_allocate");
  return counter;
}

}  // namespace impl

/// Initializes MPI unless it is already initialized. If it did, the destructor finalizes MPI. Initialize Kokkos after
/// this object is constructed, and finalize Kokkos before it is destroyed.
class MpiSession {
 public:
  MpiSession() {
    int is_initialized = 0;
    impl::check_mpi(MPI_Initialized(&is_initialized), "MPI_Initialized");
    if (is_initialized != 0) return;
    int given = 0;  // only the thread that initializes MPI calls it
    impl::check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given), "MPI_Init_thread");
    m_is_ours = true;
  }
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession() {
    if (m_is_ours) MPI_Finalize();
  }

 private:
  bool m_is_ours = false;
};

/// Communication counts of a process.
struct MpiTraffic {
  std::int64_t collectives = 0;  ///< collective calls
  std::int64_t draws = 0;        ///< part numbers that this process has requested
  std::int64_t bytes = 0;        ///< bytes that this process has passed to collective calls
};

/// Processes of an MPI communicator. They communicate on a duplicate of it, so that their messages do not mix with
/// others.
class MpiProcesses final : public Processes {
 public:
  /// Collective over `communicator`, as is the destructor. MPI must be initialized during the lifetime of this object.
  explicit MpiProcesses(MPI_Comm communicator) {
    impl::check_mpi(MPI_Comm_dup(communicator, &m_communicator), "MPI_Comm_dup");
    MPI_Comm_rank(m_communicator, &m_rank);
    MPI_Comm_size(m_communicator, &m_count);
    std::int64_t* counter = impl::allocate_counter(m_communicator, m_rank, &m_window);
    if (m_rank == 0) *counter = 0;
    MPI_Barrier(m_communicator);  // no process may draw before the counter is 0
    MPI_Win_lock_all(MPI_MODE_NOCHECK, m_window);
  }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;
  ~MpiProcesses() override {
    MPI_Win_unlock_all(m_window);
    MPI_Win_free(&m_window);
    MPI_Comm_free(&m_communicator);
  }

  int count() const override { return m_count; }
  int rank() const override { return m_rank; }
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override;
  void gather_into(std::byte* all, std::span<const std::byte> mine, std::span<const std::int64_t> sizes) override;
  void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) override;

  /// Communication of this process so far.
  const MpiTraffic& traffic() const { return m_traffic; }

 private:
  std::int64_t draw();

  MPI_Comm m_communicator = MPI_COMM_NULL;
  MPI_Win m_window = MPI_WIN_NULL;  // one counter, at rank 0
  int m_rank = 0, m_count = 1;
  std::int64_t m_drawn_before = 0;  // numbers that all processes have drawn in earlier calls of share
  MpiTraffic m_traffic;
};

inline void MpiProcesses::gather_into(std::byte* all, std::span<const std::byte> mine,
                                      std::span<const std::int64_t> sizes) {
  std::vector<int> of_ranks, places;
  std::int64_t total = 0;
  for (const std::int64_t size : sizes) {
    places.push_back(static_cast<int>(total));
    of_ranks.push_back(static_cast<int>(size));
    total += size;
    if (total > INT_MAX)
      throw std::length_error(
          "the data to gather from all processes exceed 2^31 - 1 bytes, the limit of MPI_Allgatherv: reduce the "
          "problem or the number of processes");
  }
  impl::check_mpi(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all, of_ranks.data(),
                                 places.data(), MPI_BYTE, m_communicator),
                  "MPI_Allgatherv");
  ++m_traffic.collectives;
  m_traffic.bytes += static_cast<std::int64_t>(mine.size());
}

inline std::vector<std::vector<std::byte>> MpiProcesses::gathered(std::span<const std::byte> mine) {
  const auto size = static_cast<std::int64_t>(mine.size());
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(m_count));
  impl::check_mpi(MPI_Allgather(&size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, m_communicator), "MPI_Allgather");
  ++m_traffic.collectives;
  m_traffic.bytes += static_cast<std::int64_t>(sizeof(size));
  std::vector<std::byte> all(static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
  gather_into(all.data(), mine, sizes);
  std::vector<std::vector<std::byte>> by_rank;
  for (auto begin = all.begin(); const std::int64_t of_rank : sizes) {
    by_rank.emplace_back(begin, begin + of_rank);
    begin += of_rank;
  }
  return by_rank;
}

// The counter only grows, so that no process has to wait for a reset.
inline std::int64_t MpiProcesses::draw() {
  const std::int64_t one = 1;
  std::int64_t drawn = 0;
  impl::check_mpi(MPI_Fetch_and_op(&one, &drawn, MPI_INT64_T, 0, 0, MPI_SUM, m_window), "MPI_Fetch_and_op");
  impl::check_mpi(MPI_Win_flush(0, m_window), "MPI_Win_flush");
  ++m_traffic.draws;
  return drawn - m_drawn_before;
}

inline void MpiProcesses::share(std::int64_t parts, const std::function<void(std::int64_t)>& work) {
  std::exception_ptr failure;
  const std::int64_t draws_before = m_traffic.draws;
  try {
    for (std::int64_t part = draw(); part < parts; part = draw()) work(part);
  } catch (...) {
    failure = std::current_exception();
  }
  for (const std::int64_t draws : gather(*this, m_traffic.draws - draws_before)) m_drawn_before += draws;
  check_together(*this, failure);
}

}  // namespace sporos
