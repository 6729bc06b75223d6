// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::apps {

/// While an object of this class lives, the first SIGINT or SIGTERM is only noted; a second one ends a process alone.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// The signal that came, 0 where none did.
  int signal() const;
};

/// The exit status of a program that `signal` has ended, as shells have it.
constexpr int exit_status_of(int signal) { return 128 + signal; }

}  // namespace sporos::apps
