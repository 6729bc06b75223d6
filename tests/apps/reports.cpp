// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --report: one self-contained page with every number of the JSON result.
#include "refusal.hpp"
#include "result_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace sporos::test {
namespace reports_tests {

using Json = nlohmann::ordered_json;

struct ReportedRun {
  std::string page;
  Json json;
};

ReportedRun reported(const std::string& line, const std::vector<std::string>& more = {}) {
  const Folder folder;
  auto arguments = words(line + " --format json --report " + folder / "run.html");
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto outcome = run(first_program, arguments);
  EXPECT_EQ(outcome.status, 0) << line << ": " << outcome.error;
  return {contents_of(folder / "run.html"), Json::parse(outcome.out)};
}

// Whether the page shows `number` with all digits in a table or a fact.
bool shows(const std::string& page, const Json& number) {
  return page.find("<data value=\"" + number.dump() + "\">") != std::string::npos;
}

std::size_t count_of(const std::string& page, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t place = page.find(part); place != std::string::npos; place = page.find(part, place + 1)) ++count;
  return count;
}

// `scripts` is the expected number of scripts, including data for scripts.
void expect_whole(const std::string& page, std::size_t scripts = 0) {
  EXPECT_EQ(count_of(page, "<script"), scripts);
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  std::string rest = page;
  for (const std::string name :
       {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}) {  // namespaces, not addresses
    for (std::size_t place; (place = rest.find(name)) != std::string::npos;) rest.erase(place, name.size());
  }
  for (const char* address : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(rest.find(address), std::string::npos) << address;
  }
}

std::string case_file(const std::string& name) { return std::string(SPOROS_SAMPLE_DATA "/networks/") + name + ".json"; }

// The numbers come from a replication of the table with these random numbers. A page on a model without stations has no
// animated picture.
TEST(Report, OfANetworkHasAnAnimatedPicture) {
  const std::string line = "simulate network --replications 20 --case " + case_file("emergency_department");
  const std::string other = "which is not one of those in the tables";
  const std::string page = reported(line).page;
  expect_whole(page, 2);
  EXPECT_EQ(count_of(page, "<figure class=\"animation\">"), 1u);
  EXPECT_NE(page.find("the animation shows the numbers at every 5 min"), std::string::npos);
  EXPECT_EQ(page.find(other), std::string::npos);
  EXPECT_NE(reported(line + " --engine mrg32k3a").page.find(other), std::string::npos);
  const std::string several = reported(line + " --stations.triage.servers 2,3").page;
  expect_whole(several, 3);
  EXPECT_EQ(count_of(several, "<figure class=\"animation\">"), 2u);
}

std::string sample(const std::string& name) { return std::string(SPOROS_SAMPLE_DATA "/") + name; }

TEST(Report, OfEachCommandIsWholeByItself) {
  for (const std::string& line : std::vector<std::string>{
           "simulate pi --replications 64", "steady-state mm1 --observations 20000",
           "array-rqmc mm1 --chain-steps 1 --chains 16", "stratify pi --draws 1 --strata 1:8 --replications 64",
           "multilevel call-options --response geometric-Asian-call --rmse 0.5 --scheme 2",
           "sensitivity mm1 --customers 5 --uncertain arrival_rate=0.3:0.7 --base-points 32 --replications 2",
           "optimize mm1 --customers 5 --over service-rate=1:2 --minimize time_in_queue --replications 100",
           "optimize newsvendor --product-count 2 --epochs 1 --gap-batches 0",
           "optimize classification " + sample("breast_cancer.csv") + " --iterations 3",
           "select mm1 --customers 5 --over service-rate=1,2 --largest time_in_queue --delta 1",
           "compare-solvers --solvers adam --problems mm1 --macroreplications 2 --budget 300 --post-replications 20 "
           "--bootstraps 5",
           "fit " + sample("galaxies.csv") + " --components 1:2 --starts 2"}) {
    const auto [page, json] = reported(line);
    SCOPED_TRACE(line);
    expect_whole(page);
    EXPECT_NE(page.find("sporos " + line.substr(0, line.find(' '))), std::string::npos);
  }
}

