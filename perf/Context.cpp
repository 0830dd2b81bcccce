// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Context.hpp"

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <Kast/Version.hpp>

#include "Spaces.hpp"

#ifdef KAST_HAVE_COMMIT
#include "KastCommit.hpp"
#else
#define KAST_COMMIT "unknown"
#endif

namespace KastPerf {
namespace {

std::string compiler() {
#if defined(__clang__)
  std::string text = "clang++ " __clang_version__;
#elif defined(__GNUC__)
  std::string text = "g++ " __VERSION__;
#else
  std::string text = "unknown";
#endif
#ifdef __CUDACC_VER_MAJOR__
  text += ", nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__);
#endif
  return text;
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

// The options that Kokkos was built with, one line.
std::string kokkos_configuration() {
  std::ostringstream text;
  Kokkos::print_configuration(text, false);
  std::istringstream lines(text.str());
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(' ');
    if (first == std::string::npos || line.find(": no") != std::string::npos || line.back() == ':') continue;
    result += (result.empty() ? "" : "; ") + line.substr(first);
  }
  return result;
}

std::string version_text(int version) {
  return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "unset" : value;
}

}  // namespace

void add_context() {
  using benchmark::AddCustomContext;
  AddCustomContext("kast", KAST_VERSION_STRING);
  AddCustomContext("commit", KAST_COMMIT);
  AddCustomContext("compiler", compiler());
#ifdef NDEBUG
  AddCustomContext("assertions", "off");
#else
  AddCustomContext("assertions", "on");
#endif
  AddCustomContext("kokkos", version_text(KOKKOS_VERSION));
  AddCustomContext("kokkos_configuration", kokkos_configuration());
  AddCustomContext("processor", processor());
  AddCustomContext("host_threads", std::to_string(Kokkos::DefaultHostExecutionSpace{}.concurrency()));
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "OMP_WAIT_POLICY"}) AddCustomContext(name, environment(name));
#ifdef KOKKOS_ENABLE_CUDA
  cudaDeviceProp properties{};
  int driver = 0;
  cudaGetDeviceProperties(&properties, Kokkos::Cuda{}.cuda_device());
  cudaDriverGetVersion(&driver);
  AddCustomContext("device", properties.name);
  AddCustomContext("device_driver", std::to_string(driver / 1000) + '.' + std::to_string(driver / 10 % 100));
#else
  AddCustomContext("device", "none");
#endif
}

}  // namespace KastPerf
