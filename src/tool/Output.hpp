// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output file of the tool: Kast's NpyOutput, which a signal removes too.
#pragma once

#include <optional>

#include <Kast/Npy.hpp>

#include "Signals.hpp"

namespace Kast::Tool {

class Output {
 public:
  Output(const std::string& path, DType dtype, const Extents& extents, Order order)
      : m_file(path, dtype, extents, order) {
    remove_on_signal(m_file.aside());
    m_blocked.reset();
  }

  ArrayRef array() const { return m_file.array(); }
  void commit() { m_file.commit(); }

 private:
  std::optional<BlockedSignals> m_blocked{std::in_place};  // until the file's name is known to the handlers
  NpyOutput m_file;
};

}  // namespace Kast::Tool
