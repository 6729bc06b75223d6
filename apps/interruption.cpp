// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interruption.hpp"

#include <csignal>
#include <initializer_list>

namespace sporos::apps {

namespace {

volatile std::sig_atomic_t noted_signal = 0;

// Both signals get their usual effect back, so that whoever does not want to wait need not.
void note(int signal) {
  noted_signal = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  noted_signal = 0;
  for (const int signal : {SIGINT, SIGTERM}) {
    // A shell's background jobs ignore Ctrl-C, and go on doing so.
    if (std::signal(signal, note) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

Interruption::~Interruption() {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

int Interruption::signal() const { return noted_signal; }

}  // namespace sporos::apps
