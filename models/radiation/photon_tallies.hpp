// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/for_each_replication_in_steps.hpp>
#include <sporos/models/radiation/photon.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// Tallies of photons on the host, in units of 2^−32 of a bundle: one number for each batch, row and tally. Photon i
/// belongs to batch i mod `batches`; the batches yield the statistical errors. The units are integers, so the order of
/// additions does not matter.
struct PhotonCounts {
  int batches = 0;                  ///< number of batches, at least 1
  int rows = 0;                     ///< 1, or one per source
  int tallies = 0;                  ///< number of tallies: elements, lower plate, upper plate, roulette
  std::vector<std::int64_t> units;  ///< units by batch, row and tally, the tally fastest

  /// Returns the units of a tally.
  std::int64_t at(int batch, int row, int tally) const {
    return units[index(batch, row) + static_cast<std::size_t>(tally)];
  }

  /// Returns the number of photons of a batch that belong to a row, which is the sum of the row's units divided by
  /// `bundle_units`. Throws std::logic_error if the division leaves a remainder.
  std::int64_t photons(int batch, int row) const {
    std::int64_t sum = 0;
    for (int tally = 0; tally < tallies; ++tally) sum += at(batch, row, tally);
    if (sum % bundle_units == 0) return sum / bundle_units;
    throw std::logic_error("photons have left " + std::to_string(sum) +
                           " units, which is not a whole number of bundles");
  }

  /// Returns the number of photons of all batches and rows. Throws like photons(batch, row).
  std::int64_t photons() const {
    std::int64_t sum = 0;
    for (int batch = 0; batch < batches; ++batch) {
      for (int row = 0; row < rows; ++row) sum += photons(batch, row);
    }
    return sum;
  }

 private:
  std::size_t index(int batch, int row) const {
    return (static_cast<std::size_t>(batch) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) *
           static_cast<std::size_t>(tallies);
  }
};

/// Maximum number of photons of a batch; twice their units fit in a tally.
inline constexpr std::int64_t max_photons_of_batch = std::int64_t{1} << 30;

/// Tallies of photons in the memory of `ExecutionSpace`. Copies share their data.
template <class ExecutionSpace>
class PhotonTallies {
 public:
  /// Units by batch, row and tally. A row may be padded with elements that stay 0.
  using View = Kokkos::View<std::int64_t***, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

  /// Allocates tallies for a case with `elements` elements and sets them to 0 on `space`. There is one row, or one per
  /// source if `by_source` is true. Throws OutOfMemory if they do not fit.
  PhotonTallies(const ExecutionSpace& space, int elements, int batches, bool by_source = false)
      : m_tallies(elements + 3) {
    const int rows = by_source ? elements + 3 : 1, places = std::max(m_tallies, fewest_places);
    check_memory<typename ExecutionSpace::memory_space>(
        {"photons' tallies", batches, "batches", 8.0 * static_cast<double>(rows) * static_cast<double>(places)});
    m_units = View(Kokkos::view_alloc(space, "sporos::radiation::tallies"), static_cast<std::size_t>(batches),
                   static_cast<std::size_t>(rows), static_cast<std::size_t>(places));
  }

  /// Returns the units for kernels.
  const View& units() const { return m_units; }

  /// Number of tallies of a row.
  int tallies() const { return m_tallies; }

  /// Queue of the launches that add to these tallies, which run one after another on one instance.
  const ReplicationQueue<ExecutionSpace>& queue() const { return m_queue; }

  /// Sets the tallies to `counts` of the same shape. This call blocks.
  void set(const PhotonCounts& counts) const {
    const auto host = Kokkos::create_mirror_view(m_units);
    auto units = counts.units.begin();
    for_each_row(host, [&](std::int64_t* row) {
      std::copy_n(units, m_tallies, row);
      units += m_tallies;
    });
    copy_elements(m_units, host);
  }

  /// Returns the counts, summed over all processes. This collective call blocks.
  PhotonCounts counts(Processes& processes = single_process) const {
    const auto host = Kokkos::create_mirror_view(m_units);
    copy_elements(host, m_units);
    check_launches<ExecutionSpace>();
    PhotonCounts counts{host.extent_int(0), host.extent_int(1), m_tallies, {}};
    std::vector<std::int64_t> mine;
    mine.reserve(host.extent(0) * host.extent(1) * static_cast<std::size_t>(m_tallies));
    for_each_row(host, [&](const std::int64_t* row) { mine.insert(mine.end(), row, row + m_tallies); });
    const auto ranks = static_cast<std::size_t>(processes.count());
    std::vector<std::int64_t> all(ranks * mine.size());
    gather_into(all.data(), processes, std::span<const std::int64_t>(mine),
                std::vector<std::int64_t>(ranks, static_cast<std::int64_t>(mine.size())));
    counts.units.assign(mine.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) counts.units[i % mine.size()] += all[i];
    return counts;
  }

 private:
  // Atomic additions to one cache line of a GPU are serialized, so the few tallies of small cases get separate lines.
  static constexpr int fewest_places = 64;

  template <class HostView, class Body>
  static void for_each_row(const HostView& host, const Body& body) {
    for (std::size_t batch = 0; batch < host.extent(0); ++batch) {
      for (std::size_t row = 0; row < host.extent(1); ++row) body(&host(batch, row, 0));
    }
  }

  int m_tallies;
  View m_units;
  ReplicationQueue<ExecutionSpace> m_queue;
};

namespace impl {

/// Tally of one photon: it adds to the tallies of its batch, in the row of its source.
template <class ExecutionSpace>
class BatchTally {
 public:
  using View = typename PhotonTallies<ExecutionSpace>::View;

  KOKKOS_FORCEINLINE_FUNCTION BatchTally(const View& units, std::uint64_t photon)
      : BatchTally(units, &units(photon % units.extent(0), 0, 0)) {}
  /// Continues at the `place()` of another BatchTally of the same tallies.
  KOKKOS_FORCEINLINE_FUNCTION BatchTally(const View& units, std::int64_t* place) : m_units(units), m_place(place) {}

  KOKKOS_FORCEINLINE_FUNCTION void start(int source) {
    if (m_units.extent(1) > 1) m_place += static_cast<std::size_t>(source) * m_units.extent(2);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(int tally, std::int64_t units) { Kokkos::atomic_add(m_place + tally, units); }

  /// Start of its row.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* place() const { return m_place; }

 private:
  const View& m_units;
  std::int64_t* m_place;
};

}  // namespace impl

}  // namespace sporos::models
