// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interruption.hpp"

#include "processes.hpp"

#include <csignal>
#include <initializer_list>

namespace sporos::apps {

namespace {

volatile std::sig_atomic_t noted_signal = 0;

void note(int signal) { noted_signal = signal; }

// Both signals get their usual effect back, so that whoever does not want to wait need not.
void note_once(int signal) {
  note(signal);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  noted_signal = 0;
  // A batch system may send one to each process and one to their launcher, which sends it on.
  const auto handler = processes().count() > 1 ? note : note_once;
  for (const int signal : {SIGINT, SIGTERM}) {
    // A shell's background jobs ignore Ctrl-C, and go on doing so.
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

Interruption::~Interruption() {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

int Interruption::signal() const { return noted_signal; }

}  // namespace sporos::apps
