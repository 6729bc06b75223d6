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

/// Function c(x) of coordinates x. If `gradient` is not empty, sets gradient[i] = ∂c/∂xᵢ.
using FunctionOfCoordinates = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// Measure of a tail.
enum class TailMeasure {
  probability,  ///< Probability P(Z > 0).
  cvar,         ///< CVaR: mean of the largest fraction 1 − level of all Z.
};

/// A constraint on the tail of Z = c(x) + Σ wᵢ Yᵢ, where Y are a problem's quantities: its measure is at most a limit,
/// which may depend on x.
struct TailConstraint {
  std::string name;              ///< Name of the measure in messages.
  TailMeasure measure;           ///< Measure of Z.
  double level;                  ///< Level of CVaR, in (0, 1).
  std::vector<double> weights;   ///< Weights w.
  FunctionOfCoordinates offset;  ///< Offset c.
  FunctionOfCoordinates limit;   ///< Limit of the measure.
  bool is_reversed = false;      ///< Whether the measure must be at least the limit; only for probabilities.
};

/// A problem with constraints on tails, which follow its own constraints on means. It requests single replications of
/// the wrapped problem, whose random numbers, and therefore bits, are unchanged.
///
/// **Probabilities** (chance constraints). The pathwise derivative of the indicator 1{Z > 0} is 0, which differs from
/// the derivative of its mean. The latter is ∂P/∂x = E[∂Z/∂x | Z = 0] f(0), where f is the density of Z (Hong: Oper.
/// Res. 57, 2009). It is estimated by a kernel, as the mean of K(Z / b) ∂Z/∂x / b with K(u) = ¾ (1 − u²). The width b
/// is 0.4 of the smaller of the sample's standard deviation and three quarters of its interquartile range. Values are
/// exact, derivatives have a bias of the order b². So constraints are satisfied without bias, and the optimum is missed
/// by the order of b⁴. If replications lie exactly on 0, as waits do, K is centred above it, at (Z − b) / b. Bounds are
/// those of Clopper and Pearson (Biometrika 26, 1934).
///
/// A quantity of the wrapped problem may be the constant 1 with the score ∂S/∂x as its derivative
/// (likelihood_ratio.hpp). The derivative of a tail's measure E[m(Z)] is then the mean of m(Z) ∂S/∂x plus, for the
/// dependence of Z itself on x, the pathwise derivative as above. No kernel is needed if Z depends only on variates.
///
/// **CVaR**. Each such constraint adds a coordinate, the threshold t, of
///
///     CVaR_β(Z) = min over t of t + E(Z − t)⁺ / (1 − β)
///
/// (Rockafellar, Uryasev: J. Risk 2, 2000), with exact pathwise derivatives; it is convex if Z is convex in x. At any t
/// the mean is an upper bound of CVaR, so a point that is feasible with t is feasible. Lower bounds are by batches,
/// each with the t that minimizes its own mean; their expectation is at most CVaR (Mak, Morton, Wood: Oper. Res. Lett.
/// 24, 1999). The coordinate is (t − quantile) / scale, 0 at the start. The scale is the larger of the standard
/// deviation and the distance from the quantile to the limit; quantile and scale are estimated.
class TailProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must outlive this object. If there are CVaR constraints, `pilot` replications of `seed` at
  /// `start` scale their coordinates. `score` is the index of the quantity whose derivatives are scores, if any.
  /// @throws std::invalid_argument if the number of weights differs from that of quantities, a level is outside (0, 1),
  /// a CVaR has a lower limit, or the start is infeasible.
  TailProblem(SampledProblem& problem, std::vector<TailConstraint> tails, const std::vector<double>& start,
              std::uint64_t seed, std::int64_t pilot = 1000, std::optional<std::size_t> score = {});

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  bool has_curvature() const override { return false; }
  std::size_t quantities() const override { return m_problem.quantities() + m_tails.size(); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  std::vector<double> approximate_means(std::span<const double>) const override { return {}; }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override;
  std::size_t constraints_on_means() const override { return m_problem.constraints_on_means() + m_tails.size(); }
  double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override;
  ResponseRange quantity_range(std::size_t quantity, std::span<const double> x) const override;
  ConstraintBounds constraint_bounds(std::size_t j, std::span<const double> x, std::span<const SampleMoments> batches,
                                     double confidence) const override;
  std::string coordinate_name(std::size_t coordinate) const override;

  /// Converts a point of the wrapped problem to a point of this one, with the thresholds of the start.
  std::vector<double> with_thresholds(std::vector<double> x) const;

  /// Returns x with the thresholds that minimize the means of their constraints on a sample at x.
  std::vector<double> with_best_thresholds(std::vector<double> x, std::int64_t replications, std::uint64_t seed,
                                           std::int64_t first);

 private:
  // Scaling of a CVaR constraint's threshold.
  struct Threshold {
    std::size_t coordinate = 0;  // 0 for probabilities
    double centre = 0, spread = 1;
  };

  // Measure of a tail: one value per replication, and its derivatives by each coordinate.
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
  std::vector<Threshold> m_thresholds;  // one per tail
  std::vector<DecisionRange> m_bounds;
  std::optional<std::size_t> m_score;
};

}  // namespace sporos
