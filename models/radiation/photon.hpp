// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/execution/leaf_operations.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/quotient.hpp>
#include <sporos/core/sampling/sampling.hpp>
#include <sporos/models/radiation/directions.hpp>
#include <sporos/models/radiation/medium.hpp>
#include <sporos/models/radiation/photon_rules.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// Energy of a photon bundle at its birth, in the integer units of the tallies.
inline constexpr std::int64_t bundle_units = std::int64_t{1} << 32;

/// A photon bundle from birth to end: one replication of the model "one photon".
///
/// It satisfies the contract of models (core/replication/model.hpp) in that it is a pure function of the uniforms of
/// its inputs. However, it has no responses: a photon affects almost none of hundreds of elements, 10^8 photons could
/// not be stored, and only sums are needed. It therefore adds integer units to tallies, so that the order of additions
/// does not matter, and has a separate launch function, trace.
///
/// The energy is an integer number of units, 2^32 at birth. A step through an element ends at its face or at the next
/// scattering, whichever comes first. On each step a fraction f is absorbed:
/// - weighted: f of the energy, in whole units; the fractional part of a unit is carried over to the next step;
/// - analogue: all of it, once the product of all 1 − f so far falls below a uniform drawn at birth.
///
/// A photon thus leaves exactly the energy that it had. A weighted photon with less than 2^−10 of its initial energy
/// ends, or continues with 2^−7 of it with the probability that preserves the mean (Russian roulette). The roulette
/// tally holds the units lost minus the units won.
///
/// With sampled paths, f = κd/n Σ exp(−κ d uᵢ) for n points at fractions uᵢ of the step; its mean is 1 − exp(−κd). A
/// step is at most 1/κ long, so f is at most 1.
struct Photon {
  Medium medium;      ///< medium in which it travels
  PhotonRules rules;  ///< rules by which it is traced

  /// Input variables. `birth` has seven draws (source, three of the position, two of the direction, one for the
  /// analogue weighting), `flight` one exponential per distance to a scattering. `scattering` and `plate` have two
  /// draws per change of direction, `roulette` one per roulette, `point` one per point of a sampled path.
  enum Input { birth, flight, scattering, plate, roulette, point, input_count };

  /// Number of draws, which is known only for the birth.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return {{{7}, {}, {}, {}, {}, {}}}; }

  /// Index of the roulette tally, which follows the tallies of all sinks.
  KOKKOS_FUNCTION int roulette_tally() const { return medium.elements() + 2; }

  /// Traces one photon. It first calls `tally.start(source)` with the index of the source, then
  /// `tally.add(sink, units)` for everything that it leaves at a sink and for the roulette. The units of a photon sum
  /// to `bundle_units`.
  template <class Inputs, class Tally>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Tally& tally) const;
};

namespace impl {

/// Returns e^−t for 0 <= t <= 40, bitwise identical to math::exp but without the steps for larger arguments.
KOKKOS_FORCEINLINE_FUNCTION double exp_of_minus(double t) {
  const math::impl::ExpParts y = math::impl::exp_parts({-t, 0.0});
  return (y.mantissa.high + y.mantissa.low) * math::impl::power_of_two(y.exponent);
}

/// Returns 1 − e^−t for t >= 0; in double precision it is 1 for t >= 40.
KOKKOS_FORCEINLINE_FUNCTION double absorbed_part(double t) { return 1.0 - exp_of_minus(t < 40.0 ? t : 40.0); }

/// State of a photon in flight.
struct PhotonState {
  Kokkos::Array<double, 3> position;  // in m; along the plates within the period, if there are columns
  Direction direction;
  Kokkos::Array<int, 3> cell;  // indices of both columns and of the slice
  int band;                    // spectral band
  double energy;               // units, an integer unless analogue
  double owed;                 // units: fraction of a unit carried over to the next step
  double fate;                 // units: an analogue photon is absorbed when its energy falls below this value
  double depth;                // optical distance to the next scattering; negative if the photon is at a scattering

  KOKKOS_FORCEINLINE_FUNCTION bool lives() const { return energy > 0.0; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_at_scattering() const { return depth < 0.0; }
};

/// End of a step: at a face across `axis`, or within the element.
struct PhotonStep {
  double distance;  // distance in m
  int axis;         // axis of the face; 3 if it ends within the element
  bool scatters;    // whether it ends at a scattering
};

template <class Inputs, class Tally>
struct PhotonFlight {
  const Medium& medium;
  const PhotonRules& rules;
  Inputs& inputs;
  Tally& tally;
  PhotonState photon;

  KOKKOS_FORCEINLINE_FUNCTION const MediumSlice& slice() const {
    return medium.slices[photon.band * (medium.slice_count + 1) + photon.cell[2]];
  }

