// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/optimizers/search/search_region.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

/// Problems of searches: minimize a function of simulated means. Searches only see replications at given points.
namespace sporos {

/// A request for replications at a point.
struct Sample {
  std::vector<double> x;   ///< The point.
  std::uint64_t seed = 0;  ///< Seed of the random numbers; equal seeds make points comparable (common random numbers).
  std::int64_t first = 0;  ///< Index of the first replication.
  std::int64_t count = 0;  ///< Number of replications, at least 1.
  bool has_gradient = false;           ///< Whether derivatives are requested.
  bool has_values = false;             ///< Whether single replications are requested.
  std::vector<double> direction = {};  ///< Direction along which derivatives of gradients are requested, or empty.
};

/// Moments, over some replications at a point, of the k quantities on which the objective depends.
struct SampleMoments {
  std::int64_t count = 0;        ///< Number of replications.
  std::vector<double> means;     ///< Mean of each quantity.
  std::vector<double> products;  ///< Σ (Yᵢ − mean)(Yⱼ − mean) of quantities i and j, at index i · k + j.
  std::vector<double> slopes;  ///< ∂mean of quantity i by coordinate j, at index i · d + j; empty if not requested.
  /// Single replications, if requested, as columns. For quantity 0 the columns are its values, then its derivatives by
  /// each coordinate, then the derivatives of these along the direction; the other quantities follow.
  std::vector<double> values;
  std::vector<double> curvatures = {};  ///< Derivatives of `slopes` along a direction, in the same layout.
  /// For quantities with thresholds (tail_problem.hpp): means at their minimizing thresholds on these replications.
  std::vector<double> least = {};
  /// Number of replications that failed or have a quantity that is not finite. A point with such replications is
  /// infeasible: it has no moments and a count of 0.
  std::int64_t failed = 0;
  MarkedFailure failure = {};  ///< Why the first failed replication failed, if it reports a reason.

  /// Merges `others` at the same point (Chan, Golub, LeVeque 1983); drops single replications.
  void add(const SampleMoments& others);
};

/// Mean and spread of hⱼ, for a constraint hⱼ(x, E[Y(x)]) ≤ 0, over some replications at a point.
struct ConstraintMean {
  double mean = 0;               ///< hⱼ at the means of its quantities.
  double squared_deviation = 0;  ///< Σ (hⱼ − mean)², with hⱼ of one replication linearized in its quantities.
  std::vector<double> gradient;  ///< ∂mean by each coordinate; empty if not requested.
};

/// Confidence bounds of a constraint function hⱼ, with hⱼ ≤ 0.
struct ConstraintBounds {
  double mean;   ///< Estimate of hⱼ.
  double lower;  ///< Lower bound.
  double upper;  ///< Upper bound.
  /// Whether hⱼ is identical in all replications, so that the bounds cover what these may have missed.
  bool are_identical = false;
};

/// Mean and spread of the objective over some replications at a point.
struct SampleMean {
  std::int64_t count = 0;  ///< Number of replications.
  double mean = 0;         ///< Objective at the means of its quantities.
  /// Σ (objective − mean)², with the objective of one replication linearized in its quantities.
  double squared_deviation = 0;
  std::vector<double> gradient;              ///< ∂mean by each coordinate; empty if not requested.
  std::vector<double> hessian_product = {};  ///< ∂gradient along the sample's direction; empty without a direction.
  /// Single replications, if requested, as columns: the objective, linearized as above, then its derivatives by each
  /// coordinate.
  std::vector<double> values;
  SampleMoments moments = {};                    ///< Moments of the quantities.
  std::vector<ConstraintMean> constraints = {};  ///< Constraints of the problem on the same replications.

  /// Whether replications succeeded, but the objective, a constraint or a derivative is not finite.
  bool is_undefined() const { return count == 0 && moments.count > 0; }
  /// Unbiased variance of one replication's objective; infinite for fewer than two replications.
  double variance() const {
    return count < 2 ? std::numeric_limits<double>::infinity() : squared_deviation / static_cast<double>(count - 1);
  }
  /// Estimated variance of the mean.
  double variance_of_mean() const { return variance() / static_cast<double>(count); }
};

/// Difference between two means and its variance, from replications with the same random numbers at both points.
struct PairedDifference {
  double mean;              ///< Mean of the first minus mean of the second.
  double variance_of_mean;  ///< Estimated variance of the difference.
};

/// Paired difference of two samples with single replications and the same random numbers.
PairedDifference paired_difference(const SampleMean& first, const SampleMean& second);

/// Quantile function of a distribution: replaces each u of a span, 0 < u < 1, by the value below which a fraction u of
/// the distribution lies.
using QuantileFunction = std::function<void(std::span<double>)>;

/// A function of d coordinates within bounds, to be minimized: g(x, E[Y(x)]), where the means of the k quantities Y are
/// estimated by replications. With constraints on means, the feasible points x also satisfy hⱼ(x, E[Y(x)]) ≤ 0.
/// Standard errors are those of g's linear part (the delta method). If g is not linear, its estimate has a bias of the
/// order of one over the number of replications.
class SampledProblem {
 public:
  virtual ~SampledProblem() = default;

  /// Lower and upper bound of each coordinate.
  virtual std::span<const DecisionRange> bounds() const = 0;

  /// Linear constraints on the coordinates, in addition to their bounds.
  virtual std::span<const LinearConstraint> constraints() const { return {}; }

  /// Distributions from which points are drawn, one per coordinate. An empty function, or a missing one for the last
  /// coordinates, stands for the uniform distribution between the bounds.
  virtual std::span<const QuantileFunction> drawn_by() const { return {}; }

