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

/// Runs the programs under mpirun.
namespace sporos::test {

/// Arguments with which mpirun runs `program` of this build in several processes.
inline std::vector<std::string> under_mpirun(int processes, const std::vector<std::string>& arguments,
                                             const std::string& program = first_program) {
  std::vector<std::string> list{"-n", std::to_string(processes), path_of(program)};
  list.insert(list.end(), arguments.begin(), arguments.end());
  return list;
}

/// Arguments with which mpirun runs the first program of this build with the words of `line`.
inline std::vector<std::string> under_mpirun(int processes, const std::string& line) {
  return under_mpirun(processes, words(line));
}

/// Lines of standard error that Sporos has written. If an exit status is not 0, mpirun adds other lines.
inline std::vector<std::string> our_lines(const std::string& error) {
  std::vector<std::string> lines;
  std::istringstream text(error);
  for (std::string line; std::getline(text, line);) {
    if (line.find("sporos:") != std::string::npos) lines.push_back(line);
  }
  return lines;
}

/// Identifiers of the processes that `parent` has started.
inline std::vector<pid_t> children_of(pid_t parent) {
  std::ifstream list("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  return {std::istream_iterator<pid_t>(list), {}};
}

/// First children of `parent`, as soon as there are `count`. Returns fewer if they do not start within 10 seconds.
inline std::vector<pid_t> awaited_children_of(pid_t parent, std::size_t count) {
  using namespace std::chrono_literals;
  std::vector<pid_t> children;
  for (int wait = 0; wait < 5000 && children.size() < count; ++wait) {
    std::this_thread::sleep_for(2ms);
    children = children_of(parent);
  }
  return children;
}

/// Sends a signal to each process that `launcher` has started, but not to the launcher. On a signal, the launcher would
/// kill them itself after a fixed time, which may be too short on a busy machine.
inline void send_to_processes(const Process& launcher, int signal) {
  for (const pid_t process : children_of(launcher.id())) ::kill(process, signal);
}

/// Waits for the end of a launcher whose processes have ended. The launcher of Open MPI 4.1 occasionally deadlocks (a
/// mutex in PMIx_server_finalize) if a process is killed while it starts. It is killed after five seconds.
inline Outcome end_of(Process& launcher) {
  using namespace std::chrono_literals;
  for (int wait = 0; wait < 1000 && runs(launcher.id()); ++wait) std::this_thread::sleep_for(5ms);
  if (runs(launcher.id())) launcher.send(SIGKILL);
  return launcher.wait();
}

}  // namespace sporos::test
