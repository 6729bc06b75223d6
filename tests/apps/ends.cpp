// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// Every command, in each of its phases, ends within a second of the first Ctrl-C and of its time limit.
namespace sporos::test {
namespace ends_tests {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

const std::string data = SPOROS_SAMPLE_DATA;

// What takes longer than anybody waits, in the phase that the name says: first the seven that hear of no signal in time
// and are ended by the watchdog. PIPE is a pipe that nobody writes to.
struct Endless {
  const char* phase;
  std::string line;
};

const std::vector<Endless>& endless_commands() {
  static const std::vector<Endless> list = {
      {"a replication", "simulate mm1 --customers 1000000000000 --replications 8"},
      {"a capacity", "simulate mmck --arrival-rate 3 --capacity 100000000000 --replications 8"},
      {"the gap's own sample",
       "optimize newsvendor --product-count 1000 --epochs 1 --gap-batches 1000000 "
       "--gap-batch-size 100000"},
      {"Expectation maximization", "fit " + data + "/galaxies.csv --components 10 --starts 100000"},
      {"Nelder-Mead", "fit " + data + "/galaxies.csv --components 8 --starts 0 --nelder-mead-starts 20000"},
      {"a bootstrap", "fit " + data + "/galaxies.csv --components 1:4 --starts 2 --bootstrap 200000"},
      {"germinal centres", "simulate germinal-centre " + data + "/germinal_centre.json --hours 100000"},
      {"replications", "simulate pi --replications 4000000000000000"},
      {"a comparison", "simulate pert --run-length 256 --replications 268435456 --compare-sampling random,sobol"},
      {"a replay", "simulate pi --draws 1000000000000 --replay 7"},
      {"an epoch", "optimize newsvendor --product-count 200000 --resource-count 3 --iterations 1000000000"},
      {"many epochs",
       "optimize newsvendor --product-count 10 --epochs 1000000000 --record-interval 1000000000"
       " --sample-growth 0"},
      {"stochastic quasi-Newton", "optimize classification " + data +
                                      "/breast_cancer.csv --iterations 1000000000 "
                                      "--record-interval 1000000000"},
      {"reading rows", "optimize classification PIPE"},
      {"reading observations", "fit PIPE"},
      {"photons", "simulate radiation --case " + data + "/plates.json --photons 30000000000"},
      {"points", "sample sobol --points 100000000 --dimensions 2"},
      {"blocks", "calibrate --draws 100000000000"},
      {"reading rows to predict", "predict PIPE " + data + "/breast_cancer.csv"},
  };
  return list;
}

std::vector<std::string> arguments_of(const std::string& line, const Folder& folder) {
  std::vector<std::string> arguments = words(line);
  for (std::string& word : arguments) {
    if (word == "PIPE") word = folder / "pipe";
  }
  arguments.insert(arguments.end(), {arguments.front() == "calibrate" ? "--constants" : "--output", folder / "output"});
  return arguments;
}

// A program in a folder of its own.
class EndlessRun {
 public:
  explicit EndlessRun(const Endless& endless, const std::string& more = "") : m_phase(endless.phase) {
    EXPECT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    m_process = std::make_unique<Process>("sporos-serial", arguments_of(endless.line + more, m_folder));
  }

  const std::string& phase() const { return m_phase; }
  Process& process() { return *m_process; }

  // That nothing is there but what was whole.
  void expect_no_leftovers() const {
    for (const std::string& name : m_folder.files()) EXPECT_TRUE(name == "output" || name == "pipe") << name;
  }

