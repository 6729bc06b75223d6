// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>

/// What must not outlive this process where it ends without unwinding its stack: temporary files, and a program that
/// it waits for.
namespace sporos::io {

namespace impl {

inline std::array<std::atomic<const char*>, 16> leftover_files{};
inline std::atomic<pid_t> leftover_program{0};

}  // namespace impl

/// A file that remove_leftovers unlinks while an object of this class lives; more than 16 at a time are not known.
class Leftover {
 public:
  /// Of the file `path`, a text that outlives this object.
  explicit Leftover(const char* path) {
    for (auto& place : impl::leftover_files) {
      const char* none = nullptr;
      if (!place.compare_exchange_strong(none, path)) continue;
      m_place = &place;
      return;
    }
  }
  Leftover(const Leftover&) = delete;             ///< there is one
  Leftover& operator=(const Leftover&) = delete;  ///< there is one
  ~Leftover() {
    if (m_place != nullptr) m_place->store(nullptr);
  }

 private:
  std::atomic<const char*>* m_place = nullptr;
};

/// Removes the files and kills the program, before the process ends at once. Safe in a signal handler.
inline void remove_leftovers() {
  for (const auto& place : impl::leftover_files) {
    if (const char* const path = place.load()) ::unlink(path);
  }
  if (const pid_t program = impl::leftover_program.load(); program > 0) ::kill(program, SIGKILL);
}

}  // namespace sporos::io
