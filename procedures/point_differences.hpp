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

/// By what several intervals hold together.
enum class Simultaneous {
  bonferroni,  ///< whatever their dependence
  max_t        ///< the quantile of the largest of all statistics (max_t_confidence)
};

/// Names of the two.
template <>
struct ChoiceNames<Simultaneous> {
  static constexpr std::string_view what = "simultaneous method";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Simultaneous>>(
      {{"bonferroni", Simultaneous::bonferroni}, {"max-t", Simultaneous::max_t}});
};

/// The difference of two design points' estimates.
struct PointDifference {
  std::size_t first;   ///< the point
  std::size_t second;  ///< the one whose estimate is subtracted
  double difference;   ///< of the first less that of the second; NaN where one has none
  double half_width;   ///< of its interval; infinite where nothing is known of it
};

/// Which differences are asked for.
enum class DifferencesOf {
  all,    ///< of every point and each before it
  first,  ///< of every other point and the first
};

/// How a design point's estimate differs from the best one of all others: less than 0, it is not the largest, or more
/// than 0, it is not the smallest.
struct DistanceFromBest {
  double difference;  ///< of the estimates
  double lower;       ///< lower end of its interval
  double upper;       ///< upper end
};

/// Differences of the expectations of one response, means or ratios of means, between the design points of an
/// experiment, with intervals that hold together.
///
/// It watches the observations as they come. With common random numbers observation i of one point depends on that of
/// another: differences are paired, their variances those of n paired differences (of ratios linearized about the
/// means). Otherwise the points are independent.
class PointDifferences {
 public:
  /// Of design points estimated by `estimators` (see estimator_of), all of the same response.
  PointDifferences(const std::vector<RatioOfMeans>& estimators, bool common_random_numbers);

  /// Adds the next observation of a response at a design point. Responses that the estimator does not have are left
  /// out.
  void add(std::size_t point, std::size_t response, double observation);

  /// Observations of every point so far.
  std::int64_t count() const { return m_count; }

  /// The estimates.
  std::vector<double> estimates() const;

  /// Their covariances; 0 between independent points. Infinite below two observations, and of a ratio whose
  /// denominator is not clearly away from 0.
  SquareMatrix covariance() const;

  /// The differences, in order of their points, whose intervals all hold with `confidence`. Each is Student's with
  /// count() − 1 degrees of freedom, at the confidence that makes it so: by Bonferroni, or max-t as asked; by Tukey's
  /// studentized range instead of Bonferroni where all points are compared and are independent, each pair with its own
  /// variances and with as few degrees of freedom as they can have (Games and Howell 1976 estimate these).
  std::vector<PointDifference> differences(DifferencesOf which, Simultaneous method, double confidence) const;

 private:
  struct Column {
    std::size_t point;
    int response;
    std::size_t seen;  // observations
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
  std::vector<Column> m_columns;             // what is observed, ordered by points
  std::vector<std::size_t> m_first_columns;  // of each point, and behind the last one
  std::int64_t m_count = 0;
  std::vector<double> m_means;        // of the columns
  SquareMatrix m_deviations;          // Σ (x − mean of x) (y − mean of y)
  std::vector<double> m_waiting;      // rows that wait for other columns
  std::vector<std::size_t> m_filled;  // columns that each of them has
  std::size_t m_taken = 0;            // of these rows
};

/// For each design point its distance from the best other one, whose intervals hold where those of all `differences`
/// do (Hsu, Multiple comparisons, 1996, section 4: μ_i − max μ_j = min (μ_i − μ_j) over all other j).
std::vector<DistanceFromBest> distances_from_best(const std::vector<PointDifference>& differences, std::size_t points,
                                                  bool is_largest_best);

}  // namespace sporos
