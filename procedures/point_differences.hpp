// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sporos {

/// Method by which several intervals hold simultaneously.
enum class Simultaneous {
  bonferroni,  ///< Bonferroni's inequality, which holds for any dependence
  max_t        ///< the quantile of the largest of all statistics (max_t_confidence)
};

/// Names of the values of Simultaneous.
template <>
struct ChoiceNames<Simultaneous> {
  static constexpr std::string_view what = "simultaneous method";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<Simultaneous>>(
      {{"bonferroni", Simultaneous::bonferroni}, {"max-t", Simultaneous::max_t}});
};

/// The difference of two design points' estimates.
struct PointDifference {
  std::size_t first;   ///< index of the point
  std::size_t second;  ///< index of the point whose estimate is subtracted
  double difference;   ///< estimate of `first` minus that of `second`; NaN if one has none
  double half_width;   ///< half-width of the interval; infinite if its variance is not known
};

/// Pairs of design points whose differences are computed.
enum class DifferencesOf {
  all,    ///< every point minus each point before it
  first,  ///< every other point minus the first one
};

/// Difference of a design point's estimate from the best one of all others. If it is less than 0, the point is not the
/// largest; if it is more than 0, the point is not the smallest.
struct DistanceFromBest {
  double difference;  ///< difference of the estimates
  double lower;       ///< lower end of its interval
  double upper;       ///< upper end of its interval
};

/// Differences between the design points of an experiment in the expectation of one response (a mean or a ratio of
/// means), with intervals that hold simultaneously.
///
/// The object receives observations as they come. With common random numbers, observation i of one point depends on
/// observation i of the others. Differences are then paired, and their variances are those of n paired differences
/// (ratios are linearized about the means). Otherwise the points are independent.
class PointDifferences {
 public:
  /// Takes an estimator for each design point (see estimator_of), all of the same response.
  PointDifferences(const std::vector<RatioOfMeans>& estimators, bool common_random_numbers);

  /// Adds the next observation of a response at a design point. Ignores responses that the estimator does not use.
  void add(std::size_t point, std::size_t response, double observation);

  /// Number of observations that every point has so far.
  std::int64_t count() const { return m_count; }

  /// Estimate of each design point.
  std::vector<double> estimates() const;

  /// Covariances of the estimates; 0 between independent points. Infinite with fewer than two observations, and for a
  /// ratio whose denominator is not clearly away from 0.
  SquareMatrix covariance() const;

  /// Returns the differences, in the order of their points, with intervals that hold simultaneously with `confidence`.
  /// Each is a Student interval with count() − 1 degrees of freedom, at the confidence that `method` requires. If all
  /// points are compared and are independent, Tukey's studentized range replaces Bonferroni. Each pair then has its own
  /// variances and the smallest possible degrees of freedom (Games and Howell 1976 estimate these).
  std::vector<PointDifference> differences(DifferencesOf which, Simultaneous method, double confidence) const;

 private:
  struct Column {
    std::size_t point;
    int response;
    std::size_t seen;  // observations so far
  };

  void take(const double* row);
  // An estimate, its derivatives by the means of the point's columns, and whether its variance is known.
  struct Linearized {
    double value;
    std::vector<double> gradient;
    bool is_known;
  };
  Linearized estimate_at(std::size_t point) const;
  double covariance_of(std::size_t p, const std::vector<double>& weights_of_p, std::size_t q,
                       const std::vector<double>& weights_of_q) const;

  std::vector<RatioOfMeans> m_estimators;
  bool m_is_paired;
  std::vector<Column> m_columns;             // observed responses, ordered by points
  std::vector<std::size_t> m_first_columns;  // first column of each point, then the number of columns
  std::int64_t m_count = 0;
  std::vector<double> m_means;        // means of the columns
  SquareMatrix m_deviations;          // Σ (x − mean of x) (y − mean of y)
  std::vector<double> m_waiting;      // incomplete rows, which wait for other columns
  std::vector<std::size_t> m_filled;  // number of columns that each waiting row has
  std::size_t m_taken = 0;            // number of these rows already taken
};

/// Returns the distance of each design point from the best other one. The intervals hold if those of all `differences`
/// do (Hsu, Multiple comparisons, 1996, section 4: μ_i − max μ_j = min (μ_i − μ_j) over all other j).
std::vector<DistanceFromBest> distances_from_best(const std::vector<PointDifference>& differences, std::size_t points,
                                                  bool is_largest_best);

}  // namespace sporos
