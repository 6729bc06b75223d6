// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

/// The programs under mpirun.
namespace sporos::test {

/// What mpirun is told to run `program` of this build in several processes.
inline std::vector<std::string> under_mpirun(int processes, const std::vector<std::string>& arguments,
                                             const std::string& program = first_program) {
  std::vector<std::string> list{"-n", std::to_string(processes), path_of(program)};
  list.insert(list.end(), arguments.begin(), arguments.end());
  return list;
}

/// The same for the words of `line`.
inline std::vector<std::string> under_mpirun(int processes, const std::string& line) {
  return under_mpirun(processes, words(line));
}

/// The lines of ours in what is written to standard error: mpirun has its own to say of a status that is not 0.
inline std::vector<std::string> our_lines(const std::string& error) {
  std::vector<std::string> lines;
  std::istringstream text(error);
  for (std::string line; std::getline(text, line);) {
    if (line.find("sporos:") != std::string::npos) lines.push_back(line);
  }
  return lines;
}

/// The numbers of the processes that `parent` has begun.
inline std::vector<pid_t> children_of(pid_t parent) {
  std::ifstream list("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  return {std::istream_iterator<pid_t>(list), {}};
}

/// The first children of `parent`, once there are so many; fewer where they do not come.
inline std::vector<pid_t> awaited_children_of(pid_t parent, std::size_t count) {
  using namespace std::chrono_literals;
  std::vector<pid_t> children;
  for (int wait = 0; wait < 5000 && children.size() < count; ++wait) {
    std::this_thread::sleep_for(2ms);
    children = children_of(parent);
  }
  return children;
}

/// Sends a signal to each process that `launcher` has begun. A launcher that receives it would end them itself, after a
/// time that a busy machine may need for more.
inline void send_to_processes(const Process& launcher, int signal) {
  for (const pid_t process : children_of(launcher.id())) ::kill(process, signal);
}

/// How a launcher ends whose processes have ended. Open MPI 4.1's locks itself up now and then (a mutex in
/// PMIx_server_finalize) where a process is killed while it starts: it is killed after five seconds.
inline Outcome end_of(Process& launcher) {
  using namespace std::chrono_literals;
  for (int wait = 0; wait < 1000 && runs(launcher.id()); ++wait) std::this_thread::sleep_for(5ms);
  if (runs(launcher.id())) launcher.send(SIGKILL);
  return launcher.wait();
}

}  // namespace sporos::test
