// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kast_hash --space NAME: one line a case, `pattern layout type operation form hash`, after lines that begin with #. Lines must
// be the same on every space and device; unit_tests/hash/check.py holds them against a record.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>
#include <string>

#include "Cases.hpp"

#ifdef KAST_HAVE_COMMIT
#include "KastCommit.hpp"
#else
#define KAST_COMMIT "unknown"
#endif

namespace {

template <class Space>
std::string device_name() {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) return Space{}.cuda_device_prop().name;
#endif
  return "host";
}

template <class Space>
bool run_if_named(const std::string& name) {
  if (name != Space::name()) return false;
  std::printf("# space %s\n# device %s\n# commit %s\n", Space::name(), device_name<Space>().c_str(), KAST_COMMIT);
  KastHash::run_patterns<Space>();
  KastHash::run_real<Space>();
  KastHash::run_others<Space>();
  return true;
}
template <class... Space>
bool run_on(const std::string& name, KastTest::List<Space...>) {
  return (run_if_named<Space>(name) || ...);
}

}  // namespace

int main(int argc, char** argv) {
  std::string space;
  for (int k = 1; k + 1 < argc; ++k)
    if (std::strcmp(argv[k], "--space") == 0) space = argv[k + 1];
  if (space.empty()) {
    std::fputs("usage: kast_hash --space NAME [--kokkos-...]\n", stderr);
    return 2;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (run_on(space, KastTest::Spaces{})) return 0;
  std::fprintf(stderr, "kast_hash: this build has no space %s\n", space.c_str());
  return 2;
}
