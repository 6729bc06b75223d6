// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "harness/folder.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// Runs the built programs as a user does.
namespace sporos::test {

/// The programs of this build: sporos-serial and the like.
inline std::vector<std::string> programs() {
  std::istringstream list(SPOROS_PROGRAMS);
  return {std::istream_iterator<std::string>(list), {}};
}

inline std::string contents_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// How a program ended.
struct Outcome {
  int status = 0;     ///< exit status; 0 where a signal ended it
  int signal = 0;     ///< the signal that ended it
  std::string out;    ///< standard output, unless it went elsewhere
  std::string error;  ///< standard error
};

/// Where `program` of this build is; another is named by its path.
inline std::string path_of(const std::string& program) {
  return program.starts_with('/') ? program : std::string(SPOROS_PROGRAM_FOLDER) + "/" + program;
}

/// Goes on as `program`.
[[noreturn]] inline void become(const std::string& program, const std::vector<std::string>& arguments) {
  const std::string path = path_of(program);
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execv(path.c_str(), words.data());
  ::_exit(127);
}

/// Starts the fastest program of this build on a terminal of its own, which goes to `terminal`; its process, or less
/// than 0 where that fails.
inline pid_t start_on_terminal(const std::vector<std::string>& arguments, int& terminal) {
  const pid_t id = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (id == 0) become("sporos", arguments);
  return id;
}

/// Starts the fastest program of this build on a terminal of its own, types Ctrl-C once its line of progress says how
/// much is left, and returns its exit status; all that it has shown goes to `screen`.
inline int interrupted_on_terminal(const std::vector<std::string>& arguments, std::string& screen) {
  int terminal = -1;
  const pid_t id = start_on_terminal(arguments, terminal);
  if (id < 0) throw std::runtime_error("no process");
  bool interrupted = false;
  for (char part[256]; const auto count = ::read(terminal, part, sizeof(part));) {
    if (count < 0) break;  // the terminal ends with its program
    screen.append(part, static_cast<std::size_t>(count));
    if (interrupted || screen.find(" left") == std::string::npos) continue;
    interrupted = ::write(terminal, "\x03", 1) == 1;
  }
  int status = 0;
  ::waitpid(id, &status, 0);
  ::close(terminal);
  return WEXITSTATUS(status);
}

/// A program that runs.
class Process {
 public:
  /// Starts `program` of this build; its standard output goes to the file `output`, where one is named.
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

  /// Its number.
  pid_t id() const { return m_id; }

  /// Waits until the program has (or no longer has) a handler of its own for `signal`.
  void wait_for_handler(int signal, bool installed) const {
    using namespace std::chrono_literals;
    while (catches(signal) != installed) std::this_thread::sleep_for(1ms);
  }

  /// Waits for its end.
  Outcome wait() {
    int status = 0;
    ::waitpid(m_id, &status, 0);
    m_id = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, all_of(m_out),
            all_of(m_error)};
  }

 private:
  bool catches(int signal) const {
    std::ifstream file("/proc/" + std::to_string(m_id) + "/status");
    for (std::string word; file >> word;) {
      if (word != "SigCgt:") continue;
      file >> word;
      return (std::stoull(word, nullptr, 16) >> (signal - 1)) & 1;
    }
    throw std::runtime_error("the program has ended");
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
