// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kast info`: what this program is made of and where it can run. Starts nothing.
#include <iostream>
#include <utility>

#include <Kokkos_Macros.hpp>

#include <Kast/Version.hpp>

#include "KastCommit.hpp"
#include "Spaces.hpp"
#include "Tool.hpp"

namespace Kast::Tool {
namespace {

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

std::string compiler() {
#if defined(__clang__)
  std::string text = "Clang " __clang_version__;
#elif defined(__GNUC__)
  std::string text = "GNU " __VERSION__;
#else
  std::string text = "unknown";
#endif
#if defined(__CUDACC_VER_MAJOR__)
  text += ", nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__);
#endif
  return text;
}

struct Facts {
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<std::string> compiled, available;
};

Facts gather() {
  Facts facts;
  facts.texts = {{"version", KAST_VERSION_STRING},
                 {"commit", KAST_COMMIT},
                 {"kokkos", kokkos_version()},
                 {"compiler", compiler()}};
  for (const Space& space : spaces()) {
    facts.compiled.emplace_back(space.name);
    if (space.available) facts.available.emplace_back(space.name);
  }
  return facts;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string quoted(const std::vector<std::string>& words) {
  std::vector<std::string> items;
  for (const std::string& word : words) items.push_back(quoted(word));
  std::string text = "[";
  return text.append(join(items, ", ")).append("]");
}

void print_json(const Facts& facts) {
  std::cout << "{";
  for (const auto& [name, value] : facts.texts) std::cout << quoted(name) << ": " << quoted(value) << ", ";
  std::cout << "\"backends\": " << quoted(facts.compiled) << ", \"available\": " << quoted(facts.available)
            << ", \"devices\": " << device_count() << "}\n";
}

void print_lines(const Facts& facts) {
  auto line = [](const std::string& name, const std::string& value) {
    std::cout << name << std::string(10 - name.size(), ' ') << value << '\n';
  };
  for (const auto& [name, value] : facts.texts) line(name, value);
  line("backends", join(facts.compiled, ", "));
  line("available", join(facts.available, ", "));
  line("devices", std::to_string(device_count()));
}

}  // namespace

std::string info_usage() { return "usage: kast info [--json]\n"; }

int info(Arguments arguments) {
  const bool json = arguments.flag("json");
  if (const auto words = arguments.positionals(); !words.empty()) throw UsageError{"unexpected '" + words[0] + "'"};
  const Facts facts = gather();
  if (json) {
    print_json(facts);
  } else {
    print_lines(facts);
  }
  return 0;
}

}  // namespace Kast::Tool
