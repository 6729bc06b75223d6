// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/tables.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sporos::models {

/// A slice of the medium as seen by kernels.
struct MediumSlice {
  double bottom;      ///< height of its lower face in m
  double absorption;  ///< κ in 1/m
  double scattering;  ///< σₛ in 1/m
  double asymmetry;   ///< mean cosine g of the scattering angle
};

/// The plates as seen by kernels.
struct MediumPlates {
  double emissivity[2];  ///< emissivities of the lower and the upper plate
};

/// A case of radiation as seen by kernels; it does not own its data.
///
/// Sinks of photons are numbered: the elements, then the lower and the upper plate. Sources are numbered the same way,
/// with the beam after the plates. With bands, the sources and the slices of each band follow those of the band before.
struct Medium {
  const MediumSlice* slices;        ///< slices from below; one more after the last marks the upper plate
  int slice_count;                  ///< number of slices without that mark
  bool scatters;                    ///< whether any slice scatters
  Kokkos::Array<int, 2> columns;    ///< number of columns in each direction along the plates
  Kokkos::Array<double, 2> widths;  ///< width of a column in m
  const MediumPlates* plates;       ///< plates of each band
  double beam_cosine;               ///< cosine of the angle between beam and normal
  DiscreteHandle sources;           ///< distribution of the source of a photon

  /// Number of elements.
  KOKKOS_FORCEINLINE_FUNCTION int elements() const { return slice_count * columns[0] * columns[1]; }
  /// Index of the element at these positions along and across the plates.
  KOKKOS_FORCEINLINE_FUNCTION int element(const Kokkos::Array<int, 3>& cell) const {
    return (cell[2] * columns[1] + cell[1]) * columns[0] + cell[0];
  }
};

/// Number of sources of a case, summed over its bands.
inline std::int64_t source_count(const RadiationCase& radiation) {
  return (std::int64_t{radiation.elements()} + 3) *
         static_cast<std::int64_t>(std::max<std::size_t>(radiation.bands.size(), 1));
}

/// A checked case in `MemorySpace`. Copies share their data.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class MediumTables {
 public:
  /// Copies a case to `MemorySpace`. Photons come from a source with a probability proportional to its weight;
  /// `source_weights` has one weight per source of `radiation`, in order. Throws std::invalid_argument if all weights
  /// are 0.
  MediumTables(const RadiationCase& radiation, const std::vector<double>& source_weights)
      : m_sources(shares(source_weights)) {
    std::vector<MediumSlice> slices;
    std::vector<MediumPlates> plates;
    for (const RadiationCase& gray : radiation.gray_cases()) {
      append_slices(gray, slices);
      plates.push_back({{gray.lower.emissivity, gray.upper.emissivity}});
    }
    m_medium.slice_count = radiation.slices();
    m_medium.scatters =
        std::any_of(slices.begin(), slices.end(), [](const auto& slice) { return slice.scattering > 0; });
    m_slices = sporos::impl::table_view<MemorySpace>("sporos::radiation::slices", slices);
    m_plates = sporos::impl::table_view<MemorySpace>("sporos::radiation::plates", plates);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      m_medium.columns[axis] = radiation.columns[axis];
      m_medium.widths[axis] = radiation.widths[axis] / radiation.columns[axis];
    }
    m_medium.plates = m_plates.data();
    m_medium.beam_cosine = radiation.beam.cosine;
    m_medium.slices = m_slices.data();
    m_medium.sources = m_sources.handle();
  }

  /// Returns the data for kernels, which is valid as long as these tables or a copy of them live.
  const Medium& medium() const { return m_medium; }

 private:
  static void append_slices(const RadiationCase& gray, std::vector<MediumSlice>& slices) {
    const auto faces = slice_faces(gray);
    auto bottom = faces.begin();
    for (const auto& layer : gray.layers) {
      for (int i = 0; i < layer.slices; ++i) {
        slices.push_back({*bottom++, layer.absorption(), layer.scattering(), layer.asymmetry});
      }
    }
    slices.push_back({*bottom, 0, 0, 0});
  }

  static std::vector<double> shares(std::vector<double> weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    sporos::impl::check_parameter(sum > 0 && std::isfinite(sum), "power of all sources", sum,
                                  "a positive finite number");
    for (double& weight : weights) weight /= sum;
    return weights;
  }

  Kokkos::View<const MediumSlice*, MemorySpace> m_slices;
  Kokkos::View<const MediumPlates*, MemorySpace> m_plates;
  DiscreteTable<MemorySpace> m_sources;
  Medium m_medium{};
};

}  // namespace sporos::models
