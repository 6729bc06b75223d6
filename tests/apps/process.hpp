// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "harness/folder.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// Runs the built programs as a user does.
namespace sporos::test {

/// Names of the programs of this build, such as sporos-serial.
inline std::vector<std::string> programs() {
  std::istringstream list(SPOROS_PROGRAMS);
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

/// Name of the first program of this build: sporos-serial if this build's Kokkos has Serial.
inline constexpr auto first_program = SPOROS_FIRST_PROGRAM;

/// Whether a program of this build computes on a GPU. If so, Kokkos starts the GPU in all programs.
inline bool starts_gpu() {
  return std::ranges::any_of(programs(),
                             [](const std::string& name) { return name == "sporos-cuda" || name == "sporos-hip"; });
}

inline std::string contents_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// How a program ended.
struct Outcome {
  int status = 0;     ///< exit status; 0 if a signal ended the program
  int signal = 0;     ///< signal that ended the program, if any
  std::string out;    ///< standard output, unless it was redirected to a file
  std::string error;  ///< standard error
};

/// Path of `program` of this build. A `program` that begins with '/' is a path already.
inline std::string path_of(const std::string& program) {
  return program.starts_with('/') ? program : std::string(SPOROS_PROGRAM_FOLDER) + "/" + program;
}

/// Replaces this process by `program`, which is killed when the test ends, for example because ctest kills it.
[[noreturn]] inline void become(const std::string& program, const std::vector<std::string>& arguments) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string path = path_of(program);
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execv(path.c_str(), words.data());
  ::_exit(127);
}

/// Longest time that a test waits for an event, some thirty times as long as it takes. The test then fails and names
/// the event.
inline constexpr std::chrono::seconds longest_wait{100};

/// Whether a process is running. A process that has ended may still have an identifier.
inline bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string word; file >> word;) {
    if (word == "State:") return file >> word && word != "Z" && word != "X";
  }
  return false;
}

/// Words of a command line. Text between single quotes is one word.
inline std::vector<std::string> quoted_words(const std::string& line) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (c == ' ' && !is_quoted) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Runs the fastest program of this build on a terminal until it ends, and returns its exit status. Appends its output
/// to `screen` and calls `answer(terminal)` after each piece of output.
template <class Answer>
int run_on_terminal(const std::vector<std::string>& arguments, std::string& screen, const Answer& answer) {
  using namespace std::chrono;
  int terminal = -1, status = 0;
  const pid_t id = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (id == 0) become("sporos", arguments);
  if (id < 0) throw std::runtime_error("no process");
  const auto end = steady_clock::now() + longest_wait;
  const auto shows = [&] {
    pollfd more{terminal, POLLIN, 0};
    const auto left = duration_cast<milliseconds>(end - steady_clock::now()).count();
    return ::poll(&more, 1, static_cast<int>(std::max<long>(left, 0))) > 0;
  };
  bool is_late = false;
  for (char part[256]; !(is_late = !shows());) {
    const auto count = ::read(terminal, part, sizeof(part));
    if (count <= 0) break;  // the terminal closes when its program ends
    screen.append(part, static_cast<std::size_t>(count));
    answer(terminal);
  }
  if (is_late) ::kill(id, SIGKILL);
  ::waitpid(id, &status, 0);
  ::close(terminal);
  if (is_late) throw std::runtime_error("the program on the terminal has not ended in time, and has shown: " + screen);
  return WEXITSTATUS(status);
}

/// Runs the program as run_on_terminal does, and types Ctrl-C once the progress line shows how much is left.
inline int interrupted_on_terminal(const std::vector<std::string>& arguments, std::string& screen) {
  bool interrupted = false;
  return run_on_terminal(arguments, screen, [&](int terminal) {
    if (interrupted || screen.find(" left") == std::string::npos) return;
    interrupted = ::write(terminal, "\x03", 1) == 1;
  });
}

/// A running program, which the destructor kills.
class Process {
 public:
  /// Starts `program` of this build. Its standard output goes to the file `output`, if one is given.
  Process(const std::string& program, const std::vector<std::string>& arguments, const std::string& output = "") {
    m_id = ::fork();
    if (m_id < 0) throw std::runtime_error("no process");
    if (m_id > 0) return;
    const int mode = O_WRONLY | O_CREAT;
    ::dup2(output.empty() ? ::fileno(m_out) : ::open(output.c_str(), mode, 0666), STDOUT_FILENO);
    ::dup2(::fileno(m_error), STDERR_FILENO);
    become(program, arguments);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (m_id > 0) {
      ::kill(m_id, SIGKILL);
      ::waitpid(m_id, nullptr, 0);
    }
    std::fclose(m_out);
    std::fclose(m_error);
  }

