// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos sample`: points as files, continued from files, and files that cannot be continued.
#include "refusal.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/npy.hpp>
#include <sporos/core/sampling/sampling.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::test {
namespace sample_tests {

// Samplings whose sets can be continued, or those whose sets cannot.
std::vector<std::string> samplings_that(bool go_on) {
  std::vector<std::string> list;
  for (const auto& [name, sampling] : ChoiceNames<Sampling>::values) {
    if (goes_on(sampling) == go_on) list.emplace_back(name);
  }
  return list;
}

const std::vector<std::string> endless_samplings = [] {
  auto list = samplings_that(true);
  list.insert(list.end(), {"random --engine philox4x64", "antithetic --engine taus88",
                           "refined-descriptive --primes 3:31", "halton --seed 18446744073709551615"});
  return list;
}();
const std::vector<std::string> finished_samplings = samplings_that(false);

std::vector<std::string> all_samplings() {
  auto all = endless_samplings;
  all.insert(all.end(), finished_samplings.begin(), finished_samplings.end());
  return all;
}

// Output of `sporos sample`, which must succeed.
std::string sampled(const std::string& line, const std::string& program = first_program) {
  const auto outcome = run(program, words("sample " + line));
  EXPECT_EQ(outcome.status, 0) << line;
  EXPECT_EQ(outcome.error, "") << line;
  return outcome.out;
}

std::string without_first_line(const std::string& text) { return text.substr(text.find('\n') + 1); }

std::string npy_numbers(const std::string& bytes) { return std::string(io::parse_npy("npy", bytes).numbers); }

TEST(Sample, HasANameAndALineForEachCoordinateAndPoint) {
  const auto file = io::parse_csv("csv", sampled("sobol --points 5 --dimensions 3"));
  EXPECT_EQ(file.names, (std::vector<std::string>{"u1", "u2", "u3"}));
  EXPECT_EQ(file.rows.size(), 5u);
}

TEST(Sample, IsTheSameInBothFormats) {
  for (const auto& sampling : all_samplings()) {
    const std::string line = sampling + " --points 20 --dimensions 3";
    const auto csv = io::parse_csv("csv", sampled(line));
    const auto bytes = sampled(line + " --format npy");
    const auto matrix = io::parse_npy("npy", bytes);
    ASSERT_EQ(matrix.rows, 20);
    ASSERT_EQ(matrix.columns, 3);
    for (std::int64_t row = 0; row < 20; ++row) {
      for (std::int64_t column = 0; column < 3; ++column) {
        const auto& field = csv.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        EXPECT_EQ(io::parse_number<double>("field", field), matrix(row, column)) << line;
      }
    }
  }
}

TEST(Sample, HasTheSameBytesOnEveryBackendThreadCountAndMapping) {
  for (const auto& sampling : all_samplings()) {
    const std::string line = sampling + " --points 300 --dimensions 70 --set 3";
    const std::string expected = sampled(line, first_program);
    for (const auto& program : programs()) {
      EXPECT_EQ(sampled(line + " --mapping warp", program), expected) << program << ": " << line;
      if (program != "sporos-openmp") continue;
      for (const std::string threads : {"1", "2", "4"}) {
        EXPECT_EQ(sampled(line + " --threads " + threads, program), expected) << line;
      }
    }
    EXPECT_NE(sampled(line + "1", first_program), expected);
  }
}

// The sample has more than one block of points.
TEST(Sample, IsWholeWhereItIsLong) {
  const Folder folder;
  const std::string line = "sobol --dimensions 4 --format npy --points ", all = folder / "all";
  sampled(line + "1100000 --output " + all);
  const std::string bytes = contents_of(all), last = bytes.substr(bytes.size() - 32);
  ASSERT_EQ(bytes.size(), 128u + 1100000u * 4 * 8);
  std::string most = bytes.substr(0, bytes.size() - 32);  // all points but the last
  const std::size_t shape = most.find("(1100000, 4)");
  ASSERT_LT(shape, 128u);
  most.replace(shape, 8, "(1099999");
  EXPECT_EQ(npy_numbers(sampled(line + "1 --extend " + folder.write("most", most))), last);
}

TEST(Sample, ExtendedIsTheSampleMadeAtOnce) {
  const Folder folder;
  for (const auto& sampling : endless_samplings) {
    const std::string line = sampling + " --dimensions 7 --set 2";
    const std::string all = sampled(line + " --points 101");
    const std::string csv = folder.write("first.csv", sampled(line + " --points 37"));
    const std::string npy = folder.write("first.npy", sampled(line + " --points 37 --format npy"));
    for (const auto& first : {csv, npy}) {
      const std::string next = sampled(line + " --points 64 --extend " + first);
      EXPECT_EQ(contents_of(csv) + without_first_line(next), all) << line;
    }
    const std::string next = sampled(line + " --points 64 --format npy --extend " + csv);
    EXPECT_EQ(npy_numbers(contents_of(npy)) + npy_numbers(next),
              npy_numbers(sampled(line + " --points 101 --format npy")));
  }
}

TEST(Sample, OfAFinishedSamplingDependsOnItsNumberOfPoints) {
  for (const auto& sampling : finished_samplings) {
    const std::string some = sampled(sampling + " --points 10 --dimensions 2"),
                      more = sampled(sampling + " --points 11 --dimensions 2");
    EXPECT_NE(more.substr(0, some.size()), some);
  }
}

TEST(SampleHelp, ListsSamplingsAndOptions) {
  for (const std::string line : {"sample --help", "sample sobol --help", "sample sobol --points 3 -h"}) {
    const auto outcome = sporos(line);
    EXPECT_EQ(outcome.status, 0) << line;
    EXPECT_EQ(outcome.error, "") << line;
    for (const auto* part : {"refined-descriptive", "--points", "--extend", "csv, npy"}) {
      EXPECT_NE(outcome.out.find(part), std::string::npos) << line << ": " << part;
    }
  }
  EXPECT_NE(sporos("--help").out.find("sporos sample SAMPLING"), std::string::npos);
}

void expect_refusal(const std::string& line, const std::string& message) {
  SCOPED_TRACE(line);
  expect_refusal(sporos("sample " + line), message);
}

// Expects that `sporos sample` refuses to continue a file with these contents, with `message` after the file's path.
void expect_refused_file(const std::string& contents, const std::string& message) {
  const Folder folder;
  const std::string path = folder.write("first", contents);
  expect_refusal("sobol --points 2 --dimensions 2 --extend " + path, path + message);
}

TEST(SampleExtend, RefusesWhatIsNoFileOfPoints) {
  expect_refusal("sobol --points 2 --dimensions 2 --extend /nowhere",
                 "cannot read '/nowhere': No such file or directory");
  expect_refusal("sobol --points 2 --dimensions 2 --extend /", "cannot read '/': Is a directory");
  expect_refused_file("", " is empty, expected a line of coordinate names and a line for each point");
  expect_refused_file("u1,u2\n", ": no row follows the names, expected one for each point");
  expect_refused_file("0.5,0.25\n0.75,0.5\n", ", line 1: column 1 is called '0.5', expected 'u1'");
  expect_refused_file("u1,u2\n0.5\n", ", line 2: 1 field, expected 2: u1, u2");
  expect_refused_file("u1,u2\n0.5,half\n", ", line 2: 'u2' is 'half', expected a number");
  expect_refused_file(
      "u1,u2\n0.5,0\"5\n",
      ", line 2: 'u2' has a quote that is neither doubled nor at an end of the field, which CSV (RFC 4180) "
      "does not allow");
  const std::string npy = sampled("sobol --points 3 --dimensions 2 --format npy");
  expect_refused_file(npy.substr(0, 50), " is cut off in its header");
  expect_refused_file(npy.substr(0, npy.size() - 8),
                      " has 40 bytes after its header, expected 8 for each of 3 x 2 numbers");
  std::string other_type = npy;
  other_type.replace(other_type.find("<f8"), 3, "<f4");
  expect_refused_file(other_type, " holds numbers of type ''<f4'', expected '<f8' (numpy.float64)");
}

class ExtendOfAnotherSample : public ::testing::TestWithParam<std::string> {};

TEST_P(ExtendOfAnotherSample, IsRefused) {
  const Folder folder;
  const std::string path = folder.write("first.csv", sampled(GetParam() + " --points 5"));
  const auto outcome = sporos("sample random --dimensions 2 --points 3 --extend " + path);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.error), 1);
  EXPECT_NE(outcome.error.find(path + " was not written with these options: "), std::string::npos) << outcome.error;
}

