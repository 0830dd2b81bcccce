// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Signals.hpp"

#include <unistd.h>

#include <array>
#include <cstring>

namespace Kast::Tool {
namespace {

constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP};

// What a handler may read: the path of the one unfinished file; empty where there is none.
std::array<char, 4096> unfinished_path;

extern "C" void end_by_signal(int signal) {
  ::unlink(unfinished_path.data());
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

extern "C" void end_by_fault(int) {
  ::unlink(unfinished_path.data());
  constexpr char text[] = "kast: a mapped file cannot be read or written: it shrank, or its disk failed\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(1);
}

}  // namespace

void install_signal_handlers() {
  for (const int signal : ending_signals) {
    // What the caller ignores (nohup) stays ignored.
    if (std::signal(signal, end_by_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  std::signal(SIGBUS, end_by_fault);
  std::signal(SIGXFSZ, SIG_IGN);
}

void remove_on_signal(const std::string& path) {
  if (path.size() < unfinished_path.size()) std::strcpy(unfinished_path.data(), path.c_str());
}

BlockedSignals::BlockedSignals() {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : ending_signals) sigaddset(&blocked, signal);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &m_before);
}

BlockedSignals::~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

}  // namespace Kast::Tool