TEST(Report, ShowsEachEstimateOfTheJson) {
  const auto [page, json] = reported("simulate mmck --servers 2,3 --customers 100 --replications 200 --quantiles 0.5",
                                     {"--probability", "mean wait > 1"});
  for (const Json& point : rows_of(json, "points")) {
    EXPECT_NE(page.find(point["digest"].get<std::string>()), std::string::npos);
  }
  for (const Json& response : rows_of(json, "means")) {
    for (const char* name : {"mean", "half_width", "exact", "deviation"}) {
      EXPECT_TRUE(shows(page, response[name])) << response["response"] << ' ' << name;
    }
  }
  for (const Json& quantile : rows_of(json, "quantiles")) EXPECT_TRUE(shows(page, quantile["quantile"]));
  for (const Json& event : rows_of(json, "probabilities")) EXPECT_TRUE(shows(page, event["probability"]));
  EXPECT_FALSE(shows(page, Json(1.25e-7)));  // the control
}

// Words for an estimate in a picture, such as "1.98 (1.95 to 2.01) at 100".
std::string step_words(double value, double low, double high, int observations) {
  char text[100];
  std::snprintf(text, sizeof text, "%.6g (%.6g to %.6g) at %d", value, low, high, observations);
  return text;
}

std::string step_words(const Json& estimate, const std::string& value, int observations) {
  return step_words(estimate[value].get<double>(), estimate["low"].get<double>(), estimate["high"].get<double>(),
                    observations);
}

std::string mean_words(const Json& estimate, int observations) {
  const double mean = estimate["mean"].get<double>(), width = estimate["half_width"].get<double>();
  return step_words(mean, mean - width, mean + width, observations);
}

// The first row of a result's first table.
Json first_row_of(const Json& result) { return result.at("tables").front().at("rows").front(); }

// With the same random numbers, the estimate from fewer observations is a step of a run with more. Control: a step that
// does not exist is not found.
TEST(Report, ShowsHowEstimatesCameAbout) {
  const std::vector<std::string> questions{"--quantiles", "0.5", "--probability", "time in system > 1"};
  const std::string model = "simulate mm1 --customers 5 --replications ";
  const std::string page = reported(model + "200", questions).page;
  const Json fewer = reported(model + "10", questions).json, other = reported(model + "11", questions).json;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NE(page.find(mean_words(rows_of(fewer, "means")[i], 10)), std::string::npos);
    EXPECT_NE(page.find(step_words(rows_of(fewer, "quantiles")[i], "quantile", 10)), std::string::npos);
    EXPECT_EQ(page.find(mean_words(rows_of(other, "means")[i], 11)), std::string::npos);
  }
  EXPECT_NE(page.find(step_words(rows_of(fewer, "probabilities")[0], "probability", 10)), std::string::npos);

  const std::vector<std::string> event{"--event", "number in system >= 5"};
  const std::string importance = "rare-event mm1 --method importance --pilot-replications 2000 --replications ";
  EXPECT_NE(reported(importance + "100", event)
                .page.find(step_words(first_row_of(reported(importance + "10", event).json), "probability", 10)),
            std::string::npos);
  const std::string adaptive = "rare-event mm1 --method adaptive --chains 50 --runs ";
  EXPECT_NE(reported(adaptive + "8", event)
                .page.find(step_words(first_row_of(reported(adaptive + "5", event).json), "probability", 5)),
            std::string::npos);
  const std::string arrays = "array-rqmc mm1 --chain-steps 1 --chains 16 --randomizations ";
  EXPECT_NE(reported(arrays + "8").page.find(mean_words(first_row_of(reported(arrays + "5").json), 5)),
            std::string::npos);
  const std::string series = "steady-state mm1 --observations ";
  const Json start = reported(series + "16384").json;
  EXPECT_NE(reported(series + "40960").page.find(step_words(first_row_of(start), "mean", 16384)), std::string::npos);
}

