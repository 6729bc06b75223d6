// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults of runs of several processes. The processes or their launcher are killed at random moments, and a run with
// another number of processes continues.
#include "harness/environment_variable.hpp"
#include "harness/long_tests.hpp"
#include "kept.hpp"
#include "mpirun.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace sporos::test {
namespace process_kills_tests {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

const std::string long_run = "simulate mmck --customers 100 --replications 1000000000000";
const std::string long_optimization = "optimize newsvendor --product-count 400 --epochs 100000000 --gap-batches 5";
const std::string long_classification =
    "optimize classification " SPOROS_SAMPLE_DATA "/breast_cancer.csv --iterations 100000000 --record-interval 20";
const std::string program = first_program;

// Seconds that mpirun of Open MPI before version 5 gives processes to end. tests/apps/CMakeLists.txt sets them to 0.
// Other launchers ignore the variable.
struct Grace {
  explicit Grace(const char* seconds) : timeout("OMPI_MCA_odls_base_sigkill_timeout", seconds) {}
  EnvironmentVariable timeout;
};

class KeptTogether : public ::testing::Test {
 protected:
  std::string output() const { return m_folder / "result.json"; }
  std::string checkpoint() const { return m_folder / "state"; }
  std::string note() const {
    const std::string path = checkpoint();
    return "the checkpoint is '" + (path.size() > 60 ? path.substr(0, 60) + "..." : path) + "'";
  }

  std::vector<std::string> arguments(const std::string& line, bool is_kept = true) const {
    return words(line + " --format json --output " + output() +
                 (is_kept ? " --checkpoint " + checkpoint() + " --every 0" : ""));
  }

  // Returns the result that was written, and removes its file.
  std::string take_result() const {
    const std::string result = lasting_part_of(contents_of(output()));
    std::filesystem::remove(output());
    return result;
  }

  Outcome outcome_of(int processes, const std::vector<std::string>& list, const std::string& by = program) const {
    return processes == 0 ? run(by, list) : run(SPOROS_MPIRUN, under_mpirun(processes, list, by));
  }

  // Starts a run, waits for its first checkpoint and then for `wait`, and calls `kill(launcher, processes)`. Returns
  // the outcome of the launcher.
  template <class Kill>
  Outcome killed(const std::string& line, int count, Clock::duration wait, const Kill& kill) const {
    Process launcher(SPOROS_MPIRUN, under_mpirun(count, arguments(line)));
    const auto processes = awaited_children_of(launcher.id(), static_cast<std::size_t>(count));
    EXPECT_EQ(processes.size(), static_cast<std::size_t>(count));
    wait_for(checkpoint(), launcher);
    std::this_thread::sleep_for(wait);
    kill(launcher, processes);
    expect_end(processes);
    return end_of(launcher);
  }

  static void wait_for(const std::string& file, const Process& launcher) {
    const auto end = Clock::now() + longest_wait;
    while (!std::filesystem::exists(file) && runs(launcher.id()) && Clock::now() < end)
      std::this_thread::sleep_for(1ms);
    EXPECT_LT(Clock::now(), end) << "expected " << file;
  }

  static void expect_end(const std::vector<pid_t>& processes) {
    const auto are_gone = [&] { return std::none_of(processes.begin(), processes.end(), runs); };
    for (int wait = 0; wait < 2000 && !are_gone(); ++wait) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(are_gone());
  }

