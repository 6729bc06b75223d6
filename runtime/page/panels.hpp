// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>

#include <sporos/core/statistics/estimate_steps.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The pictures that reports have in common.
namespace sporos::runtime {

/// A point of a curve with its interval; ends that are not finite are not drawn.
struct IntervalPoint {
  double x, y, low, high;
  std::string label = {};  ///< what stands below it, in place of x
};

/// The heading of the section that has convergence pictures.
inline constexpr auto narrowing_heading = "How the intervals narrowed";
/// What it says of a run that went on from a checkpoint.
inline constexpr auto unknown_narrowing =
    "The run went on from a checkpoint, which does not keep how its intervals had come about.";

/// An estimate with its interval as it came about; there is at least one step.
PagePicture convergence_picture(const std::string& title, const std::string& x_label,
                                const std::vector<EstimateStep>& steps);

/// Independent estimates, and their mean with Student's interval as they add up; `x_label` says of what they are.
PagePicture runs_picture(const std::string& title, const std::string& x_label, const std::vector<double>& estimates,
                         double confidence);

/// Estimates with their intervals side by side, with a line across at `limit`.
PagePicture intervals_picture(const std::string& title, const std::string& x_label,
                              const std::vector<IntervalPoint>& points, std::optional<double> limit = {});

/// What steps and quartiles show in addition to their points.
struct ProgressLook {
  bool is_logarithmic = false;             ///< whether y is; x always is
  std::optional<double> limit = {};        ///< y of a line across
  std::optional<double> last_x = {};       ///< where the last step ends
  std::optional<IntervalPoint> mark = {};  ///< a separate point, whose label is in the key
};

/// y that holds from each x to the next, with intervals if there are any. Points at x below 1 are drawn at 1.
PagePicture progress_picture(const std::string& title, const std::string& x_label, std::vector<IntervalPoint> points,
                             ProgressLook look);

/// y between low and high, and these within `wide`, whose y is not drawn. Points at x below 1 are drawn at 1.
PagePicture quartiles_picture(const std::string& title, const std::string& x_label, std::vector<IntervalPoint> points,
                              std::vector<IntervalPoint> wide, ProgressLook look);

/// The points' y over x, without intervals; on a logarithmic axis if `is_logarithmic`, as far as y is positive.
PagePicture curve_picture(const std::string& title, std::vector<IntervalPoint> points, const std::string& x_label,
                          bool is_logarithmic);

/// Two bars with intervals for each label: shares of a variance that `alone` has, and with interactions. The points of
/// both stand at 1, 2, … in the same order.
PagePicture bars_picture(const std::string& title, const std::vector<IntervalPoint>& alone,
                         const std::vector<IntervalPoint>& with_interactions);

/// The points' y over x, with the band of their intervals.
PagePicture band_picture(const std::string& title, const std::string& x_label, const std::string& y_label,
                         std::vector<IntervalPoint> points);

/// A bin of a histogram, with the share of what lies in it and the share's interval.
struct HistogramBin {
  double from, below, share, low, high;
};

/// The bins as boxes with intervals.
PagePicture histogram_picture(const std::string& title, const std::vector<HistogramBin>& bins);

/// One of several curves that are constant from each point to the next.
struct NamedCurve {
  std::string name;                   ///< in the key
  std::size_t place;                  ///< tells its color and dashes: the same place looks the same in all pictures
  std::vector<IntervalPoint> points;  ///< in the order of x
};

/// Curves of steps, with bands if there are few curves; there is at least one. The axis of shares goes from 0 to 1.
PagePicture steps_picture(const std::string& title, const std::string& x_label, const std::string& y_label,
                          bool are_shares, const std::vector<NamedCurve>& curves);

/// Several curves of y over x, without intervals, named to the right of them; curves without a point that can be drawn
/// are left out. Nothing without any point.
std::optional<PagePicture> curves_picture(const std::string& title, const std::string& x_label,
                                          std::vector<NamedCurve> curves, bool is_logarithmic);

/// The color of a curve: people with color blindness can tell seven of them apart (Okabe, Ito).
std::string_view color_of(std::size_t place);

/// "1.98 (1.95 to 2.01) at 100", or behind its label: a point as words.
std::string words_of(const IntervalPoint& point);

/// What is told of a picture whose points are these: all, or the first and the last where there are many.
std::string words_of(const std::vector<IntervalPoint>& points);

/// A block of data of gnuplot's, from its rows.
std::string data_block_of(const std::string& name, const std::string& rows);

/// Axes of a report's picture, the key above it.
std::string panel_axes(const std::string& x_label);

}  // namespace sporos::runtime