TEST(Report, ShowsEachIndexOfSensitivity) {
  const Folder folder;
  const std::string file = folder.write("times.csv", contents_of(sample("old_faithful.csv")));
  for (const std::string& what :
       {std::string("sensitivity mm1 --base-points 128 --uncertain arrival_rate=0.3:0.7 --uncertain "
                    "service_rate=0.9:1.1"),
        "input-uncertainty mm1 --outer-samples 40 --input arrival_rate=rate(" + file + ") --input service_rate=rate(" +
            file + ")"}) {
    const auto [page, json] = reported(what + " --customers 20 --replications 16");
    int known = 0;  // the other indices are unknown: their responses vary no more than noise
    for (const char* table : {"means", "indices"}) {
      for (const Json& row : json["tables"][table]["rows"]) {
        for (const char* name : {"mean", "low", "high", "first", "first_half_width", "total", "total_half_width"}) {
          if (!row.contains(name) || row[name].is_null()) continue;
          EXPECT_TRUE(shows(page, row[name])) << name;
          known += table == std::string("indices") ? 1 : 0;
        }
      }
    }
    EXPECT_GT(known, 0);
    EXPECT_NE(page.find("Uncertain parameters"), std::string::npos);
    EXPECT_FALSE(shows(page, Json(1.25e-7)));  // the control
  }
}

TEST(Report, SaysHowToRepeatTheRun) {
  const auto [page, json] =
      reported("simulate mm1 --customers 5 --replications 20", {"--probability", "time in system > 3"});
  const std::string command =
      "<code>sporos simulate mm1 --replications 20 --probability &#39;time in system &gt; 3&#39; --customers 5";
  EXPECT_TRUE(page.find(command) != std::string::npos ||
              page.find("<code>sporos simulate mm1 --customers 5 --replications 20 --probability &#39;time in system "
                        "&gt; 3&#39;") != std::string::npos);
  EXPECT_NE(page.find(json["findings"]["digest"].get<std::string>()), std::string::npos);
}

TEST(Report, ShowsTextsOfTheUserAsTheyAre) {
  const Folder folder;
  const std::string name = "<b onload=x>&\"'.csv";
  const std::string data = contents_of(sample("galaxies.csv"));
  folder.write(name, data);
  const auto outcome =
      run(first_program, {"fit", folder / name, "--components", "1", "--starts", "1", "--report", folder / "run.html"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const std::string page = contents_of(folder / "run.html");
  EXPECT_EQ(page.find("<b onload"), std::string::npos);
  EXPECT_NE(page.find("&lt;b onload=x&gt;&amp;&quot;&#39;.csv"), std::string::npos);
}

TEST(Report, BringsNoOtherBits) {
  const std::string line = "simulate mm1 --customers 20 --replications 3000";
  const Json plain = Json::parse(run(first_program, words(line + " --format json")).out);
  EXPECT_EQ(reported(line).json["findings"]["digest"], plain["findings"]["digest"]);
}

// The counts are those of probabilities of events. The intervals hold simultaneously and are wider than single ones.
TEST(Histogram, CountsReplicationsOnEveryBackend) {
  const std::vector<std::string> more{"--histogram", "time in system=0:3:3", "--probability", "time in system >= 3"};
  Json expected;
  for (const std::string& program : programs()) {
    auto arguments = words("simulate mm1 --customers 10 --replications 500 --format json");
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Json result = Json::parse(run(program, arguments).out);
    const Json bins = rows_of(result, "histograms"), event = rows_of(result, "probabilities")[0];
    ASSERT_EQ(bins.size(), 5u);
    EXPECT_EQ(bins[4]["replications"], event["replications_with_it"]);
    EXPECT_EQ(bins[4]["share"], event["probability"]);
    EXPECT_LT(bins[4]["low"].get<double>(), event["low"].get<double>());
    EXPECT_GT(bins[4]["high"].get<double>(), event["high"].get<double>());
    int all = 0;
    for (const Json& bin : bins) all += bin["replications"].get<int>();
    EXPECT_EQ(all, 500);
    if (expected.is_null()) expected = bins;
    EXPECT_EQ(bins, expected) << program;
  }
}

TEST(Report, IsRefusedInOneLine) {
  const Folder folder;
  const std::string page = folder / "run.html";
  for (const auto& [line, message] : std::vector<std::pair<std::string, std::string>>{
           {"simulate pi --report " + page + " --output " + page, "expected another file"},
           {"simulate pi --report " + folder / "none/run.html", "cannot write"},
           {"replay pi --replication 3 --report " + page, "--report"},
           {"simulate pi --report " + page + " --report " + page, "--report is given 2 times, expected once"}}) {
    const auto outcome = run(first_program, words(line));
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_EQ(lines_of(outcome.error), 1) << line;
    EXPECT_NE(outcome.error.find(message), std::string::npos) << outcome.error;
    EXPECT_TRUE(folder.files().empty());
  }
}

}  // namespace reports_tests
}  // namespace sporos::test