  Folder m_folder;
};

// --- kills at random moments ----------------------------------------------------------------------------------------

struct Kills {
  std::string line;
  int rounds;  // each has two kills and a complete run
};

void PrintTo(const Kills& kills, std::ostream* stream) { *stream << kills.line; }

class KilledTogether : public KeptTogether, public ::testing::WithParamInterface<Kills> {
 protected:
  // Kills the launcher or one of the processes by SIGKILL, or asks one of the processes to end by SIGTERM. Every second
  // kill follows a checkpoint, since most of a short run is its start. The first of these follows it immediately.
  void kill_once(std::mt19937_64& random, int kill, Clock::duration length) const {
    const auto any = [&](int count) { return std::uniform_int_distribution(0, count - 1)(random); };
    const int count = 2 + any(3), signal = kill == 1 || any(2) == 0 ? SIGKILL : SIGTERM;
    const bool is_launcher = kill != 1 && signal == SIGKILL && any(2) == 0;
    Process launcher(SPOROS_MPIRUN, under_mpirun(count, arguments(GetParam().line)));
    const auto processes = awaited_children_of(launcher.id(), static_cast<std::size_t>(count));
    ASSERT_EQ(processes.size(), static_cast<std::size_t>(count));
    if (kill % 2 == 1) wait_for(checkpoint(), launcher);
    if (kill != 1) std::this_thread::sleep_for(length * std::uniform_real_distribution(0.0, 1.0)(random));
    ::kill(is_launcher ? launcher.id() : processes[static_cast<std::size_t>(any(count))], signal);
    expect_end(processes);
    const Outcome outcome = end_of(launcher);
    EXPECT_LE(our_lines(outcome.error).size(), 1u) << outcome.error;
  }
};

TEST_P(KilledTogether, LoseNothing) {
  const auto start = Clock::now();
  ASSERT_EQ(outcome_of(0, arguments(GetParam().line, false)).status, 0);
  const auto length = Clock::now() - start;
  const std::string expected = take_result();

  std::mt19937_64 random(11);
  int goings_on = 0;
  for (int round = 0; round < GetParam().rounds; ++round) {
    for (const int kill : {2 * round, 2 * round + 1}) kill_once(random, kill, length);
    std::filesystem::remove(output());  // the result of a complete run, or of a part
    goings_on += std::filesystem::exists(checkpoint()) ? 1 : 0;
    const int processes = std::array{0, 3, 0, 2, 4}[static_cast<std::size_t>(round % 5)];
    const std::string by = round % 5 == 2 ? programs().back() : program;
    const Outcome outcome = outcome_of(processes, arguments(GetParam().line), by);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(take_result(), expected) << "by " << processes << " of " << by;
    EXPECT_TRUE(m_folder.files().empty());
  }
  EXPECT_GT(goings_on, 0);
  std::cout << 2 * GetParam().rounds << " kills, " << goings_on << " runs that went on\n";
}

INSTANTIATE_TEST_SUITE_P(
    Runs, KilledTogether,
    ::testing::Values(Kills{"simulate mmck --servers 1:3:1 --customers 100 --replications 15000", runs_in_test(2, 3)},
                      Kills{"simulate mm1 --arrival-rate 0.3,0.5 --customers 100 --precision 0.4 --batch 500",
                            runs_in_test(1, 2)},
                      Kills{pairwise_optimization, 1}, Kills{bootstrap, 1}));

// --- requests to end ------------------------------------------------------------------------------------------------

class AskedToEnd : public KeptTogether {
 protected:
  // Expects that the partial results are those of a run with as many replications, that there is a checkpoint, and, if
  // `is_heard`, that one line reports both.
  void expect_part(const Outcome& outcome, bool is_heard = true) const {
    const auto lines = our_lines(outcome.error);
    ASSERT_LE(lines.size(), 1u) << outcome.error;
    if (is_heard) {
      ASSERT_EQ(lines.size(), 1u) << outcome.error;
    }
    for (const std::string& line : lines) {
      EXPECT_NE(line.find(", whose results are written; " + note()), std::string::npos) << line;
    }
    EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"result.json", "state"}));
    const auto part = nlohmann::ordered_json::parse(contents_of(output())).at("findings");
    const auto count = part.at("replications").dump();
    const std::string same = "simulate mmck --customers 100 --format json --replications " + count;
    const auto whole = nlohmann::ordered_json::parse(run(program, words(same)).out).at("findings");
    EXPECT_EQ(part.at("digest"), whole.at("digest")) << count << " replications";
  }
};

// Open MPI's mpirun waits, sends its processes SIGTERM, waits again, kills the remaining ones, and ends with status 1.
// Version 5 ignores the configured time. It kills the processes after a quarter of a second and drops what they print
// until then, so that they may have no time to write results.
TEST_F(AskedToEnd, ByTheirLauncherTheyWriteWhatIsThere) {
  const Grace grace("1");
  const auto ask = [](const Process& launcher, const auto&) { launcher.send(SIGTERM); };
  const Outcome outcome = killed(long_run, 2, 100ms, ask);
  EXPECT_NE(outcome.status, 0);
  const bool has_grace = run(SPOROS_MPIRUN, {"--version"}).out.find("(Open MPI) 5") == std::string::npos;
  if (has_grace || std::filesystem::exists(output())) expect_part(outcome, false);
}

