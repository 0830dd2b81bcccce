// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What signals do to the program: an unfinished output file goes, and a fault in a mapped file is one line and exit 1.
#pragma once

#include <csignal>
#include <string>

namespace Kast::Tool {

/// Makes the signals that end the program remove the unfinished output first, turns a fault in a mapped file (one that
/// shrank, or a disk that fails) into exit 1 with one line, and a file over the size limit into an ordinary error.
void install_signal_handlers();

/// The file that a signal removes from now on; one that is gone does no harm.
void remove_on_signal(const std::string& path);

/// Signals that end the program wait for the object's end, and threads started meanwhile never take them.
class BlockedSignals {
 public:
  BlockedSignals();
  BlockedSignals(const BlockedSignals&)            = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals();

 private:
  sigset_t m_before;
};

}  // namespace Kast::Tool
