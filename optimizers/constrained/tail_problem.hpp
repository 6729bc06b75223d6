// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// c(x) of coordinates x. Where `gradient` is not empty, ∂c/∂xᵢ is written to gradient[i].
using FunctionOfCoordinates = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// What is asked of a tail.
enum class TailMeasure {
  probability,  ///< P(Z > 0)
  cvar,         ///< the mean of the greatest share 1 − level of all Z
};

/// A constraint on the tail of Z = c(x) + Σ wᵢ Yᵢ, of a problem's quantities Y: its measure is at most a limit, which
/// may depend on x.
struct TailConstraint {
  std::string name;              ///< of the measure, for messages
  TailMeasure measure;           ///< of Z
  double level;                  ///< of CVaR, in (0, 1)
  std::vector<double> weights;   ///< w
  FunctionOfCoordinates offset;  ///< c
  FunctionOfCoordinates limit;   ///< of the measure
  bool is_reversed = false;      ///< whether the measure is to be at least the limit; of probabilities alone
};

/// A problem with constraints on tails, which stand behind its own constraints on means. It takes single replications
/// of the problem below; random numbers, and with them bits, stay.
///
/// **Probabilities** (chance constraints). The indicator 1{Z > 0} has the pathwise derivative 0, which is not that of
/// its mean. That is ∂P/∂x = E[∂Z/∂x | Z = 0] f(0) with the density f of Z (Hong: Oper. Res. 57, 2009), and is
/// estimated by a kernel, the mean of K(Z / b) ∂Z/∂x / b with K(u) = ¾ (1 − u²) and b = 0.4 of the lesser of the
/// standard deviation and three quarters of the interquartile range of the sample. Values are exact, derivatives have a
/// bias of the order b²: so constraints are met without bias, and the optimum is missed by the order of b⁴. Where
/// replications lie on 0 itself, as waits do, K lies above it, by (Z − b) / b. Bounds are those of Clopper and Pearson
/// (Biometrika 26, 1934).
///
/// Where a quantity below is the constant 1 with the score ∂S/∂x as its derivative (likelihood_ratio.hpp), that of a
/// tail's measure E[m(Z)] is the mean of m(Z) ∂S/∂x and, of what Z itself depends on x, of that by a path as above: no
/// kernel is needed where Z is made of variates alone.
///
/// **CVaR**. Each such constraint adds a coordinate, the threshold t, of
///
///     CVaR_β(Z) = min over t of t + E(Z − t)⁺ / (1 − β)
///
/// (Rockafellar, Uryasev: J. Risk 2, 2000), with exact pathwise derivatives; convex where Z is convex in x. At any t
/// the mean is an upper bound of CVaR, so that a point that is feasible with t is so. Lower bounds are by batches, each
/// with the t that makes its own mean least: their expectation is at most CVaR (Mak, Morton, Wood: Oper. Res. Lett. 24,
/// 1999). The coordinate is (t − quantile) / scale, 0 at the start, where quantile and scale, the
/// greater of the deviation and the way from the quantile to the limit, are estimated.
class TailProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it. Where there are CVaR constraints, their coordinates are scaled by `pilot`
  /// replications of `seed` at `start`. @throws std::invalid_argument for weights of another number than quantities, a
  /// level outside (0, 1), a CVaR that is to be at least its limit, and where there is nothing to run at the start.
  /// `score` is the place of the quantity whose derivatives are scores, where there is one.
  TailProblem(SampledProblem& problem, std::vector<TailConstraint> tails, const std::vector<double>& start,
              std::uint64_t seed, std::int64_t pilot = 1000, std::optional<std::size_t> score = {});

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  bool has_curvature() const override { return false; }
  std::size_t quantities() const override { return m_problem.quantities() + m_tails.size(); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override;
  std::size_t constraints_on_means() const override { return m_problem.constraints_on_means() + m_tails.size(); }
  double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override;
  ResponseRange quantity_range(std::size_t quantity, std::span<const double> x) const override;
  ConstraintBounds constraint_bounds(std::size_t j, std::span<const double> x, std::span<const SampleMoments> batches,
                                     double confidence) const override;
  std::string coordinate_name(std::size_t coordinate) const override;

  /// A point of the problem below with the thresholds of its start, as a point of this one.
  std::vector<double> with_thresholds(std::vector<double> x) const;

  /// x with thresholds that make their constraints' means least for a sample there.
  std::vector<double> with_best_thresholds(std::vector<double> x, std::int64_t replications, std::uint64_t seed,
                                           std::int64_t first);

 private:
  // Of a CVaR constraint.
  struct Threshold {
    std::size_t coordinate = 0;  // 0 for probabilities
    double centre = 0, spread = 1;
  };

  // Of a tail: a number a replication, and derivatives of these by each coordinate.
  struct TailSample {
    std::vector<double> values, slopes;
    double least;  // mean at the best threshold
  };

  std::size_t own_dimension() const { return m_problem.dimension(); }
  double threshold(std::size_t tail, std::span<const double> x) const;
  std::vector<double> tail_values(std::size_t tail, std::span<const double> x, const SampleMoments& below) const;
  TailSample tail_sample(std::size_t tail, const Sample& sample, const SampleMoments& below) const;
  std::vector<double> tail_slopes(std::size_t tail, const Sample& sample, const SampleMoments& below,
                                  const std::vector<double>& z, const std::vector<double>& by_z) const;
  double measured(std::size_t tail, std::span<const double> x, double z) const;
  SampleMoments extended(const Sample& sample, const SampleMoments& below) const;

  std::vector<TailConstraint> m_tails;
  std::vector<Threshold> m_thresholds;  // one a tail
  std::vector<DecisionRange> m_bounds;
  std::optional<std::size_t> m_score;
};

}  // namespace sporos