  KOKKOS_INLINE_FUNCTION void begin();
  KOKKOS_INLINE_FUNCTION void begin_in_element(int element, const double (&place)[3], double cosine, double turn);
  KOKKOS_INLINE_FUNCTION void begin_at_plate(int plate, const double (&place)[3], double cosine, double turn);
  KOKKOS_INLINE_FUNCTION void advance();
  KOKKOS_INLINE_FUNCTION void move();
  KOKKOS_INLINE_FUNCTION PhotonStep next_step() const;
  template <int first_axis>
  KOKKOS_INLINE_FUNCTION PhotonStep way_to_face() const;
  KOKKOS_INLINE_FUNCTION double absorbed_share(double thickness);
  KOKKOS_INLINE_FUNCTION void absorb(int sink, double share);
  KOKKOS_INLINE_FUNCTION void cross(int axis);
  KOKKOS_INLINE_FUNCTION void cross_slice();
  template <int axis>
  KOKKOS_INLINE_FUNCTION void cross_column();
  KOKKOS_INLINE_FUNCTION void meet_plate(int plate);
  KOKKOS_INLINE_FUNCTION void scatter();
  KOKKOS_INLINE_FUNCTION void play_roulette();

  KOKKOS_FORCEINLINE_FUNCTION double next_depth() {
    return medium.scatters ? exponential(inputs(Photon::flight), 1.0) : math::impl::infinity;
  }
};

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::begin() {
  const int elements = medium.elements(), drawn = static_cast<int>(discrete(inputs(Photon::birth), medium.sources));
  photon.band = drawn / (elements + 3);
  const int source = drawn - photon.band * (elements + 3);
  tally.start(source);
  double place[3];
  for (double& coordinate : place) coordinate = inputs(Photon::birth);
  const double cosine = inputs(Photon::birth);
  const double turn = inputs(Photon::birth);
  const double fate = inputs(Photon::birth);
  photon.energy = static_cast<double>(bundle_units);
  photon.owed = 0.0;
  photon.fate = fate * static_cast<double>(bundle_units);
  photon.depth = next_depth();
  if (source < elements) {
    begin_in_element(source, place, 2.0 * cosine - 1.0, turn);
  } else if (source < elements + 2) {
    const int plate = source - elements;
    begin_at_plate(plate, place, plate == 0 ? diffuse_cosine(cosine) : -diffuse_cosine(cosine), turn);
  } else {
    begin_at_plate(0, place, medium.beam_cosine, 0.0);
  }
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::begin_in_element(int element, const double (&place)[3],
                                                                          double cosine, double turn) {
  const int row = element / medium.columns[0];
  photon.cell = {{element % medium.columns[0], row % medium.columns[1], row / medium.columns[1]}};
  for (int axis = 0; axis < 2; ++axis) {
    photon.position[axis] = (photon.cell[axis] + place[axis]) * medium.widths[axis];
  }
  const double bottom = slice().bottom, top = (&slice())[1].bottom;
  photon.position[2] = bottom + place[2] * (top - bottom);
  photon.direction = direction_about_normal(cosine, turn);
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::begin_at_plate(int plate, const double (&place)[3],
                                                                        double cosine, double turn) {
  for (int axis = 0; axis < 2; ++axis) {
    const double columns = place[axis] * medium.columns[axis];
    const int column = static_cast<int>(columns);
    photon.cell[axis] = column < medium.columns[axis] ? column : medium.columns[axis] - 1;
    photon.position[axis] = columns * medium.widths[axis];
  }
  photon.cell[2] = plate == 0 ? 0 : medium.slice_count - 1;
  photon.position[2] = medium.slices[plate == 0 ? 0 : medium.slice_count].bottom;
  photon.direction = direction_about_normal(cosine, turn);
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::advance() {
  move();
  if (photon.lives() && photon.is_at_scattering()) scatter();
}

// Makes a step, without the scattering at its end.
template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::move() {
  const PhotonStep step = next_step();
  const double scattering = slice().scattering;
  absorb(medium.element(photon.cell), absorbed_share(slice().absorption * step.distance));
  if (!photon.lives()) return;
  for (int axis = 0; axis < 3; ++axis) photon.position[axis] += step.distance * photon.direction[axis];
  if (step.scatters) {
    photon.depth = -1.0;
  } else {
    const double left = scattering > 0.0 ? photon.depth - scattering * step.distance : photon.depth;
    photon.depth = left > 0.0 ? left : 0.0;
    if (step.axis < 3) cross(step.axis);
  }
  if (rules.weighting == PhotonWeighting::weighted) play_roulette();
}

// Rounding may place a photon slightly beyond the next face; the distance is then 0. The quotients are in the range of
// math::quotient: lengths are checked, and a cosine left by rounding is 0 or far above 2^−800. The loop has no branch
// so that the quotients of the axes are interleaved.
template <class Inputs, class Tally>
template <int first_axis>
KOKKOS_INLINE_FUNCTION PhotonStep PhotonFlight<Inputs, Tally>::way_to_face() const {
  PhotonStep step{math::impl::infinity, 3, false};
  for (int axis = first_axis; axis < 3; ++axis) {
    const double along = photon.direction[axis];
    const int upwards = along > 0.0 ? 1 : 0;
    const double face = axis == 2 ? (&slice())[upwards].bottom : (photon.cell[axis] + upwards) * medium.widths[axis];
    const double way = math::quotient(face - photon.position[axis], along);
    const bool is_face = along != 0.0 && (axis == 2 || medium.columns[axis] > 1);
    const bool is_nearer = is_face && way < step.distance;
    step.distance = is_nearer ? sporos::impl::positive_part(way) : step.distance;
    step.axis = is_nearer ? axis : step.axis;
  }
  return step;
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION PhotonStep PhotonFlight<Inputs, Tally>::next_step() const {
  const MediumSlice& here = slice();
  const bool has_columns = medium.columns[0] > 1 || medium.columns[1] > 1;
  PhotonStep step = has_columns ? way_to_face<0>() : way_to_face<2>();
  if (here.scattering * step.distance > photon.depth) step = {math::quotient(photon.depth, here.scattering), 3, true};
  if (rules.paths == PathTreatment::sampled && here.absorption * step.distance > 1.0) {
    step = {1.0 / here.absorption, 3, false};
  }
  return step;
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION double PhotonFlight<Inputs, Tally>::absorbed_share(double thickness) {
  if (rules.paths == PathTreatment::exact || !(thickness > 0.0)) return absorbed_part(thickness);
  double sum = 0.0;
  for (int i = 0; i < rules.points; ++i) {
    const double u = inputs(Photon::point);
    sum += exp_of_minus(thickness * u);
  }
  const double share = thickness * sum / rules.points;
  return share < 1.0 ? share : 1.0;
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::absorb(int sink, double share) {
  if (rules.weighting == PhotonWeighting::analogue) {
    photon.energy *= 1.0 - share;
    if (photon.energy >= photon.fate) return;
    photon.energy = 0.0;
    tally.add(sink, bundle_units);
  } else {
    photon.owed += photon.energy * share;
    const double whole = static_cast<double>(static_cast<std::int64_t>(photon.owed));
    const double units = whole < photon.energy ? whole : photon.energy;
    photon.owed -= units;
    if (units == 0.0) return;
    photon.energy -= units;
    tally.add(sink, static_cast<std::int64_t>(units));
  }
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::cross(int axis) {
  // Use compile-time axes: an index known only at run time would move the photon to memory.
  if (axis == 2) {
    cross_slice();
  } else if (axis == 1) {
    cross_column<1>();
  } else {
    cross_column<0>();
  }
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::cross_slice() {
  const bool upwards = photon.direction[2] > 0.0;
  const int next = photon.cell[2] + (upwards ? 1 : -1);
  if (next < 0 || next == medium.slice_count) return meet_plate(upwards ? 1 : 0);
  photon.cell[2] = next;
  photon.position[2] = medium.slices[upwards ? next : next + 1].bottom;
}

template <class Inputs, class Tally>
template <int axis>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::cross_column() {
  const bool upwards = photon.direction[axis] > 0.0;
  const int columns = medium.columns[axis], next = photon.cell[axis] + (upwards ? 1 : -1);
  const int column = next < 0 ? columns - 1 : (next == columns ? 0 : next);
  photon.cell[axis] = column;
  photon.position[axis] = (upwards ? column : column + 1) * medium.widths[axis];
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::meet_plate(int plate) {
  absorb(medium.elements() + plate, medium.plates[photon.band].emissivity[plate]);
  if (!photon.lives()) return;
  const double cosine = diffuse_cosine(inputs(Photon::plate));
  const double turn = inputs(Photon::plate);
  photon.direction = direction_about_normal(plate == 0 ? cosine : -cosine, turn);
  photon.cell[2] = plate == 0 ? 0 : medium.slice_count - 1;
  photon.position[2] = medium.slices[plate == 0 ? 0 : medium.slice_count].bottom;
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::scatter() {
  const double cosine = scattering_cosine(slice().asymmetry, inputs(Photon::scattering));
  const double turn = inputs(Photon::scattering);
  photon.direction = deflected(photon.direction, cosine, turn);
  photon.depth = next_depth();
}

template <class Inputs, class Tally>
KOKKOS_INLINE_FUNCTION void PhotonFlight<Inputs, Tally>::play_roulette() {
  constexpr double least = static_cast<double>(bundle_units >> 10), prize = static_cast<double>(bundle_units >> 7);
  if (photon.energy >= least || !photon.lives()) return;
  const double u = inputs(Photon::roulette);
  const double after = u * prize < photon.energy ? prize : 0.0;
  tally.add(medium.elements() + 2, static_cast<std::int64_t>(photon.energy - after));
  photon.energy = after;
}

}  // namespace impl

template <class Inputs, class Tally>
KOKKOS_FUNCTION void Photon::operator()(Inputs& inputs, Tally& tally) const {
  impl::PhotonFlight<Inputs, Tally> whole{medium, rules, inputs, tally, {}};
  whole.begin();
  while (whole.photon.lives()) whole.advance();
}

}  // namespace sporos::models
