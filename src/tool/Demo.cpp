// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kast demo`: the story's multiply in several forms on every backend, as a table.
#include <charconv>
#include <cstdio>
#include <iostream>

#include <Kast/Error.hpp>

#include "Demo.hpp"
#include "Spaces.hpp"
#include "Tool.hpp"

namespace Kast::Tool {
namespace {

struct Column {
  const char* title;
  const char* unit;
  const char* key;
  double DemoRow::*value;
};
constexpr Column columns[] = {
    {"first call", "ms", "first_s", &DemoRow::first},
    {"median call", "ms", "median_s", &DemoRow::median},
    {"transfer in", "ms", "transfer_in_s", &DemoRow::transfer_in},
    {"kernel", "ms", "kernel_s", &DemoRow::kernel},
    {"transfer out", "ms", "transfer_out_s", &DemoRow::transfer_out},
    {"host to host", "ms", "host_to_host_s", &DemoRow::host_to_host},
};

void print_table(const std::vector<DemoRow>& rows) {
  std::printf(
      "cv[n,m,o] = multBy[m,o] * discount[n,m,o], float64, multBy (%d,%d), discount (%d,%d,%d); times in ms\n\n",
      Story::ids, Story::numbers, Story::dates, Story::ids, Story::numbers);
  std::printf("%-8s %-22s", "backend", "form");
  for (const Column& column : columns) std::printf(" %12s", column.title);
  std::printf(" %13s %6s\n", "ratio to copy", "equal");
  for (const DemoRow& row : rows) {
    std::printf("%-8s %-22s", row.backend.c_str(), row.form.c_str());
    for (const Column& column : columns) std::printf(" %12.3f", 1e3 * (row.*column.value));
    std::printf(" %13.2f %6s\n", row.ratio, row.equal ? "yes" : "NO");
  }
  std::printf(
      "\nhost to host: inputs from host memory, the call, the result back. ratio to copy: time of a copy of as many\n"
      "bytes in the backend's memory over the kernel's time. equal: every element is the exact product.\n");
}

void print_json(const std::vector<DemoRow>& rows) {
  std::printf("[");
  for (const DemoRow& row : rows) {
    std::printf("%s{\"backend\": \"%s\", \"form\": \"%s\"", &row == rows.data() ? "" : ",\n ", row.backend.c_str(),
                row.form.c_str());
    for (const Column& column : columns) std::printf(", \"%s\": %.9g", column.key, row.*column.value);
    std::printf(", \"ratio_to_copy\": %.4g, \"equal\": %s}", row.ratio, row.equal ? "true" : "false");
  }
  std::printf("]\n");
}

/// The hidden flag behind the test that a wrong row is found: the number of a row, from 0.
int planted_fault(Arguments& arguments) {
  const std::string text = arguments.option("plant-fault").value_or("-1");
  int row                = -1;
  if (std::from_chars(text.data(), text.data() + text.size(), row).ptr != text.data() + text.size()) {
    throw UsageError{"--plant-fault takes the number of a row"};
  }
  return row;
}

std::string wrong_rows(const std::vector<DemoRow>& rows) {
  std::vector<std::string> names;
  for (const DemoRow& row : rows) {
    if (!row.equal) names.push_back(row.backend + " " + row.form);
  }
  return join(names, "; ");
}

}  // namespace

std::string demo_usage() {
  return "usage: kast demo [--json]\n"
         "\n"
         "Multiplies the story's arrays in several forms on every backend of this build and prints what each took.\n"
         "Exits 1 if a result differs from the exact one.\n";
}

int demo(Arguments arguments) {
  const bool json = arguments.flag("json");
  const int fault = planted_fault(arguments);
  if (const auto words = arguments.positionals(); !words.empty()) throw UsageError{"unexpected '" + words[0] + "'"};

  const Session session(arguments.for_kokkos());
  if (!session.is_running()) {
    throw Error(ErrorKind::space,
                "demo: Kokkos does not start in a build with a device backend where there is no device");
  }
  const std::vector<DemoRow> rows = measure_demo(Story::make(), fault);
  if (json) {
    print_json(rows);
  } else {
    print_table(rows);
  }
  if (const std::string wrong = wrong_rows(rows); !wrong.empty()) {
    std::fflush(stdout);
    throw Error(ErrorKind::argument, "demo: wrong result: " + wrong);
  }
  return 0;
}

}  // namespace Kast::Tool
