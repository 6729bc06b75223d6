// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>

/// Cleans up when this process ends without unwinding its stack: removes temporary files and kills a program that the
/// process waits for.
namespace sporos::io {

namespace impl {

inline std::array<std::atomic<const char*>, 16> leftover_files{};
inline std::atomic<pid_t> leftover_program{0};

}  // namespace impl

/// Registers a file, which remove_leftovers unlinks while this object lives. At most 16 files are registered at a time;
/// others are ignored.
class Leftover {
 public:
  /// Registers the file `path`, a string that must outlive this object.
  explicit Leftover(const char* path) {
    for (auto& place : impl::leftover_files) {
      const char* none = nullptr;
      if (!place.compare_exchange_strong(none, path)) continue;
      m_place = &place;
      return;
    }
  }
  Leftover(const Leftover&) = delete;             ///< not copyable: one object registers one file
  Leftover& operator=(const Leftover&) = delete;  ///< not copyable: one object registers one file
  ~Leftover() {
    if (m_place != nullptr) m_place->store(nullptr);
  }

 private:
  std::atomic<const char*>* m_place = nullptr;
};

/// Removes the files and kills the program, right before the process ends. Safe in a signal handler.
inline void remove_leftovers() {
  for (const auto& place : impl::leftover_files) {
    if (const char* const path = place.load()) ::unlink(path);
  }
  if (const pid_t program = impl::leftover_program.load(); program > 0) ::kill(program, SIGKILL);
}

}  // namespace sporos::io
