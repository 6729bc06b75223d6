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

/// What photons have left, in units of 2^−32 of a bundle, on the host: for each batch and each row one number for each
/// tally. Photon i belongs to batch i mod `batches`, from which statistical errors come. Whole numbers, so that it does
/// not matter in which order they were added.
struct PhotonCounts {
  int batches = 0;                  ///< at least 1
  int rows = 0;                     ///< 1, or one for each source
  int tallies = 0;                  ///< elements, lower plate, upper plate, roulette
  std::vector<std::int64_t> units;  ///< by batch, row and tally, the tally fastest

  /// The units of a tally.
  std::int64_t at(int batch, int row, int tally) const {
    return units[index(batch, row) + static_cast<std::size_t>(tally)];
  }

  /// Photons of a batch that belong to a row: the row's units are `bundle_units` for each, to the unit. Throws
  /// std::logic_error where they are not.
  std::int64_t photons(int batch, int row) const {
    std::int64_t sum = 0;
    for (int tally = 0; tally < tallies; ++tally) sum += at(batch, row, tally);
    if (sum % bundle_units == 0) return sum / bundle_units;
    throw std::logic_error("photons have left " + std::to_string(sum) + " units, which is no whole number of bundles");
  }

  /// Photons of all batches and rows; throws as photons(batch, row) does.
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

/// The most photons of a batch: their units fit a tally twice over.
inline constexpr std::int64_t most_photons_of_batch = std::int64_t{1} << 30;

/// The tallies of photons where kernels of `ExecutionSpace` reach them. Copies share them.
template <class ExecutionSpace>
class PhotonTallies {
 public:
  /// Units by batch, row and tally; behind a row's tallies may be more, which stay 0.
  using View = Kokkos::View<std::int64_t***, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

  /// All 0, which `space` sets, with one row, or one for each source where they are kept `by_source`, for a case of
  /// that many `elements`. Throws OutOfMemory where they would not fit.
  PhotonTallies(const ExecutionSpace& space, int elements, int batches, bool by_source = false)
      : m_tallies(elements + 3) {
    const int rows = by_source ? elements + 3 : 1, places = std::max(m_tallies, fewest_places);
    check_memory<typename ExecutionSpace::memory_space>(
        {"photons' tallies", batches, "batches", 8.0 * static_cast<double>(rows) * static_cast<double>(places)});
    m_units = View(Kokkos::view_alloc(space, "sporos::radiation::tallies"), static_cast<std::size_t>(batches),
                   static_cast<std::size_t>(rows), static_cast<std::size_t>(places));
  }

  /// For kernels.
  const View& units() const { return m_units; }

  /// Number of tallies of a row.
  int tallies() const { return m_tallies; }

  /// Of the launches that add to them, which follow one another on one instance.
  const ReplicationQueue<ExecutionSpace>& queue() const { return m_queue; }

  /// Sets them to `counts` of the same shape. Waits.
  void set(const PhotonCounts& counts) const {
    const auto host = Kokkos::create_mirror_view(m_units);
    auto units = counts.units.begin();
    for_each_row(host, [&](std::int64_t* row) {
      std::copy_n(units, m_tallies, row);
      units += m_tallies;
    });
    copy_elements(m_units, host);
  }

  /// What they hold, those of all processes together. Waits for it. Collective.
  PhotonCounts counts(Processes& processes = alone) const {
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
  // Atomic additions to one line of a GPU's cache follow one another: the few tallies of small cases do not share
  // lines.
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

/// What a photon adds to: the tallies of its batch, in the row of its source.
template <class ExecutionSpace>
class BatchTally {
 public:
  using View = typename PhotonTallies<ExecutionSpace>::View;

  KOKKOS_FORCEINLINE_FUNCTION BatchTally(const View& units, std::uint64_t photon)
      : BatchTally(units, &units(photon % units.extent(0), 0, 0)) {}
  /// Goes on at the `place()` of another one of the same tallies.
  KOKKOS_FORCEINLINE_FUNCTION BatchTally(const View& units, std::int64_t* place) : m_units(units), m_place(place) {}

  KOKKOS_FORCEINLINE_FUNCTION void start(int source) {
    if (m_units.extent(1) > 1) m_place += static_cast<std::size_t>(source) * m_units.extent(2);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(int tally, std::int64_t units) { Kokkos::atomic_add(m_place + tally, units); }

  /// Where its row begins.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* place() const { return m_place; }

 private:
  const View& m_units;
  std::int64_t* m_place;
};

}  // namespace impl

}  // namespace sporos::models
