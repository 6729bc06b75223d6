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

/// What searches minimize: a function of simulated means, of which replications at given points are all they see.
namespace sporos {

/// Replications that are wanted at a point.
struct Sample {
  std::vector<double> x;      ///< the point
  std::uint64_t seed = 0;     ///< of the random numbers: equal ones make points comparable (common random numbers)
  std::int64_t first = 0;     ///< number of the first replication
  std::int64_t count = 0;     ///< how many, at least 1
  bool has_gradient = false;  ///< whether their derivatives are wanted too
  bool has_values = false;    ///< whether single replications are wanted too
  std::vector<double> direction = {};  ///< where not empty, along it derivatives of gradients are wanted too
};

/// What some replications at a point tell of the k quantities that an objective is a function of.
struct SampleMoments {
  std::int64_t count = 0;        ///< replications
  std::vector<double> means;     ///< of each quantity
  std::vector<double> products;  ///< Σ (Yᵢ − mean)(Yⱼ − mean) of quantities i and j, at i · k + j
  std::vector<double> slopes;    ///< ∂mean of quantity i by coordinate j, at i · d + j; empty where none were wanted
  std::vector<double> values;    ///< where wanted: of quantity 0 all replications, then all of its derivatives by each
                                 ///< coordinate, then those of these along the direction, then the same of quantity 1
                                 ///< and so on
  std::vector<double> curvatures = {};  ///< derivatives of `slopes` along a direction, likewise
  std::vector<double> least = {};  ///< of quantities with thresholds (tail_problem.hpp): means at thresholds that make
                                   ///< them least for these replications
  std::int64_t failed = 0;         ///< replications that failed or have a quantity that is not finite; a point with
                                   ///< such is infeasible, and has no moments and a count of 0
  MarkedFailure failure = {};      ///< why the first of them failed, if it says so

  /// Adds `others` at the same point (Chan, Golub, LeVeque 1983), without single replications.
  void add(const SampleMoments& others);
};

/// Mean and spread of hⱼ, of a constraint hⱼ(x, E[Y(x)]) ≤ 0, by some replications at a point.
struct ConstraintMean {
  double mean = 0;               ///< hⱼ at the means of its quantities
  double squared_deviation = 0;  ///< Σ (hⱼ − mean)², that of one replication being linear in its quantities
  std::vector<double> gradient;  ///< ∂mean by each coordinate, empty where none was wanted
};

/// What replications tell of a constraint hⱼ ≤ 0.
struct ConstraintBounds {
  double mean;             ///< estimate of hⱼ
  double lower;            ///< lower bound
  double upper;            ///< upper bound
  bool are_alike = false;  ///< whether hⱼ is the same in all replications, so that bounds are what can have been missed
};

/// Mean and spread of the objective by some replications at a point.
struct SampleMean {
  std::int64_t count = 0;        ///< replications
  double mean = 0;               ///< the objective at the means of its quantities
  double squared_deviation = 0;  ///< Σ (objective − mean)², that of one replication being linear in its quantities
  std::vector<double> gradient;  ///< ∂mean by each coordinate, empty where none was wanted
  std::vector<double> hessian_product = {};  ///< ∂gradient along the sample's direction, empty where it has none
  std::vector<double> values;  ///< where wanted: of each replication its objective, linear as above, then the
                               ///< derivatives of that by each coordinate, all replications of one after the other
  SampleMoments moments = {};  ///< of the quantities
  std::vector<ConstraintMean> constraints = {};  ///< of the problem, by the same replications

  /// Unbiased variance of one replication's objective; infinite below two replications.
  double variance() const {
    return count < 2 ? std::numeric_limits<double>::infinity() : squared_deviation / static_cast<double>(count - 1);
  }
  /// Estimated variance of the mean.
  double variance_of_mean() const { return variance() / static_cast<double>(count); }
};

/// How far two means are apart, and the variance of that, by replications with the same random numbers at both points.
struct PairedDifference {
  double mean;              ///< first less second
  double variance_of_mean;  ///< estimated
};

/// Of samples whose single replications are known and were made with the same random numbers.
PairedDifference paired_difference(const SampleMean& first, const SampleMean& second);

/// The value of a distribution below which a share u of it lies, 0 < u < 1.
using QuantileFunction = std::function<double(double)>;

/// A function of d coordinates within bounds, to be minimized: g(x, E[Y(x)]) of the means of k simulated quantities,
/// which are known by replications; where it has constraints on means, over those x with hⱼ(x, E[Y(x)]) ≤ 0. Its errors
/// are those of g's linear part (the delta method); where g is not linear, the bias of its estimate is of the order of
/// one over the number of replications.
class SampledProblem {
 public:
  virtual ~SampledProblem() = default;

