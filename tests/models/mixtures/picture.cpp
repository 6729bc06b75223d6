// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/mixtures/loss_given_default.hpp>
#include <sporos/models/mixtures/mixture_picture.hpp>

#include "harness/folder.hpp"
#include "models/mixtures/sample_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::models {
namespace picture_tests {

const MixturePictureText some_text{"a <b> & 'c_d'", "loss", 16208.1};

std::string svg_of(const std::string& script) {
  const test::Folder folder;
  io::PictureFile(folder / "picture.svg").draw(script);
  return io::read_text_file(folder / "picture.svg");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto place = text.find(part); place != std::string::npos; place = text.find(part, place + 1)) ++found;
  return found;
}

// Whether all elements are closed in the right order and no bare '<' or '&' is left.
bool is_well_formed(const std::string& xml) {
  static const std::regex token(R"(<\?[^>]*\?>|<!--[^]*?-->|<!DOCTYPE[^>]*>|<(/?)([A-Za-z:]+)[^<>]*?(/?)>)");
  std::vector<std::string> open;
  auto text_begin = xml.begin();
  const auto is_text = [](auto begin, auto end) {
    const std::string text(begin, end);
    return text.find('<') == std::string::npos &&
           !std::regex_search(text, std::regex("&(?!(amp|lt|gt|quot|apos|#[0-9]+);)"));
  };
  for (std::sregex_iterator at(xml.begin(), xml.end(), token), end; at != end; ++at) {
    if (!is_text(text_begin, (*at)[0].first)) return false;
    text_begin = (*at)[0].second;
    const std::string name = (*at)[2];
    if (name.empty() || (*at)[3].length() > 0) continue;
    if ((*at)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty() && is_text(text_begin, xml.end());
}

TEST(MixturePicture, IsWellFormedAndHasACurveForEachComponent) {
  const Observations sample = test::sample_of("loss_given_default");
  const std::string svg = svg_of(mixture_picture(sample, loss_given_default_mixture(), some_text));
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<g id=\"gnuplot_plot_"), 7u);  // bars, density, five components
  for (const char* const text : {"a &lt;b> &amp; 'c_d'", "7051 observations, 5 normal components, BIC 16208.1",
                                 "density", "\u22120.3250", "histogram, 200 bins", "height of a truncated peak"}) {
    EXPECT_EQ(count(svg, std::string(">") + text + "</text>"), 1u) << text;
  }
}

TEST(MixturePicture, OfBrokenXmlIsNotTakenForWellFormed) {
  EXPECT_TRUE(is_well_formed("<a><b/>&lt;</a>"));
  for (const char* const broken : {"<a>", "<a></b>", "<a>&</a>", "<a></a></a>"}) EXPECT_FALSE(is_well_formed(broken));
}

std::vector<double> heights_of(const std::string& script, const std::string& name) {
  std::istringstream lines(script.substr(script.find("$" + name + " << END\n")));
  std::string line;
  std::getline(lines, line);
  std::vector<double> heights;
  while (std::getline(lines, line) && line != "END") heights.push_back(std::stod(line.substr(line.find(' '))));
  return heights;
}

// The peak of each curve, however narrow, equals that of the formula to the digits written.
TEST(MixturePicture, DrawsPeaksAtTheirHeight) {
  const NormalMixture mixture = {{0.01, 0.1234567, 1e-5}, {0.99, 0, 1}};
  const std::string script = mixture_picture(Observations{{-2, -1, 0, 0.12, 0.13, 1, 2}}, mixture, some_text);
  for (const std::string name : {"density", "component2"}) {  // sorted by mean
    const auto heights = heights_of(script, name);
    const double peak = name == "density" ? density(mixture, 0.1234567) : density(mixture[0], 0.1234567);
    EXPECT_NEAR(*std::max_element(heights.begin(), heights.end()), peak, 1e-5 * peak) << name;
  }
  EXPECT_NE(script.find("'↑ 399'"), std::string::npos);
}

TEST(MixturePicture, IsNotCutWhereNothingIsFlattened) {
  const Observations sample = test::sample_of("old_faithful");
  const std::string script = mixture_picture(sample, {{0.36, 54.6, 5.9}, {0.64, 80.1, 5.9}}, some_text);
  EXPECT_EQ(script.find("cut off"), std::string::npos);
}

TEST(MixturePicture, TakesBinsWithoutEnd) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string svg = svg_of(mixture_picture(BinnedObservations{{-infinity, -1, 0, 1, infinity}, {16, 34, 34, 16}},
                                                 NormalMixture(1, {1, 0, 1}), some_text));
  EXPECT_EQ(count(svg, ">100 observations, 1 normal component, BIC 16208.1</text>"), 1u);
  EXPECT_EQ(count(svg, ">histogram, 2 bins</text>"), 1u);
  svg_of(mixture_picture(BinnedObservations{{-infinity, infinity}, {5}}, NormalMixture(1, {1, 0, 1}), some_text));
}

TEST(MixturePicture, ListsAsManyComponentsAsThereIsRoomFor) {
  NormalMixture mixture;
  for (int c = 0; c < 64; ++c) mixture.push_back({1.0 / 64, 1.0 * c, 1});
  const std::string svg = svg_of(mixture_picture(Observations{{0, 10, 20, 30, 40, 50, 60}}, mixture, some_text));
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<g id=\"gnuplot_plot_"), 66u);
  EXPECT_EQ(count(svg, ">and 44 more</text>"), 1u);
}

TEST(MixturePicture, OfOneValueIsDrawnToo) {
  EXPECT_TRUE(
      is_well_formed(svg_of(mixture_picture(Observations{{3, 3, 3}}, NormalMixture(1, {1, 3, 1e-6}), some_text))));
}

}  // namespace picture_tests
}  // namespace sporos::models
