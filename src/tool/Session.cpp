// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting Kokkos without letting it speak or end the program on its own: it prints and aborts where a flag or an environment
// variable of its own is wrong, and the tool owes its caller one line and an exit status.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>

#include <Kokkos_Core.hpp>

#include <Kast/Error.hpp>

#include "Signals.hpp"
#include "Spaces.hpp"
#include "Tool.hpp"

namespace Kast::Tool {
namespace {

// For the signal handler: where the captured text is, and the real stderr.
volatile int captured_fd = -1;
volatile int stderr_fd   = -1;

/// Kokkos aborted: its first line becomes ours.
extern "C" void end_by_abort(int) {
  std::array<char, 512> text{};
  const ssize_t bytes           = ::pread(captured_fd, text.data(), text.size(), 0);
  const auto end                = std::find(text.begin(), text.begin() + std::max<ssize_t>(bytes, 0), '\n');
  constexpr char front[]        = "kast: Kokkos: ";
  [[maybe_unused]] auto written = ::write(stderr_fd, front, sizeof front - 1);
  written                       = ::write(stderr_fd, text.data(), std::size_t(end - text.begin()));
  written                       = ::write(stderr_fd, "\n", 1);
  ::_exit(1);
}

/// Everything that goes to stderr during the object's life goes to a file without a name instead.
class CapturedStderr {
 public:
  CapturedStderr() : m_file(std::tmpfile()) {
    if (m_file == nullptr) return;
    stderr_fd   = ::dup(STDERR_FILENO);
    captured_fd = ::fileno(m_file);
    ::dup2(captured_fd, STDERR_FILENO);
    m_old_handler = std::signal(SIGABRT, end_by_abort);
  }
  CapturedStderr(const CapturedStderr&)            = delete;
  CapturedStderr& operator=(const CapturedStderr&) = delete;
  ~CapturedStderr() {
    if (m_file == nullptr) return;
    std::signal(SIGABRT, m_old_handler);
    ::dup2(stderr_fd, STDERR_FILENO);
    ::close(stderr_fd);
    std::fclose(m_file);
  }

  std::string text() const {
    std::array<char, 4096> bytes;
    const ssize_t count = m_file == nullptr ? 0 : ::pread(captured_fd, bytes.data(), bytes.size(), 0);
    return std::string(bytes.data(), std::size_t(std::max<ssize_t>(count, 0)));
  }

 private:
  std::FILE* m_file;
  void (*m_old_handler)(int) = SIG_DFL;
};

std::string start_kokkos(const std::vector<std::string>& flags) {
  std::vector<std::string> words = {"kast", "--kokkos-disable-warnings"};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = int(words.size());
  const BlockedSignals blocked;  // threads of Kokkos leave signals to the main thread
  const CapturedStderr captured;
  Kokkos::initialize(argc, argv.data());
  return captured.text();
}

}  // namespace

Session::Session(const std::vector<std::string>& kokkos_flags) {
  if (std::ranges::any_of(spaces(), [](const Space& space) { return !space.available; })) return;
  const std::string said = start_kokkos(kokkos_flags);
  m_running              = true;
  // Warnings are off, so what is left is a flag that Kokkos does not know.
  if (said.find("not recognized") != said.npos) {
    Kokkos::finalize();
    throw UsageError{said.substr(0, said.find('\n'))};
  }
  std::fputs(said.c_str(), stderr);
}

Session::~Session() {
  if (m_running) Kokkos::finalize();
}

}  // namespace Kast::Tool
