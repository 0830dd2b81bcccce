// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The benchmark's reporters without "/manual_time" behind each name: all times are measured by us.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace KastPerf {

template <class Reporter>
class PlainNames : public Reporter {
 public:
  using Reporter::Reporter;

  bool ReportContext(const typename Reporter::Context& context) override {
    // The console's column is as wide as the longest name.
    auto narrower = context;
    narrower.name_field_width -= narrower.name_field_width > suffix ? suffix : 0;
    return Reporter::ReportContext(narrower);
  }
  void ReportRuns(const std::vector<typename Reporter::Run>& runs) override {
    auto renamed = runs;
    for (auto& run : renamed) run.run_name.time_type.clear();
    Reporter::ReportRuns(renamed);
  }

 private:
  static constexpr std::size_t suffix = sizeof("/manual_time") - 1;
};

}  // namespace KastPerf