  void send(int signal) const { ::kill(m_id, signal); }

  /// Process identifier.
  pid_t id() const { return m_id; }

  /// Waits until the program handles interruptions by signals, that is, until its thread "interruption" runs.
  void wait_for_interruption() const {
    wait_while_it_runs([&] { return has_thread("interruption"); }, "thread that looks for signals");
  }

  /// Waits until the program catches `signal`.
  void wait_for_handler(int signal) const {
    wait_while_it_runs([&] { return catches(signal); }, "handler of a signal");
  }

  /// Waits until the program has written `file`.
  void wait_for_file(const std::string& file) const {
    wait_while_it_runs([&] { return std::filesystem::exists(file); }, file);
  }

  /// Waits until the program has used `seconds` of processor time, which takes longer on a busy machine.
  void wait_for_work(double seconds) const {
    wait_while_it_runs([&] { return processor_seconds() >= seconds; }, "work");
  }

  /// Waits until the program computes: several times as long as it takes to begin. To start a GPU takes a second.
  void wait_until_it_computes() const { wait_for_work(starts_gpu() ? 1.5 : 0.15); }

  /// Waits until the program ends, and returns its outcome.
  Outcome wait() {
    int status = 0;
    wait_until([&] { return ::waitpid(m_id, &status, WNOHANG) != 0; }, "end");
    m_id = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, all_of(m_out),
            all_of(m_error)};
  }

 private:
  // Checks again after a tenth of the time that has passed, since most programs end within milliseconds.
  template <class Condition>
  void wait_until(const Condition& holds, const std::string& what) const {
    using namespace std::chrono;
    const auto start = steady_clock::now();
    while (!holds()) {
      const auto waited = steady_clock::now() - start;
      if (waited > longest_wait)
        throw std::runtime_error("no " + what + " in time; standard error: " + all_of(m_error));
      std::this_thread::sleep_for(std::clamp<steady_clock::duration>(waited / 10, 100us, 5ms));
    }
  }

  template <class Condition>
  void wait_while_it_runs(const Condition& holds, const std::string& what) const {
    bool has_ended = false;
    wait_until([&] { return (has_ended = !runs(m_id)) || holds(); }, what);
    if (has_ended && !holds())
      throw std::runtime_error("ended without " + what + "; standard error: " + all_of(m_error));
  }

  double processor_seconds() const {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(m_id, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  bool has_thread(const std::string& name) const {
    std::error_code error;
    const std::filesystem::path tasks = "/proc/" + std::to_string(m_id) + "/task";
    for (std::filesystem::directory_iterator task(tasks, error), end; !error && task != end; task.increment(error)) {
      std::ifstream file(task->path() / "comm");
      std::string found;
      if (std::getline(file, found) && found == name) return true;
    }
    return false;
  }

  bool catches(int signal) const {
    std::ifstream file("/proc/" + std::to_string(m_id) + "/status");
    for (std::string word; file >> word;) {
      if (word != "SigCgt:") continue;
      file >> word;
      return (std::stoull(word, nullptr, 16) >> (signal - 1)) & 1;
    }
    return false;
  }

  static std::string all_of(std::FILE* file) {
    std::rewind(file);
    std::string text;
    for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
    return text;
  }

  std::FILE* m_out = std::tmpfile();
  std::FILE* m_error = std::tmpfile();
  pid_t m_id = 0;
};

/// Runs `program` of this build to its end.
inline Outcome run(const std::string& program, const std::vector<std::string>& arguments,
                   const std::string& output = "") {
  return Process(program, arguments, output).wait();
}

/// Removes the members that depend on the clock and the machine, anywhere in a result's JSON.
template <class Json>
void erase_times(Json& json) {
  if (json.is_object()) {
    for (const char* name : {"run", "machine", "seconds"}) json.erase(name);
  }
  if (!json.is_structured()) return;
  for (Json& part : json) erase_times(part);
}

/// The words of a command line without quotes.
inline std::vector<std::string> words(const std::string& line) {
  std::istringstream list(line);
  return {std::istream_iterator<std::string>(list), {}};
}

/// Runs the fastest program of this build with the words of `line`.
inline Outcome sporos(const std::string& line) { return run("sporos", words(line)); }

/// The number of lines of a text.
inline auto lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace sporos::test
