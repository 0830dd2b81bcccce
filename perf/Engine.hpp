// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs a case: an execution space with a value type. Behind this interface are the templates; the program above it sees
// names, work and seconds only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Case.hpp"

namespace KastPerf {

/// Launches once. May return before the work is done.
using Work = std::function<void()>;

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string space() const = 0;
  virtual bool is_device() const    = 0;
  virtual Type type() const         = 0;

  /// Implementations that can express the case, `kast` first.
  virtual std::vector<std::string> implementations(const Case& c) const = 0;

  /// Puts the operands into memory unless they are there already.
  virtual void load(const Case& c) = 0;
  /// Of the case that is loaded.
  virtual Work work(const std::string& implementation) = 0;
  virtual std::uint64_t checksum() const               = 0;

  /// Runs once on cleared outputs and compares with the plain loop; empty, or what is wrong. `spoil` plants a mistake.
  virtual std::string check(const Work& work, bool spoil) = 0;
  /// Seconds for `launches` launches: device time between events, wall time on hosts.
  virtual double seconds(const Work& work, int launches) = 0;
};

using Engines = std::vector<std::unique_ptr<Engine>>;

/// Engines of one value type on every enabled space, hosts first. Their memory ends with `release_memory`.
template <class T>
Engines make_engines();
void release_memory();

}  // namespace KastPerf
