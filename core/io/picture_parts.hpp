// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>

#include <cmath>
#include <string>

/// Parts that the gnuplot scripts of our pictures share.
namespace sporos::io {

/// Formats a number for display, with a minus sign as wide as a digit.
inline std::string picture_number(double value, int decimals) {
  const double size = std::abs(value);
  const bool is_plain = value == 0 || (size < 1e7 && size >= std::pow(10.0, -decimals));
  std::string text = is_plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.1e}", value);
  if (text.front() == '-') text.replace(0, 1, "\u2212");
  return text;
}

/// Places a text at fractions of the picture's width and height. `how` holds gnuplot's options: colour, font,
/// justification.
inline std::string picture_label(const std::string& text, double x, double y, const char* how) {
  return fmt::format("set label {} at screen {:.3f}, {:.3f} {} front\n", in_gnuplot_quotes(text), x, y, how);
}

/// Places the title of a picture at `x`, and the subtitle `more` below it.
inline std::string picture_title(const std::string& title, const std::string& more, double x) {
  return picture_label(title, x, 0.955, "font ',20'") + picture_label(more, x, 0.91, "textcolor rgb '#505050'");
}

/// Sets unobtrusive axes, so that the data stand out.
inline std::string quiet_axes() {
  return "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
         "set grid ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nset key off\nset minussign\n";
}

}  // namespace sporos::io
