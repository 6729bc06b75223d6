// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>

#include <sporos/core/statistics/estimate_steps.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Pictures that reports share.
namespace sporos::runtime {

/// Returns a number as gnuplot reads it: NaN, which is not drawn, if it is not finite.
std::string plotted_number(double value);

/// A point of a curve with its interval. An interval whose ends are not both finite is not drawn.
struct IntervalPoint {
  double x, y, low, high;
  std::string label = {};  ///< label on the x axis or in the key, in place of the value of x
};

/// Heading of the section with convergence pictures.
inline constexpr auto narrowing_heading = "Convergence of the intervals";
/// Text of that section for a run resumed from a checkpoint.
inline constexpr auto unknown_narrowing =
    "The run resumed from a checkpoint, which does not store the history of its intervals.";

/// Draws the history of an estimate and its interval. There must be at least one step.
PagePicture convergence_picture(const std::string& title, const std::string& x_label,
                                const std::vector<EstimateStep>& steps);

/// Draws independent estimates, and the history of their mean with Student's interval. `x_label` names the units that
/// yield one estimate each, such as runs.
PagePicture runs_picture(const std::string& title, const std::string& x_label, const std::vector<double>& estimates,
                         double confidence);

/// Draws estimates with their intervals side by side, and a horizontal line at `limit` if it is given.
PagePicture intervals_picture(const std::string& title, const std::string& x_label,
                              const std::vector<IntervalPoint>& points, std::optional<double> limit = {});

/// Elements that pictures of progress and quartiles show in addition to their points.
struct ProgressLook {
  bool is_logarithmic = false;             ///< whether the y axis is logarithmic; the x axis always is
  std::optional<double> limit = {};        ///< y of a horizontal line
  std::optional<double> last_x = {};       ///< x at which the last step ends
  std::optional<IntervalPoint> mark = {};  ///< separate point, whose label is in the key
};

/// Draws y as a step function of x, with intervals if there are any. Points with x below 1 are drawn at 1.
PagePicture progress_picture(const std::string& title, const std::string& x_label, std::vector<IntervalPoint> points,
                             ProgressLook look);

/// Draws y with the band from low to high, and behind it the band of `wide`, whose y is not drawn. Points with x below
/// 1 are drawn at 1.
PagePicture quartiles_picture(const std::string& title, const std::string& x_label, std::vector<IntervalPoint> points,
                              std::vector<IntervalPoint> wide, ProgressLook look);

/// Draws the points' y over x, without intervals. If `is_logarithmic`, the y axis is logarithmic and only points with
/// positive y are drawn.
PagePicture curve_picture(const std::string& title, std::vector<IntervalPoint> points, const std::string& x_label,
                          bool is_logarithmic);

/// Draws two bars with intervals for each label: first-order and total index. The points of
/// both vectors have x = 1, 2, … in the same order.
PagePicture bars_picture(const std::string& title, const std::vector<IntervalPoint>& separate,
                         const std::vector<IntervalPoint>& with_interactions);

/// Draws the points' y over x, with the band of their intervals.
PagePicture band_picture(const std::string& title, const std::string& x_label, const std::string& y_label,
                         std::vector<IntervalPoint> points);

/// A bin [from, below) of a histogram, with the share of values in it and the share's interval.
struct HistogramBin {
  double from, below, share, low, high;
};

/// Draws the bins as boxes with intervals.
PagePicture histogram_picture(const std::string& title, const std::vector<HistogramBin>& bins);

/// A named curve of a picture with several curves.
struct NamedCurve {
  std::string name;   ///< name in the key
  std::size_t place;  ///< index that determines color and dashes of a step function, the same in all pictures
  std::vector<IntervalPoint> points;  ///< points in order of x
};

/// Draws step functions, with bands if there are few curves. There must be at least one curve. The y axis of shares
/// extends from 0 to 1.
PagePicture steps_picture(const std::string& title, const std::string& x_label, const std::string& y_label,
                          bool are_shares, const std::vector<NamedCurve>& curves);

/// Draws several curves of y over x without intervals, with the key to the right. Curves without drawable points are
/// omitted. Returns std::nullopt if no curve remains.
std::optional<PagePicture> curves_picture(const std::string& title, const std::string& x_label,
                                          std::vector<NamedCurve> curves, bool is_logarithmic);

/// Returns the color of a curve. People with color blindness can tell the seven colors apart (Okabe and Ito, 2008).
std::string_view color_of(std::size_t place);

/// Returns a point as text, such as "1.98 (1.95 to 2.01) at 100", or "label: 1.98 (1.95 to 2.01)" if it has a label.
std::string words_of(const IntervalPoint& point);

/// Returns the points of a picture as text; if there are many, only the first and the last ones.
std::string words_of(const std::vector<IntervalPoint>& points);

/// Returns a gnuplot data block with these rows.
std::string data_block_of(const std::string& name, const std::string& rows);

/// Returns the gnuplot settings for the axes of a report's picture, with the key above it.
std::string panel_axes(const std::string& x_label);

}  // namespace sporos::runtime