  /// Whether samples can have gradients.
  virtual bool has_gradient() const = 0;

  /// Whether samples can have directions.
  virtual bool has_curvature() const { return false; }

  /// Cost of one replication with its gradient, in replications.
  virtual std::int64_t gradient_cost() const { return 1; }

  /// Number k of quantities on which the objective depends.
  virtual std::size_t quantities() const { return 1; }

  /// Simulates all samples, side by side if the problem supports it. A point is infeasible if the model does not exist
  /// there or replications fail. Its moments then have a count of 0, even if derivatives were requested.
  virtual std::vector<SampleMoments> simulate(std::span<const Sample> samples) = 0;

  /// Records a sample whose replications succeeded, but whose objective, a constraint or a derivative is not finite. A
  /// search calls this function. Default: does nothing.
  virtual void note_undefined(const Sample&, const SampleMoments&) {}

  /// Approximates the means of the quantities at x without replications, such as by queueing formulas; a mean is not a
  /// number if it is unknown. Default: empty, for a problem without approximations.
  virtual std::vector<double> approximate_means(std::span<const double>) const { return {}; }

  /// Returns g and, if the spans are not empty, sets ∂g by each coordinate and mean. Default: the mean of the only
  /// quantity.
  virtual double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                           std::span<double> by_means) const;

  /// Number m of constraints hⱼ(x, E[Y(x)]) ≤ 0 in addition to the region.
  virtual std::size_t constraints_on_means() const { return 0; }

  /// Returns hⱼ, with derivatives as for the objective. Called only for j < m.
  virtual double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                                     std::span<double> by_coordinates, std::span<double> by_means) const;

  /// Range within which a quantity lies in every replication at x. Default: unknown.
  virtual ResponseRange quantity_range(std::size_t, std::span<const double>) const { return {}; }

  /// Bounds of hⱼ at x, each of which holds with probability `confidence`, from independent batches of replications. By
  /// default these are Student's bounds of the linear part. If hⱼ is identical in all replications, they cover what
  /// this number of replications may have missed of the ranges of its quantities, and are infinite if a range is
  /// unknown.
  virtual ConstraintBounds constraint_bounds(std::size_t j, std::span<const double> x,
                                             std::span<const SampleMoments> batches, double confidence) const;

  /// Name of a coordinate in messages.
  virtual std::string coordinate_name(std::size_t coordinate) const;

  /// Estimates the objective at x from `moments`. It is infinite, with a count of 0, at an infeasible point: one
  /// without moments, or with an objective, constraint or derivative that is not finite. In a Hessian product, g's
  /// second derivatives are differences of its first ones, to about ten digits.
  SampleMean estimate(std::span<const double> x, SampleMoments&& moments, std::span<const double> direction = {}) const;
  /// Makes the same estimate from a copy of `moments`.
  SampleMean estimate(std::span<const double> x, const SampleMoments& moments,
                      std::span<const double> direction = {}) const {
    return estimate(x, SampleMoments(moments), direction);
  }

  /// Returns the objective at the approximate means; not a number if it has no approximation at x.
  double approximation(std::span<const double> x) const;

  /// Simulates the samples and estimates the objective at their points.
  /// @throws std::invalid_argument if a sample has a direction that the problem does not support.
  std::vector<SampleMean> evaluate(std::span<const Sample> samples);

  /// Number d of coordinates.
  std::size_t dimension() const { return bounds().size(); }

  /// Bounds and constraints.
  SearchRegion region() const { return {bounds(), constraints()}; }
};

/// Hessian of the objective on a sample, row by row, from its products with all unit directions, in one launch.
/// @throws std::invalid_argument if the problem has no curvature.
std::vector<double> hessian(SampledProblem& problem, const Sample& sample);

/// Base class of problems that wrap another one, which must outlive them. It forwards all members not overridden.
class ProblemOverProblem : public SampledProblem {
 public:
  /// Wraps `problem`.
  explicit ProblemOverProblem(SampledProblem& problem) : m_problem(problem) {}

  std::span<const DecisionRange> bounds() const override { return m_problem.bounds(); }
  std::span<const LinearConstraint> constraints() const override { return m_problem.constraints(); }
  std::span<const QuantileFunction> drawn_by() const override { return m_problem.drawn_by(); }
  bool has_gradient() const override { return m_problem.has_gradient(); }
  bool has_curvature() const override { return m_problem.has_curvature(); }
  std::int64_t gradient_cost() const override { return m_problem.gradient_cost(); }
  std::size_t quantities() const override { return m_problem.quantities(); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override { return m_problem.simulate(samples); }
  void note_undefined(const Sample& sample, const SampleMoments& moments) override {
    m_problem.note_undefined(sample, moments);
  }
  std::vector<double> approximate_means(std::span<const double> x) const override {
    return m_problem.approximate_means(x);
  }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return m_problem.objective(x, means, by_coordinates, by_means);
  }
  std::size_t constraints_on_means() const override { return m_problem.constraints_on_means(); }
  double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return m_problem.constraint_on_means(j, x, means, by_coordinates, by_means);
  }
  ResponseRange quantity_range(std::size_t quantity, std::span<const double> x) const override {
    return m_problem.quantity_range(quantity, x);
  }
  ConstraintBounds constraint_bounds(std::size_t j, std::span<const double> x, std::span<const SampleMoments> batches,
                                     double confidence) const override {
    return m_problem.constraint_bounds(j, x, batches, confidence);
  }
  std::string coordinate_name(std::size_t coordinate) const override { return m_problem.coordinate_name(coordinate); }

 protected:
  SampledProblem& m_problem;  ///< The wrapped problem.
};

}  // namespace sporos
