// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Animated pictures in pages: names with characters of HTML, XML and scripts, and the data that the script reads.
#include <sporos/runtime/page/document.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::test {
namespace animations_tests {

using Json = nlohmann::ordered_json;

io::StationAnimation animation_of(const std::vector<std::string>& names, const std::string& unit) {
  io::StationAnimation animation{400, 200, 162,  112,      {}, {}, {{0.25, 0, 3}, {1.0 / 3, 1, 30}, {7, 0, 0}},
                                 10,  1,   unit, "A note."};
  for (const std::string& name : names) {
    animation.stations.push_back({name, {10, 10}, {{{0, 2}}}, 1.25, {0, 3, 30, 1}});
    animation.ways.push_back({{{0, 5}, {10, 5}}, false});
  }
  return animation;
}

std::string page_of(const io::StationAnimation& animation) {
  return runtime::html_of({"title", "lead", {{"heading", {runtime::PageAnimation{"picture", animation}}}}});
}

std::size_t count_of(const std::string& page, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t place = page.find(part); place != std::string::npos; place = page.find(part, place + 1)) ++count;
  return count;
}

Json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>") - from));
}

TEST(Animation, HasNamesAsTheyAre) {
  const std::vector<std::string> names{"</script><script>alert(1)</script>", "<!--", "]]>", "a\"b'c&d;",
                                       "Überweisung an den Facharzt"};
  const std::string page = page_of(animation_of(names, "<h>"));
  EXPECT_EQ(count_of(page, "<script"), 2u);  // the data and the script
  EXPECT_EQ(count_of(page, "</script"), 2u);
  EXPECT_EQ(count_of(page, "<!--"), 0u);
  EXPECT_EQ(count_of(page, "]]>"), 1u);  // the end of the script
  EXPECT_EQ(count_of(page, "<h>"), 0u);
  EXPECT_EQ(count_of(page, "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"), 1u);
  EXPECT_EQ(count_of(page, ">Überweisung an de…</text>"), 1u);  // shortened in the box
  const Json data = data_of(page);
  std::vector<std::string> read;
  for (const Json& station : data["stations"]) read.push_back(station["name"]);
  EXPECT_EQ(read, names);
  EXPECT_EQ(data["unit"], "<h>");
  EXPECT_EQ(count_of(page_of(animation_of({"plain"}, "min")), "&lt;"), 0u);  // control
}

TEST(Animation, ReplacesCharactersThatDoNotPrint) {
  const Json data = data_of(page_of(animation_of({"a\x01\n\xff"}, "min")));
  EXPECT_EQ(data["stations"][0]["name"], "a??\uFFFD");
}

TEST(Animation, HasTheChangesInSevenDigits) {
  const Json data = data_of(page_of(animation_of({"a", "b"}, "min")));
  EXPECT_EQ(data["times"], Json::array({0.25, 0.3333333, 7.0}));
  EXPECT_EQ(data["places"], Json::array({0, 1, 0}));
  EXPECT_EQ(data["numbers"], Json::array({3, 30, 0}));
  EXPECT_EQ(data["end"], 10);
  EXPECT_EQ(data["warm_up"], 1);
  EXPECT_EQ(data["stations"][1]["servers"], Json::parse("[[0.0, 2]]"));
  EXPECT_TRUE(data["stations"][1]["cycle"].is_null());
}

TEST(Animation, IsTheOnlyReasonForAScript) {
  const std::string page = runtime::html_of({"title", "lead", {{"heading", {runtime::PageParagraph{"text"}}}}});
  EXPECT_EQ(count_of(page, "<script"), 0u);
  auto two = animation_of({"a"}, "min");
  const std::string both = runtime::html_of(
      {"title", "lead", {{"heading", {runtime::PageAnimation{"one", two}, runtime::PageAnimation{"two", two}}}}});
  EXPECT_EQ(count_of(both, "<script>"), 1u);
  EXPECT_EQ(count_of(both, "id=\"animation1-title\""), 1u);
  EXPECT_EQ(count_of(both, "id=\"animation2-title\""), 1u);
}

TEST(Animation, MayBeLedByTheControlsOfTheOneBefore) {
  const auto animation = animation_of({"a"}, "min");
  const auto page_with = [&](bool is_led, const std::vector<int>& tops) {
    return runtime::html_of(
        {"title",
         "lead",
         {{"heading",
           {runtime::PageAnimation{"one", animation}, runtime::PageAnimation{"two", animation, is_led, tops}}}}});
  };
  EXPECT_EQ(count_of(page_with(false, {}), "class=\"controls\""), 2u);
  EXPECT_EQ(count_of(page_with(true, {}), "class=\"controls\""), 1u);
  EXPECT_EQ(count_of(page_with(true, {}), "<p>Curves:"), 1u);
  // A curve of at most 30 customers is 22 pixels high, or half of that if its top is 60.
  EXPECT_EQ(count_of(page_with(true, {}), "V84.0"), 2u);
  EXPECT_EQ(count_of(page_with(true, {60}), "V84.0"), 1u);
  EXPECT_EQ(count_of(page_with(true, {60}), "V95.0"), 1u);
}

// 1.25 customers on average, at most 30, of whom up to 28 wait: they have a bar instead of dots.
TEST(Animation, IsDescribedInWords) {
  const std::string page = page_of(animation_of({"a", "b"}, "min"));
  EXPECT_EQ(
      count_of(page, "a: on average 1.25 customers, at most 30; b: on average 1.25 customers, at most 30.</desc>"), 1u);
  EXPECT_EQ(count_of(page, "<text class=\"still\""), 2u);
  EXPECT_EQ(count_of(page, "data-most=\"28\""), 2u);
  EXPECT_EQ(count_of(page, "<circle"), 0u);
  auto few = animation_of({"a"}, "min");
  few.stations[0].peaks = {0, 7};
  EXPECT_EQ(count_of(page_of(few), "<circle"), 5u);
}

}  // namespace animations_tests
}  // namespace sporos::test