  /// Of each coordinate.
  virtual std::span<const DecisionRange> bounds() const = 0;

  /// On the coordinates, beside their bounds.
  virtual std::span<const LinearConstraint> constraints() const { return {}; }

  /// How points are drawn at random: the distribution of each coordinate; an empty function, and none for the last
  /// coordinates, where that is uniform between the bounds.
  virtual std::span<const QuantileFunction> drawn_by() const { return {}; }

  /// Whether samples can have gradients.
  virtual bool has_gradient() const = 0;

  /// Whether samples can have directions.
  virtual bool has_curvature() const { return false; }

  /// How many replications one with its gradient counts for.
  virtual std::int64_t gradient_cost() const { return 1; }

  /// Number k of quantities that the objective is a function of.
  virtual std::size_t quantities() const { return 1; }

  /// Runs all samples, side by side where the problem can. A point is infeasible if the model does not exist there or
  /// if replications fail: its moments have a count of 0, also where derivatives are wanted.
  virtual std::vector<SampleMoments> simulate(std::span<const Sample> samples) = 0;

  /// g, and where they are not empty ∂g by each coordinate and by each mean. Usually the mean of the one quantity.
  virtual double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                           std::span<double> by_means) const;

  /// Number m of constraints hⱼ(x, E[Y(x)]) ≤ 0 beside the region.
  virtual std::size_t constraints_on_means() const { return 0; }

  /// hⱼ, with derivatives as those of g. Called for j < m alone.
  virtual double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                                     std::span<double> by_coordinates, std::span<double> by_means) const;

  /// Between which values a quantity lies in every replication at x. Usually it is not known.
  virtual ResponseRange quantity_range(std::size_t, std::span<const double>) const { return {}; }

  /// Bounds of hⱼ at x, each of which holds with probability `confidence`, by independent batches of replications.
  /// Usually Student's, of the linear part; where hⱼ is the same in all replications, what so many can have missed of
  /// the ranges of its quantities, which is infinite where a range is not known.
  virtual ConstraintBounds constraint_bounds(std::size_t j, std::span<const double> x,
                                             std::span<const SampleMoments> batches, double confidence) const;

  /// What messages call a coordinate.
  virtual std::string coordinate_name(std::size_t coordinate) const;

  /// The objective at x by `moments`. It is infinite, with a count of 0, at an infeasible point: without moments, or
  /// where the objective, a constraint or a derivative is not finite. The part of a Hessian product that comes from g's
  /// own second derivatives is by differences of its first ones, to some ten digits.
  SampleMean estimate(std::span<const double> x, SampleMoments moments, std::span<const double> direction = {}) const;

  /// Simulates and estimates. @throws std::invalid_argument for a sample with a direction that the problem cannot have.
  std::vector<SampleMean> evaluate(std::span<const Sample> samples);

  /// Number d of coordinates.
  std::size_t dimension() const { return bounds().size(); }

  /// Bounds and constraints.
  SearchRegion region() const { return {bounds(), constraints()}; }
};

/// The Hessian of the objective by a sample, row by row: its products with all coordinates' directions, in one launch.
/// @throws std::invalid_argument where the problem has no curvature.
std::vector<double> hessian(SampledProblem& problem, const Sample& sample);

/// A problem that is made of another one, which must outlive it: all that a class does not change is that one's.
class ProblemOverProblem : public SampledProblem {
 public:
  /// Over `problem`.
  explicit ProblemOverProblem(SampledProblem& problem) : m_problem(problem) {}

  std::span<const DecisionRange> bounds() const override { return m_problem.bounds(); }
  std::span<const LinearConstraint> constraints() const override { return m_problem.constraints(); }
  std::span<const QuantileFunction> drawn_by() const override { return m_problem.drawn_by(); }
  bool has_gradient() const override { return m_problem.has_gradient(); }
  bool has_curvature() const override { return m_problem.has_curvature(); }
  std::int64_t gradient_cost() const override { return m_problem.gradient_cost(); }
  std::size_t quantities() const override { return m_problem.quantities(); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override { return m_problem.simulate(samples); }
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
  SampledProblem& m_problem;  ///< the one below
};

}  // namespace sporos
