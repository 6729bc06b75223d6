// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/models/mixtures/mixture_kernels.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sporos::models::impl {

/// Calls `copy` with a pointer to the numbers of each chunk that `rank` computes.
template <class Numbers, class Copy>
void for_chunks_of(const Processes& processes, int rank, std::int64_t places, std::int64_t chunks,
                   const Numbers& numbers, const Copy& copy) {
  const PartRange own = parts_of_process(processes, rank, chunks);
  for (std::int64_t place = 0; place < places; ++place) {
    for (std::int64_t chunk = own.first; chunk < own.end; ++chunk) copy(&numbers(place * chunks + chunk, 0));
  }
}

/// Distributes the numbers that each process has computed, `columns` per chunk, to all processes. Collective; blocks.
template <class ExecutionSpace>
void exchange_chunks(Processes& processes, const ExecutionSpace& space, const LikelihoodTasks<ExecutionSpace>& tasks,
                     std::size_t columns) {
  const std::int64_t places = tasks.mixtures.size();
  const auto rows = Kokkos::subview(tasks.numbers, std::make_pair(std::int64_t{0}, places * tasks.chunks), Kokkos::ALL);
  space.fence();
  const auto numbers = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
  std::vector<double> mine;
  for_chunks_of(processes, processes.rank(), places, tasks.chunks, numbers,
                [&](const double* chunk) { mine.insert(mine.end(), chunk, chunk + columns); });
  std::vector<std::int64_t> counts;
  for (int rank = 0; rank < processes.count(); ++rank) {
    const std::int64_t chunks = parts_of_process(processes, rank, tasks.chunks).count();
    counts.push_back(places * chunks * static_cast<std::int64_t>(columns));
  }
  std::vector<double> all(static_cast<std::size_t>(places * tasks.chunks) * columns);
  gather_into(all.data(), processes, std::span<const double>(mine), std::move(counts));
  const double* next = all.data();
  for (int rank = 0; rank < processes.count(); ++rank) {
    for_chunks_of(processes, rank, places, tasks.chunks, numbers, [&](double* chunk) {
      std::copy(next, next + columns, chunk);
      next += columns;
    });
  }
  copy_elements(rows, numbers);
}

}  // namespace sporos::models::impl
