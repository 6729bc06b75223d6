// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/long_tests.hpp"
#include "process.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
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

// A command that takes longer than anybody waits, and the phase that it is in. The first seven react to no signal in
// time, so that the watchdog ends them. PIPE is a pipe that nobody writes to.
struct Endless {
  const char* phase;
  std::string line;
  bool writes = false;  // whether it writes the results so far when it is asked to end
};

// A search over one parameter whose replications take 0.3 ms each.
const std::string search = "optimize mm1 --over service-rate=0.6:5 --minimize 'time in system + 2 * service-rate' ";

// Methods that stop immediately and write the results so far.
std::vector<std::string> lines_at_once() {
  return {
      "rare-event mm1 --event 'number in system >= 20' --method importance --pilot-replications 200 "
      "--replications 1000000000",
      "rare-event mm1 --event 'number in system >= 20' --chains 100 --runs 1000000",
      "rare-event mm1 --event 'number in system >= 20' --method adaptive --chains 100 "
      "--runs 1000000",
      "multilevel call-options --response 'European call' --rmse 0.0005",
      "stratify mm1 --customers 100 --strata '1:4' --replications 100000000",
      "array-rqmc mm1 --chain-steps 10 --chains 64 --randomizations 1000000",
      "optimize newsvendor --product-count 300 --resource-count 150 --epochs 5",
      "optimize network --over stations.doctor.speed=0.5:2 --minimize 'time in network' --solver astro-df "
      "--replications 100000000"};
}

