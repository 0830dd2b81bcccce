// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of the `kast` program, and how a call is read. A command does its work, or throws: `UsageError` when the call
// is off (exit 2), anything else when the work could not be done (exit 1).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Kast/Extents.hpp>

namespace Kast::Tool {

/// A call that is off; the command's usage follows it on stderr.
struct UsageError {
  std::string text;
};

/// The words after the command. Options are taken out one by one; `positionals()` ends it and refuses what is left over.
class Arguments {
 public:
  /// `words` without the program's name; those that begin with `--kokkos-` are set aside for Kokkos.
  explicit Arguments(std::vector<std::string> words);

  /// The value of `--name VALUE` or `--name=VALUE` (`-o VALUE` for one-letter names); nothing where it is not given.
  std::optional<std::string> option(std::string_view name);
  /// The value of an option that must be there.
  std::string required(std::string_view name);
  bool flag(std::string_view name);
  /// The words that are no options.
  std::vector<std::string> positionals();

  const std::vector<std::string>& for_kokkos() const noexcept { return m_for_kokkos; }

 private:
  std::vector<std::string> m_words;
  std::vector<std::string> m_after_dashes;
  std::vector<std::string> m_for_kokkos;
};

/// `100x4000x5`, `7`, `0x3` or `scalar`.
Extents parse_shape(std::string_view text);

std::string join(const std::vector<std::string>& words, std::string_view separator);

int demo(Arguments arguments);
int info(Arguments arguments);
int make(Arguments arguments);
int run(Arguments arguments);

std::string demo_usage();
std::string info_usage();
std::string make_usage();
std::string run_usage();

}  // namespace Kast::Tool
