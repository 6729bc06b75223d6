// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --part and merge: parts of an experiment that separate runs compute give the result of a single run.
#include "kept.hpp"
#include "process.hpp"
#include "result_json.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace sporos::test {
namespace parts_tests {

class Parts : public ::testing::Test {
 protected:
  // Runs the parts of `line`, each by another program, and returns the arguments of a merge.
  std::string parts_of(const std::string& line, int count) const {
    std::string files;
    for (int number = count; number >= 1; --number) {  // the order of parts is arbitrary
      const std::string file = m_folder / (std::to_string(number) + ".json");
      const std::string program = programs()[static_cast<std::size_t>(number) % programs().size()];
      const Outcome part = run(program, quoted_words(line + " --part " + std::to_string(number) + "/" +
                                                     std::to_string(count) + " --output " + file));
      EXPECT_EQ(part.status, 0) << part.error;
      files += " " + file;
    }
    return files;
  }

  Outcome merged(const std::string& files) const {
    return run(first_program, quoted_words("merge" + files + " --format json"));
  }

  void expect_refusal(const std::string& files, const std::string& message) const {
    const Outcome outcome = merged(files);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.error.find(message), std::string::npos) << outcome.error;
  }

  Folder m_folder;
};

TEST_F(Parts, GiveTheResultOfASingleRun) {
  const std::string of_mm1 = "simulate mm1 --customers 20 --replications 1001";
  for (const std::string& line :
       {fixed_run, of_mm1 + " --quantiles 0.5,0.9 --covariances on --common-random-numbers off --seed 7",
        of_mm1 + " --control-variates",
        of_mm1 + " --arrival-rate 0.3,0.6 --compare 'time in queue' --largest 'time in queue' --simultaneous max-t",
        std::string("simulate pert --sampling latin-hypercube --run-length 10 --replications 2010 --covariances on")}) {
    const Outcome whole = run(first_program, quoted_words(line + " --format json"));
    ASSERT_EQ(whole.status, 0) << whole.error;
    const Outcome outcome = merged(parts_of(line, 3));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(lasting_part_of(outcome.out), lasting_part_of(whole.out)) << line;
  }
}

TEST_F(Parts, WriteTheResponsesOfASingleRun) {
  const std::string file = m_folder / "responses.csv";
  const std::string line = "simulate pi --draws 5 --replications 77 --responses " + file;
  ASSERT_EQ(run(first_program, quoted_words(line)).status, 0);
  const std::string expected = contents_of(file);
  std::filesystem::remove(file);
  const std::string files = parts_of(line, 5);
  EXPECT_FALSE(std::filesystem::exists(file));
  ASSERT_EQ(merged(files).status, 0);
  EXPECT_EQ(contents_of(file), expected);
}

TEST_F(Parts, ContinueFromACheckpoint) {
  const std::string line = "simulate mm1 --customers 3000 --replications 3000";
  const std::string file = m_folder / "2.json", kept = m_folder / "state";
  const std::string part = line + " --part 2/2 --output " + file + " --checkpoint " + kept + " --every 0";
  const Outcome stopped = run(first_program, quoted_words(part + " --time-limit 0.001"));
  EXPECT_EQ(stopped.status, 1);
  EXPECT_NE(stopped.error.find("no part is written"), std::string::npos) << stopped.error;
  EXPECT_FALSE(std::filesystem::exists(file));
  ASSERT_TRUE(std::filesystem::exists(kept));
  ASSERT_EQ(run(first_program, quoted_words(part)).status, 0);
  const std::string first = m_folder / "1.json";
  ASSERT_EQ(run(first_program, quoted_words(line + " --part 1/2 --output " + first)).status, 0);
  const Outcome outcome = merged(" " + first + " " + file);
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(lasting_part_of(outcome.out),
            lasting_part_of(run(first_program, quoted_words(line + " --format json")).out));
}

TEST_F(Parts, OfADesignPointThatFailsAreMerged) {
  const std::string line = "simulate mmck --servers 1:3:1 --customers 100 --replications 50 --arrival-rate 1e300,1";
  const Outcome whole = run(first_program, quoted_words(line + " --format json"));
  const Outcome outcome = merged(parts_of(line, 2));
  EXPECT_EQ(outcome.status, whole.status) << outcome.error;
  EXPECT_EQ(lasting_part_of(outcome.out), lasting_part_of(whole.out));
}

TEST_F(Parts, AreRefusedByName) {
  const std::string line = "simulate pi --draws 5 --replications 77";
  parts_of(line, 4);
  const auto file = [&](int number) { return " " + (m_folder / (std::to_string(number) + ".json")); };
  expect_refusal(file(1) + file(4), "parts 2 to 3 of 4 are missing");
  expect_refusal(file(1) + file(2) + file(4), "part 3 of 4 is missing");
  expect_refusal(file(1) + file(2) + file(2) + file(3) + file(4), "are both part 2 of 4");

  std::filesystem::rename(m_folder / "2.json", m_folder / "second.json");
  const std::string second = " " + (m_folder / "second.json");
  parts_of(line + " --seed 2", 4);
  expect_refusal(file(1) + second + file(3) + file(4), "plan.seed is '1' in it, expected '2'");
  parts_of(line, 3);
  expect_refusal(file(1) + file(2) + file(3) + second, "one of 4 parts");
  parts_of(line + " --quantiles 0.5", 4);
  expect_refusal(file(1) + second + file(3) + file(4), "is a part of another run");

  std::string text = contents_of(m_folder / "3.json");
  const std::size_t rows = text.find("\"rows\"");
  ASSERT_NE(rows, std::string::npos);
  text[text.find('"', rows + 8) + 5] = 'x';
  std::ofstream(m_folder / "3.json") << text;
  expect_refusal(file(1) + file(2) + file(3) + file(4), "its rows are damaged");
  std::ofstream(m_folder / "3.json") << "{}";
  expect_refusal(file(1) + file(2) + file(3) + file(4), "is not a part of an experiment");
}

TEST_F(Parts, RefuseOptionsThatNeedTheWholeExperiment) {
  const std::string line = "simulate pi --draws 5 ";
  const auto expect = [&](const std::string& options, const std::string& message) {
    const Outcome outcome = run(first_program, quoted_words(line + options));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find(message), std::string::npos) << outcome.error;
  };
  expect("--part 3", "expected the number of a part and the number of parts, such as 3/100");
  expect("--part 1/x", "expected the number of a part and the number of parts");
  expect("--part 5/4", "number of the part is 5, expected a number from 1 to 4");
  expect("--part 1/99 --replications 9", "number of parts is 99, expected a number from 1 to 9");
  expect("--part 1/2 --precision 0.1", "--part is given with --precision");
  expect("--part 1/2 --quantiles 0.5 --quantile-precision 0.1", "--part is given with --quantile-precision");
  expect("--part 1/2 --report page.html", "--part is given with --report");
  expect("--part 1/2 --format csv", "--part is given with --format csv");
}

}  // namespace parts_tests
}  // namespace sporos::test