// The signal arrives several times, as batch systems and launchers may send it.
TEST_F(AskedToEnd, AllDoWhereOneIs) {
  for (const std::size_t one : {0, 2}) {
    const Outcome outcome = killed(long_run, 3, 100ms, [&](const Process&, const auto& processes) {
      for (int times = 0; times < 3; ++times) {
        ::kill(processes.at(one), SIGTERM);
        std::this_thread::sleep_for(5ms);
      }
    });
    EXPECT_EQ(outcome.status, 128 + SIGTERM);
    expect_part(outcome);
    take_result();
    std::filesystem::remove(checkpoint());
  }
}

// Every process computes the same, independently of the others.
TEST_F(AskedToEnd, TheFirstDoesNotWaitForThoseThatAreNot) {
  const Outcome outcome = killed(long_optimization, 2, 100ms,
                                 [](const Process&, const auto& processes) { ::kill(processes.at(0), SIGTERM); });
  EXPECT_EQ(outcome.status, 128 + SIGTERM);
  ASSERT_GE(our_lines(outcome.error).size(), 1u);
  EXPECT_NE(our_lines(outcome.error)[0].find(note()), std::string::npos) << outcome.error;
  EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"result.json", "state"}));
}

// --- errors ---------------------------------------------------------------------------------------------------------

TEST_F(KeptTogether, EndInOneLineWhereNoCheckpointCanBeWrittenAnyMore) {
  std::vector<std::string> lines{long_run, fit + " --bootstrap 100000", long_optimization, long_classification};
  lines.resize(runs_in_test(std::size_t{2}, lines.size()));
  for (const std::string& line : lines) {
    const Folder other;
    const std::string folder = other / "gone", path = folder + "/state";
    std::filesystem::create_directory(folder);
    Process launcher(SPOROS_MPIRUN, under_mpirun(2, words(line + " --checkpoint " + path + " --every 0")));
    wait_for(path, launcher);
    std::filesystem::rename(folder, other / "elsewhere");
    const Outcome outcome = launcher.wait();
    EXPECT_EQ(outcome.status, 2) << line;
    ASSERT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
    EXPECT_NE(our_lines(outcome.error)[0].find("cannot write '"), std::string::npos) << outcome.error;
    EXPECT_TRUE(std::filesystem::exists(other / "elsewhere/state")) << line;
  }
}

TEST_F(KeptTogether, RefuseACheckpointInAMissingFolder) {
  const auto list = words("simulate pi --replications 10 --checkpoint nowhere/state");
  const Outcome outcome = outcome_of(3, list);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(our_lines(outcome.error),
            std::vector<std::string>{"sporos: cannot write 'nowhere/state': No such file or directory"});
}

TEST_F(KeptTogether, RefuseTheCheckpointOfAnotherRun) {
  outcome_of(0, arguments(fixed_run + " --time-limit 0.0001"));
  const Outcome outcome = outcome_of(3, arguments(fixed_run + " --seed 2"));
  EXPECT_EQ(outcome.status, 2);
  ASSERT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
  EXPECT_NE(our_lines(outcome.error)[0].find("plan.seed is '1' in it, expected '2'"), std::string::npos);
}

TEST_F(KeptTogether, RefuseTheCheckpointOfARunThatGoesOn) {
  const Outcome first = killed(long_run, 2, 0ms, [&](const Process&, const auto& processes) {
    const Outcome second = outcome_of(2, arguments(long_run));
    EXPECT_EQ(second.status, 2);
    ASSERT_EQ(our_lines(second.error).size(), 1u) << second.error;
    EXPECT_NE(our_lines(second.error)[0].find("is in use by another run: wait until that run ends"), std::string::npos);
    ::kill(processes.at(0), SIGTERM);
  });
  EXPECT_EQ(first.status, 128 + SIGTERM);
}

}  // namespace process_kills_tests
}  // namespace sporos::test
