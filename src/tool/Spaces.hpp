// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution spaces of this build, and which of them work on this machine. Kokkos ends the program when it is started in
// a build for a device that is not there, so devices are counted before it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace Kast::Tool {

struct Space {
  std::string_view name;  ///< as Kokkos spells it
  bool is_device = false;
  bool available = true;
};

/// The execution spaces that were compiled in, hosts first.
std::vector<Space> spaces();

/// Number of devices that the build's device backend finds; 0 without such a backend.
int device_count() noexcept;

/// The space of that name, whatever its case. One that is unknown or cannot be used here is refused with the list of
/// those that can.
Space find_space(std::string_view name);
/// The host space with the most parallelism.
Space default_host_space();

/// Kokkos, started for the object's life, its warnings off. Where the build has a device backend and the machine no
/// device, Kokkos stays down and `is_running()` is false; host loops then run without it.
class Session {
 public:
  explicit Session(const std::vector<std::string>& kokkos_flags);
  Session(const Session&)            = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  bool is_running() const noexcept { return m_running; }

 private:
  bool m_running = false;
};

}  // namespace Kast::Tool