std::vector<Endless> endless_commands() {
  std::vector<Endless> list = {
      {"a replication", "simulate mm1 --customers 1000000000000 --replications 8"},
      {"a capacity", "simulate mmck --arrival-rate 3 --capacity 100000000000 --replications 8"},
      {"the start of a run without end", "steady-state mmck --arrival-rate 3 --capacity 100000000000"},
      {"the gap's own sample",
       "optimize newsvendor --product-count 1000 --epochs 1 --gap-batches 1000000 "
       "--gap-batch-size 100000"},
      {"Expectation maximization", "fit " + data + "/galaxies.csv --components 10 --starts 100000"},
      {"Nelder-Mead", "fit " + data + "/galaxies.csv --components 8 --starts 0 --nelder-mead-starts 20000"},
      {"a bootstrap", "fit " + data + "/galaxies.csv --components 1:4 --starts 2 --bootstrap 200000"},
      {"germinal centres", "simulate germinal-centre " + data + "/germinal_centre.json --hours 100000"},
      {"replications", "simulate pi --replications 4000000000000000"},
      {"a comparison", "compare-samplings pert --run-length 256 --replications 268435456 --samplings random,sobol",
       true},
      {"a replay", "replay pi --draws 1000000000000 --replication 7"},
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
      {"a search", search + "--solver adam --replications 1000000000000 --sample-size 1000000", true},
      {"the check of a search's gradients", search + "--customers 10000000 --replications 1000000000"},
      {"estimates", search + "--solver adam --replications 100 --final-replications 1000000", true},
      {"estimates of many points", search + "--solver random-search --replications 2000 --final-replications 100000",
       true},
      {"estimates of several runs",
       search + "--solver adam --macro-replications 20 --replications 100 --final-replications 100000", true},
      {"a gap", search + "--customers 100 --replications 500 --final-replications 1000 --gap-batches 100000", true},
      {"a surface", search + "--solver adam --replications 100 --final-replications 10000 --surface SURFACE", true},
      {"certificates",
       "optimize mm1 --over service-rate=0.6:5 --minimize service-rate --subject-to 'time in queue <= 1' "
       "--replications 500 --final-replications 1000000",
       true},
      {"a selection", "select mm1 --over service-rate=1.99:2:0.0001 --smallest 'time in queue' --delta 0.000001"},
  };
  for (const std::string& line : lines_at_once()) list.push_back({"an answer at once", line, true});
  if (!are_tests_long()) return list;
  const std::vector<Endless> more = {
      {"a selection's long replications",
       "select mm1 --over service-rate=1:2:0.1 --smallest 'time in queue' --delta 1 --customers 1000000000"},
      {"a solver on a problem", "compare-solvers --solvers adam --problems mm1 --budget 100000000"},
      {"post-replications", "compare-solvers --solvers adam --problems mm1 --post-replications 10000000"},
      {"a sensitivity", "sensitivity mm1 --uncertain arrival-rate=0.1:0.9 --customers 1000000000"},
      {"runs without end", "steady-state mm1 --precision 0.0000001", true},
      {"cross-entropy", "rare-event mm1 --event 'time in queue > 20' --replications 1000000000"},
      {"the first runs of splitting", "rare-event mm1 --event 'number in system >= 200' --chains 10000000"},
      {"the first levels", "multilevel call-options --steps 1000000 --response 'European call'"},
      {"pilots of strata", "stratify mm1 --strata '1:4' --neyman 'time in queue' --pilot-replications 10000000"},
      {"the first arrays", "array-rqmc mm1 --chain-steps 1000000000"},
  };
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

std::vector<std::string> arguments_of(const std::string& line, const Folder& folder) {
  std::vector<std::string> arguments = quoted_words(line);
  for (std::string& word : arguments) {
    if (word == "PIPE") word = folder / "pipe";
    if (word == "SURFACE") word = folder / "surface.svg";
  }
  arguments.insert(arguments.end(), {arguments.front() == "calibrate" ? "--constants" : "--output", folder / "output"});
  return arguments;
}

// A program that runs in a temporary folder.
class EndlessRun {
 public:
  explicit EndlessRun(const Endless& endless, const std::string& more = "")
      : m_phase(endless.phase), m_writes(endless.writes) {
    EXPECT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    m_process = std::make_unique<Process>(first_program, arguments_of(endless.line + more, m_folder));
  }

  const std::string& phase() const { return m_phase; }
  Process& process() { return *m_process; }

  bool writes() const { return m_writes; }

  std::string output() const { return contents_of(m_folder / "output"); }
  bool has_written() const { return !output().empty(); }

  // Expects that only complete files are left.
  void expect_no_leftovers() const {
    for (const std::string& name : m_folder.files()) EXPECT_TRUE(name == "output" || name == "pipe") << name;
  }

 private:
  std::string m_phase;
  bool m_writes;
  Folder m_folder;
  std::unique_ptr<Process> m_process;
};

// Extra seconds that are allowed because two cores may be busy with other tests.
constexpr double slack = 4;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void expect_one_line(const std::string& error) { EXPECT_LE(lines_of(error), 1) << error; }

// Number of programs that run at a time, so that each has some of the processor. The first group holds those that the
// watchdog ends, which takes longest.
constexpr std::size_t at_a_time = 7;

class Signals : public ::testing::TestWithParam<int> {};

TEST_P(Signals, EndEveryPhaseWithinASecond) {
  const std::vector<Endless> all = endless_commands();
  for (std::size_t first = 0; first < all.size(); first += at_a_time) {
    std::vector<std::unique_ptr<EndlessRun>> runs;
    for (std::size_t i = first; i < std::min(first + at_a_time, all.size()); ++i) {
      runs.push_back(std::make_unique<EndlessRun>(all[i]));
    }
    std::this_thread::sleep_for(200ms);
    for (const auto& run : runs) {
      if (run->writes()) run->process().wait_until_it_computes();
    }
    const auto start = Clock::now();
    for (const auto& run : runs) run->process().send(GetParam());
    for (const auto& run : runs) {
      SCOPED_TRACE(run->phase());
      const Outcome outcome = run->process().wait();
      EXPECT_LT(seconds_since(start), 1 + slack);
      EXPECT_TRUE(outcome.signal == GetParam() || outcome.status == 128 + GetParam())
          << outcome.status << ", " << outcome.signal << ": " << outcome.error;
      expect_one_line(outcome.error);
      EXPECT_TRUE(run->output().find("nterrupted") != std::string::npos || !run->writes())
          << outcome.error << run->output();
      run->expect_no_leftovers();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, Signals, ::testing::Values(SIGINT));

bool takes_limit(const Endless& endless) {
  const auto has = [&](const char* text) { return endless.line.find(text) != std::string::npos; };
  for (const char* command : {"fit ", "sample ", "calibrate ", "predict "}) {
    if (endless.line.starts_with(command)) return false;
  }
  return !has(" radiation") && !has(" germinal-centre") && !endless.line.starts_with("replay ");
}

TEST(TimeLimit, EndsEveryPhaseWithinASecond) {
  std::vector<Endless> all = endless_commands();
  std::erase_if(all, [](const Endless& endless) { return !takes_limit(endless); });
  EXPECT_GT(all.size(), 6u);
  for (std::size_t first = 0; first < all.size(); first += at_a_time) {
    std::vector<std::unique_ptr<EndlessRun>> runs;
    const auto start = Clock::now();
    for (std::size_t i = first; i < std::min(first + at_a_time, all.size()); ++i) {
      runs.push_back(std::make_unique<EndlessRun>(all[i], " --time-limit 0.2"));
    }
    for (const auto& run : runs) {
      SCOPED_TRACE(run->phase());
      const Outcome outcome = run->process().wait();
      EXPECT_LT(seconds_since(start), 1.2 + slack);
      EXPECT_EQ(outcome.signal, 0);
      EXPECT_LE(outcome.status, 2) << outcome.error;
      EXPECT_EQ(outcome.status == 0, outcome.error.empty()) << outcome.error;
      expect_one_line(outcome.error);
      EXPECT_EQ(run->has_written(), outcome.status != 1) << "before it began, or in a step without results";
      run->expect_no_leftovers();
    }
  }
}

// Output of `line` in `format` under the shortest time limit of 0.1, 0.3, 0.9, … seconds that leaves something to
// write.
std::string written_early(const std::string& line, const std::string& format) {
  const Folder folder;
  const std::string output = folder / "output";
  Outcome outcome{.status = 1, .signal = 0, .out = {}, .error = {}};
  for (int tenths = 1; outcome.status == 1 && tenths < 100; tenths *= 3) {
    outcome = run(first_program, quoted_words(line + " --time-limit " + std::to_string(tenths) + "e-1 --format " +
                                              format + " --output " + output));
  }
  const bool misses_rmse = line.find("--rmse") != std::string::npos;
  EXPECT_EQ(outcome.status, misses_rmse ? 2 : 0) << outcome.error;
  EXPECT_EQ(outcome.error.empty(), !misses_rmse) << outcome.error;
  return contents_of(output);
}

// The formats for programs state why a run stopped. The tests above check the tables for people.
TEST(TimeLimit, IsStatedInJsonAndCsv) {
  for (const std::string& line : lines_at_once()) {
    if (line.starts_with("optimize")) continue;  // all searches report it the same way
    SCOPED_TRACE(line);
    EXPECT_NE(written_early(line, "json").find("\"stopped_by\": \"time limit\""), std::string::npos);
    EXPECT_NE(written_early(line, "csv").find(",time limit\n"), std::string::npos);
  }
}

// A command that has no estimate yet reports that it writes no results.
TEST(TimeLimit, BeforeThereIsAnEstimateIsToldInOneLine) {
  const Folder folder;
  const Outcome outcome = run(first_program, quoted_words("rare-event mm1 --event 'time in queue > 20' "
                                                          "--customers 100000 --time-limit 0.1"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(
      outcome.error,
      "sporos: the time limit of 0.1 s is over before cross-entropy and 2 replications of the estimate were done: "
      "no results are written\n");
}

// The replications of a launch take seconds each. After a signal, the results of earlier launches are reported.
TEST(Interruption, KeepsWhatLongLaunchesGaveBefore) {
  const Folder folder;
  const std::string line = "simulate mm1 --customers 15000000 --replications 1000 --format csv --output ";
  Process process(first_program, words(line + folder / "result.csv"));
  process.wait_for_work(2.5);
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_TRUE(outcome.error.starts_with("sporos: interrupted after ")) << outcome.error;
  EXPECT_NE(contents_of(folder / "result.csv").find("interrupted"), std::string::npos);
}

// The gnuplot that draws the picture does not end.
TEST(Picture, OfAProgramThatDoesNotEndIsGivenUp) {
  const Folder folder;
  const std::string program =
      folder.write("gnuplot", "#!/bin/sh\nread first || exit 0\n: >$0.begun\nexec sleep 1000\n");
  ::chmod(program.c_str(), 0700);
  const std::string path = std::string("PATH=") + folder.path() + ":" + std::getenv("PATH");
  Process process("/usr/bin/env", {path, path_of(first_program), "fit", data + "/galaxies.csv", "--components", "1",
                                   "--output", folder / "fit.txt", "--picture", folder / "fit.svg"});
  process.wait_for_file(folder / "gnuplot.begun");
  const auto start = Clock::now();
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_LT(seconds_since(start), 1 + slack);
  EXPECT_EQ(outcome.status, 128 + SIGINT);
  EXPECT_EQ(outcome.error, "sporos: interrupted while results were written: some files may be missing\n");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"gnuplot", "gnuplot.begun"}));
}

// Control: waiting fails if the program has ended without writing the file.
TEST(Waiting, ForWhatAnEndedProgramDoesNotWriteFails) {
  const Folder folder;
  const Process process(first_program, {"--version"}, folder / "out");
  EXPECT_THROW(process.wait_for_file(folder / "never"), std::runtime_error);
  EXPECT_NO_THROW(process.wait_for_file(folder / "out"));
}

}  // namespace ends_tests
}  // namespace sporos::test
