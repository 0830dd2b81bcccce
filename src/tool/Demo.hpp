// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The story's multiply, cv[n,m,o] = multBy[m,o] * discount[n,m,o], as data and as measured rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Kokkos_Core.hpp>

namespace Kast::Tool {

/// The story's arrays in host memory, in C order as NumPy has them, and the products: whole numbers, so exact.
struct Story {
  static constexpr int dates = 100, ids = 4000, numbers = 5;

  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Cube   = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>;

  Matrix mult_by;
  Cube discount;
  Cube products;

  static Story make();
};

/// One form of the multiply on one backend; times in seconds.
struct DemoRow {
  std::string backend, form;
  double first        = 0;  ///< the first call, until its result is there
  double median       = 0;  ///< the calls after it
  double transfer_in  = 0;  ///< inputs to the backend's memory; 0 where that is the host's
  double kernel       = 0;  ///< one launch of many in a row
  double transfer_out = 0;
  double host_to_host = 0;  ///< transfers and a call, in one go
  double ratio        = 0;  ///< time of a copy of as many bytes, over `kernel`
  bool equal          = false;
};

/// Measures all forms on every backend of the build. The row of number `planted_fault` gets one wrong element before it
/// is looked at; negative: none.
std::vector<DemoRow> measure_demo(const Story& story, int planted_fault);

}  // namespace Kast::Tool