INSTANTIATE_TEST_SUITE_P(Options, ExtendOfAnotherSample,
                         ::testing::Values("sobol --dimensions 2", "random --dimensions 3", "random --dimensions 1",
                                           "random --dimensions 2 --seed 2", "random --dimensions 2 --set 1",
                                           "random --dimensions 2 --engine taus88"));

TEST(SampleExtend, NamesTheFirstNumberThatDiffers) {
  const Folder folder;
  const std::string text = sampled("halton --points 6 --dimensions 2");
  auto file = io::parse_csv("csv", text);
  const std::string expected = file.rows[2][1];
  file.rows[2][1] = "0.125";
  file.rows[4][0] = "0.5";
  std::string changed = "u1,u2\n";
  for (const auto& row : file.rows) io::append_csv_row(changed, row);
  const std::string path = folder.write("changed.csv", changed);
  expect_refusal("halton --points 2 --dimensions 2 --extend " + path,
                 path + " was not written with these options: point 3, coordinate 2 is 0.125, expected " + expected +
                     " (sampling, dimensions, seed, engine, set and primes must be those of " + path + ")");
  expect_refusal("halton --points 2 --dimensions 3 --extend " + path,
                 path +
                     " was not written with these options: it has 2 columns, expected 3 (sampling, dimensions, seed, "
                     "engine, set and primes must be those of " +
                     path + ")");
}

