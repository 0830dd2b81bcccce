// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine of a space and a value type. Spaces that share a memory space share the operands in it.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

#include "Baselines.hpp"
#include "Data.hpp"
#include "Engine.hpp"
#include "KastWork.hpp"
#include "Spaces.hpp"
#include "Works.hpp"

namespace KastPerf {

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, float>) return Type::f32;
  else if constexpr (std::is_same_v<T, double>) return Type::f64;
  else if constexpr (std::is_integral_v<T>) return Type::i8;
  else return Type::c128;
}

/// The one pool of a memory space, shared by value types; see `release_memory`.
template <class MemorySpace>
Pool<MemorySpace>& pool();

/// The key of the case that a memory space holds at present, of any type.
template <class MemorySpace>
std::string& key_in();

template <class Exec, class T>
class EngineOf : public Engine {
  using MemorySpace = typename Exec::memory_space;
  using SharedData  = std::shared_ptr<Data<MemorySpace, T>>;

  // Other operations than multiply, and MDRangePolicy as people write it, are compiled for real types only.
  static constexpr bool is_real = std::is_floating_point_v<T>;

 public:
  explicit EngineOf(const SharedData& data) : m_data(data) {}

  std::string space() const override { return Exec::name(); }
  bool is_device() const override { return is_device_v<Exec>; }
  Type type() const override { return type_of<T>(); }

  std::vector<std::string> implementations(const Case& c) const override {
    const bool multiplies = c.operation == Operation::multiply || c.operation == Operation::scale;
    if (!is_real && !multiplies) return {};
    std::vector<std::string> names = {"kast", "copy"};
    if (!is_device() && has_copy_nt) names.push_back("copy_nt");
    if (multiplies) names.push_back("kast_md");
    names.push_back("flat");
    if (is_real && has_mdrange(c)) names.push_back("mdrange");
    const bool is_raw_op = c.op == "multiply" || c.op == "multiply.flat" || c.op == "multiply.column";
    if (has_raw_v<Exec> && is_raw_op && raw_pattern(c) != RawPattern::none) names.push_back("raw");
    if (has_kernels(c)) names.push_back("kernels");
    return names;
  }

  void load(const Case& c) override {
    m_case = c;
    if (key_in<MemorySpace>() == c.key()) return;
    m_data->load(c);
    key_in<MemorySpace>() = c.key();
  }

  Work work(const std::string& implementation) override {
    const auto& operands = m_data->operands();
    if (implementation == "copy" || implementation == "copy_nt")
      return copy_work<Exec>(m_case, m_data->target(), m_data->source(), implementation == "copy_nt");
    if (implementation == "raw") return raw_work<Exec, T>(m_case, operands);
    if (implementation == "flat") return flat(operands);
    if constexpr (is_real) {
      if (implementation == "mdrange") return MDRangeWork<Exec, T>::make(m_case, operands);
    }
    if constexpr (std::is_same_v<T, double>) {
      if (implementation == "kernels") return KernelsWork<Exec>::make(m_case, operands);
    }
    return kast(operands, implementation == "kast_md");
  }

  std::uint64_t checksum() const override { return m_data->checksum(); }

  std::string check(const Work& work, bool spoil) override {
    m_data->clear_outputs();
    Kokkos::fence();
    work();
    m_exec.fence();
    if (spoil) m_data->spoil();
    return m_data->check();
  }

  double seconds(const Work& work, int launches) override {
    return Stopwatch<Exec>::seconds(m_exec, [&] {
      for (int launch = 0; launch < launches; ++launch) work();
    });
  }

 private:
  Work kast(const Operands<T>& operands, bool mdrange) const {
    if (m_case.operation == Operation::multiply || m_case.operation == Operation::scale)
      return multiply_work<Exec>(m_case, operands, mdrange);
    if constexpr (is_real) return OtherWork<Exec, T>::make(m_case, operands);
    else return {};
  }
  Work flat(const Operands<T>& operands) const {
    if (m_case.operation == Operation::multiply) return flat_work<Exec, T, Operation::multiply>(operands);
    if (m_case.operation == Operation::scale) return flat_work<Exec, T, Operation::scale>(operands);
    if constexpr (is_real) {
      switch (m_case.operation) {
        case Operation::masked: return flat_work<Exec, T, Operation::masked>(operands);
        case Operation::fma: return flat_work<Exec, T, Operation::fma>(operands);
        case Operation::five: return flat_work<Exec, T, Operation::five>(operands);
        case Operation::two: return flat_work<Exec, T, Operation::two>(operands);
        default: break;
      }
    }
    return {};
  }

  SharedData m_data;
  Case m_case;
  Exec m_exec{};
};

template <class T>
Engines make_engines() {
  Engines engines;
  using HostData       = Data<Kokkos::HostSpace, T>;
  const auto host_data = std::make_shared<HostData>(pool<Kokkos::HostSpace>());
  const auto add       = [&]<class Exec>(std::type_identity<Exec>) {
    using Space = typename Exec::memory_space;
    if constexpr (std::is_same_v<Space, Kokkos::HostSpace>)
      engines.push_back(std::make_unique<EngineOf<Exec, T>>(host_data));
    else engines.push_back(std::make_unique<EngineOf<Exec, T>>(std::make_shared<Data<Space, T>>(pool<Space>())));
  };
#define KAST_PERF_ADD(Exec) add(std::type_identity<Exec>{});
  KAST_PERF_FOR_SPACES(KAST_PERF_ADD)
#undef KAST_PERF_ADD
  return engines;
}

}  // namespace KastPerf
