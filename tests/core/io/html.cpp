// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/html.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sporos::io {
namespace html_tests {

// An SVG as gnuplot writes it, with this text in its drawing.
std::string svg_with(const std::string& text) {
  return "<svg viewBox=\"0 0 600 400\"><g id=\"gnuplot_canvas\">" + text + "</g></svg>";
}

TEST(InlineSvg, WritesColoursInHexadecimal) {
  const std::string page = inline_svg(svg_with("<path stroke='rgb(  0, 158, 115)'/>"), "a", "title", "words");
  EXPECT_NE(page.find("stroke='#009e73'"), std::string::npos) << page;
}

TEST(InlineSvg, LeavesLabelsThatBeginLikeColours) {
  for (const std::string label : {"rgb(", "rgb(x", "rgb(1,2", "rgb(red, green, blue)"}) {
    const std::string page = inline_svg(svg_with("<text>" + label + "</text>"), "a", "title", "words");
    EXPECT_NE(page.find("<text>" + label + "</text>"), std::string::npos) << page;
  }
}

}  // namespace html_tests
}  // namespace sporos::io