TEST(SampleExtend, RefusesPrimesThatAreOthers) {
  const Folder folder;
  const std::string path = folder.write("p", sampled("refined-descriptive --points 9 --dimensions 2 --primes 3:11"));
  EXPECT_EQ(sporos("sample refined-descriptive --points 9 --dimensions 2 --primes 3:13 --extend " + path).status, 2);
  EXPECT_EQ(sporos("sample refined-descriptive --points 9 --dimensions 2 --primes 3:11 --extend " + path).status, 0);
}

TEST(SampleExtend, DoesNotReplaceTheFileThatItContinues) {
  const Folder folder;
  const std::string text = sampled("sobol --points 4 --dimensions 2"), path = folder.write("points.csv", text);
  expect_refusal("sobol --points 2 --dimensions 2 --extend " + path + " --output " + path,
                 "--output is '" + path + "', which --extend reads: expected another file");
  EXPECT_EQ(contents_of(path), text);
}

TEST(SampleOutput, IsAllOrNothing) {
  const Folder folder;
  const std::string path = folder.write("points.npy", "old\n1\n");
  const std::string line = "sobol --points 4 --dimensions 2 --format npy";
  expect_refusal(line + " --extend " + path + " --output " + folder / "new",
                 path + ", line 1: column 1 is called 'old', expected 'u1'");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"points.npy"});
  EXPECT_EQ(sampled(line + " --output " + path), "");
  EXPECT_EQ(contents_of(path), sampled(line));
  EXPECT_EQ(folder.files(), std::vector<std::string>{"points.npy"});
}

// With sub-runs of three points, the program takes hours to find the last ones.
TEST(SampleOutput, IsNoneWhereCtrlCEndsTheProgram) {
  const Folder folder;
  Process process(
      first_program,
      words("sample refined-descriptive --primes 3:3 --points 2000000 --dimensions 1 --output " + folder / "never"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  process.send(SIGINT);
  EXPECT_EQ(process.wait().status, 128 + SIGINT);
  EXPECT_EQ(folder.files(), std::vector<std::string>{});
}

// Binary output is refused on a terminal, where it does harm.
TEST(SampleOutput, SendsNoBytesToATerminal) {
  const auto screen_of = [](const std::vector<std::string>& arguments) {
    std::string screen;
    const int status = run_on_terminal(arguments, screen, [](int) {});
    return std::to_string(status) + " " + screen;
  };
  const std::string npy = "sample sobol --points 4 --dimensions 2 --format npy";
  for (const std::string& line : {npy, npy + " --output -"}) {
    EXPECT_EQ(screen_of(words(line)),
              "2 sporos: --format npy is binary, which a terminal cannot show: expected --output FILE, or a pipe\r\n");
  }
  EXPECT_EQ(screen_of(words("sample sobol --points 4 --dimensions 2")).substr(0, 9), "0 u1,u2\r\n");
}

}  // namespace sample_tests
}  // namespace sporos::test
