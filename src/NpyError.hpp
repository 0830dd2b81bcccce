// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the .npy layer refuses: one line that begins with the path.
#pragma once

#include <string>
#include <string_view>

namespace Kast::Impl {

/// Throws `Error` of kind `file` with the text "PATH: WHAT", control characters replaced so that it stays one line.
[[noreturn]] void refuse_file(std::string_view path, const std::string& what);
/// The same with the system's word for `error_number` at the end.
[[noreturn]] void refuse_file(std::string_view path, const std::string& what, int error_number);

}  // namespace Kast::Impl