 private:
  std::string m_phase;
  Folder m_folder;
  std::unique_ptr<Process> m_process;
};

// Two cores may be busy with other tests: seconds that are for them.
constexpr double slack = 4;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void expect_one_line(const std::string& error) { EXPECT_LE(lines_of(error), 1) << error; }

// A few at a time, so that each has some of the processor: those first that the watchdog ends, which takes longest.
constexpr std::size_t at_a_time = 7;

class Signals : public ::testing::TestWithParam<int> {};

TEST_P(Signals, EndEveryPhaseWithinASecond) {
  const auto& all = endless_commands();
  for (std::size_t first = 0; first < all.size(); first += at_a_time) {
    std::vector<std::unique_ptr<EndlessRun>> runs;
    for (std::size_t i = first; i < std::min(first + at_a_time, all.size()); ++i) {
      runs.push_back(std::make_unique<EndlessRun>(all[i]));
    }
    std::this_thread::sleep_for(200ms);
    const auto start = Clock::now();
    for (const auto& run : runs) run->process().send(GetParam());
    for (const auto& run : runs) {
      SCOPED_TRACE(run->phase());
      const Outcome outcome = run->process().wait();
      EXPECT_LT(seconds_since(start), 1 + slack);
      EXPECT_TRUE(outcome.signal == GetParam() || outcome.status == 128 + GetParam())
          << outcome.status << ", " << outcome.signal << ": " << outcome.error;
      expect_one_line(outcome.error);
      run->expect_no_leftovers();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, Signals, ::testing::Values(SIGINT));

TEST(TimeLimit, EndsEveryPhaseWithinASecond) {
  std::vector<std::unique_ptr<EndlessRun>> runs;
  const auto start = Clock::now();
  for (const Endless& endless : endless_commands()) {
    const bool takes_limit =
        endless.line.find("optimize") == 0 ||
        (endless.line.find("simulate") == 0 && endless.line.find("radiation") == std::string::npos &&
         endless.line.find("germinal") == std::string::npos && endless.line.find("replay") == std::string::npos);
    if (takes_limit) runs.push_back(std::make_unique<EndlessRun>(endless, " --time-limit 0.2"));
  }
  EXPECT_GT(runs.size(), 6u);
  for (const auto& run : runs) {
    SCOPED_TRACE(run->phase());
    const Outcome outcome = run->process().wait();
    EXPECT_LT(seconds_since(start), 1.2 + 2 * slack);
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << outcome.status << ": " << outcome.error;
    EXPECT_EQ(outcome.status == 0, outcome.error.empty()) << outcome.error;
    expect_one_line(outcome.error);
    run->expect_no_leftovers();
  }
}

// A launch of replications that take seconds each: those before it are reported.
TEST(Interruption, KeepsWhatLongLaunchesGaveBefore) {
  const Folder folder;
  const std::string line = "simulate mm1 --customers 15000000 --replications 1000 --format csv --output ";
  Process process("sporos-serial", words(line + folder / "result.csv"));
  process.wait_for_work(2.5);
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_TRUE(outcome.error.starts_with("sporos: interrupted after ")) << outcome.error;
  EXPECT_NE(contents_of(folder / "result.csv").find("interrupted"), std::string::npos);
}

// A gnuplot that does not end.
TEST(Picture, OfAProgramThatDoesNotEndIsGivenUp) {
  const Folder folder;
  const std::string program =
      folder.write("gnuplot", "#!/bin/sh\nread first || exit 0\n: >$0.begun\nexec sleep 1000\n");
  ::chmod(program.c_str(), 0700);
  const std::string path = std::string("PATH=") + folder.path() + ":" + std::getenv("PATH");
  Process process("/usr/bin/env", {path, path_of("sporos-serial"), "fit", data + "/galaxies.csv", "--components", "1",
                                   "--output", folder / "fit.txt", "--picture", folder / "fit.svg"});
  process.wait_for_file(folder / "gnuplot.begun");
  const auto start = Clock::now();
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_LT(seconds_since(start), 1 + slack);
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_EQ(outcome.error, "sporos: interrupted while results were written: those that are not there are missing\n");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"gnuplot", "gnuplot.begun"}));
}

// What these tests wait for does not come once the program has ended.
TEST(Waiting, ForWhatAnEndedProgramDoesNotWriteFails) {
  const Folder folder;
  const Process process("sporos-serial", {"--version"}, folder / "out");
  EXPECT_THROW(process.wait_for_file(folder / "never"), std::runtime_error);
  EXPECT_NO_THROW(process.wait_for_file(folder / "out"));
}

}  // namespace ends_tests
}  // namespace sporos::test
