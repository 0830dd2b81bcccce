// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests and kast_hash run on: spaces and type names, random numbers with a printed seed, arrays of any strides that live
// on a device and on the host, and a plain loop over indices. Nothing of GoogleTest.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <Kast/Ufunc.hpp>

namespace KastTest {

using Kast::Extents;
using Kast::Strides;
using Complex = Kokkos::complex<double>;

// --- types and their names ----------------------------------------------------------------------------------------------

template <class... T>
struct List {};
template <class... A, class... B>
List<A..., B...> operator+(List<A...>, List<B...>);

/// The execution spaces of this build.
using Spaces = decltype(List<>{}
#ifdef KOKKOS_ENABLE_SERIAL
                        + List<Kokkos::Serial>{}
#endif
#ifdef KOKKOS_ENABLE_OPENMP
                        + List<Kokkos::OpenMP>{}
#endif
#ifdef KOKKOS_ENABLE_THREADS
                        + List<Kokkos::Threads>{}
#endif
#ifdef KOKKOS_ENABLE_CUDA
                        + List<Kokkos::Cuda>{}
#endif
);

using Layouts = List<Kokkos::LayoutRight, Kokkos::LayoutLeft, Kokkos::LayoutStride>;

#ifdef KAST_ENABLE_ALL_TYPES
using ValueTypes = List<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                        std::uint32_t, std::uint64_t, float, double, Kokkos::complex<float>, Complex>;
#else
using ValueTypes = List<double, float, std::int8_t, std::int32_t, Complex>;
#endif

/// Whether tests over many value types run the MDRangePolicy form for this one: with nvcc it triples their compile time.
template <class T>
inline constexpr bool tests_mdrange =
#if defined(KOKKOS_ENABLE_CUDA) && !defined(KAST_ENABLE_ALL_TYPES)
    std::is_same_v<T, double>;
#else
    true;
#endif

template <class SpaceType, class LayoutType = void, class ValueType = void>
struct Combination {
  using Space  = SpaceType;
  using Layout = LayoutType;
  using Value  = ValueType;
};

template <class T>
std::string value_name() {
  const auto bits = std::to_string(8 * sizeof(T));
  if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (Kast::Impl::is_complex_v<T>) return "c" + bits;
  else if constexpr (std::is_floating_point_v<T>) return "f" + bits;
  else return (std::is_signed_v<T> ? "i" : "u") + bits;
}
template <class T>
std::string part_name() {
  if constexpr (Kokkos::is_execution_space_v<T>) return T::name();
  else if constexpr (std::is_same_v<T, Kokkos::LayoutRight>) return "right";
  else if constexpr (std::is_same_v<T, Kokkos::LayoutLeft>) return "left";
  else if constexpr (std::is_same_v<T, Kokkos::LayoutStride>) return "stride";
  else return value_name<T>();
}

/// Names such as OpenMP/right/f64 for typed tests.
struct Names {
  template <class T>
  static std::string GetName(int) {
    return name(std::type_identity<T>{});
  }

 private:
  template <class T>
  static std::string name(std::type_identity<T>) {
    return part_name<T>();
  }
  template <class S, class L, class T>
  static std::string name(std::type_identity<Combination<S, L, T>>) {
    std::string text = part_name<S>();
    if constexpr (!std::is_void_v<L>) text += '/' + part_name<L>();
    if constexpr (!std::is_void_v<T>) text += '/' + part_name<T>();
    return text;
  }
};

template <class S, class L, class... T>
List<Combination<S, L, T>...> with_values(List<T...>);
template <class S, class... L, class Values>
auto with_layouts(List<L...>, Values values) -> decltype((List<>{} + ... + with_values<S, L>(values)));
template <class... S, class LayoutList, class Values>
auto product(List<S...>, LayoutList layouts, Values values)
    -> decltype((List<>{} + ... + with_layouts<S>(layouts, values)));

// --- random -------------------------------------------------------------------------------------------------------------

/// Random numbers of one test. The seed of the run is printed by main and can be given as KAST_TEST_SEED.
class Random {
 public:
  static std::uint64_t seed() {
    static const std::uint64_t value = [] {
      const char* given = std::getenv("KAST_TEST_SEED");
      return given != nullptr ? std::strtoull(given, nullptr, 10) : std::uint64_t(std::random_device{}());
    }();
    return value;
  }

  explicit Random(std::uint64_t stream = 0) : m_engine(seed() * 1000003 + stream) {}

  std::uint64_t bits() { return m_engine(); }
  /// In [low, high].
  std::ptrdiff_t between(std::ptrdiff_t low, std::ptrdiff_t high) {
    return low + std::ptrdiff_t(bits() % std::uint64_t(high - low + 1));
  }
  bool chance(int percent) { return between(0, 99) < percent; }

 private:
  std::mt19937_64 m_engine;
};

/// How many random cases to run: a tenth of them where KAST_TEST_FAST is set (memory checkers are slow).
inline int cases(int count) {
  static const bool fast = std::getenv("KAST_TEST_FAST") != nullptr;
  return fast ? std::max(1, count / 10) : count;
}

/// A value of T made of random bits: integers over their whole range, real numbers in [-8, 8) with full mantissas.
template <class T>
T value_from(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>) return (bits >> 17) % 2 == 1;
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(bits >> 5);
  else if constexpr (Kast::Impl::is_complex_v<T>) {
    using R = typename T::value_type;
    return T(value_from<R>(bits), value_from<R>(bits * 0x9e3779b97f4a7c15u + 1));
  } else return static_cast<T>(static_cast<double>(bits >> 11) * 0x1p-49 - 8);
}

// --- arrays -------------------------------------------------------------------------------------------------------------

/// Where an array lies in a buffer: strides and offset in elements.
struct Placement {
  Extents extents;
  Strides strides;
  std::ptrdiff_t offset = 0;
  std::size_t elements  = 0;  ///< of the buffer
};

inline Placement dense(const Extents& extents, Kast::Order order = Kast::Order::right) {
  return {extents, Kast::dense_strides(extents, order), 0, Kast::size(extents)};
}

/// An array of these extents with random axis order, padding, signs and offset; where `repeats`, some strides are 0.
inline Placement random_placement(Random& random, const Extents& extents, bool repeats) {
  const int rank = extents.rank();
  Placement place{extents, Strides::filled(rank, 0), random.between(0, 5), 0};
  int order[Kast::max_rank];
  for (int axis = 0; axis < rank; ++axis) order[axis] = rank - 1 - axis;
  const int shuffles = random.chance(40) ? rank : 0;
  for (int axis = 0; axis < shuffles; ++axis) std::swap(order[axis], order[random.between(axis, rank - 1)]);
  const bool padded = random.chance(40), reversed = random.chance(40);
  std::ptrdiff_t step = padded && random.chance(40) ? random.between(1, 3) : 1, reach = 0;
  for (int k = 0; k < rank; ++k) {
    const int axis    = order[k];
    const auto extent = std::ptrdiff_t(extents[axis]);
    if (repeats && random.chance(15)) continue;
    place.strides[axis] = step;
    if (extent > 0) reach += step * (extent - 1);
    step *= std::max<std::ptrdiff_t>(1, extent);
    if (padded && random.chance(50)) step += random.between(0, 3);
    if (reversed && random.chance(60)) {
      if (extent > 0) place.offset += place.strides[axis] * (extent - 1);
      place.strides[axis] = -place.strides[axis];
    }
  }
  place.elements = std::size_t(reach + 1 + 5 + random.between(0, 5));
  return place;
}

/// Calls visit(index) for every index of the shape, last axis fastest: the plain loop of every oracle.
template <class Visit>
void for_each_index(const Extents& extents, const Visit& visit) {
  if (Kast::size(extents) == 0) return;
  Extents index = Extents::filled(extents.rank(), 0);
  while (true) {
    visit(static_cast<const Extents&>(index));
    int axis = extents.rank() - 1;
    for (; axis >= 0 && ++index[axis] == extents[axis]; --axis) index[axis] = 0;
    if (axis < 0) return;
  }
}

/// Position in the buffer of the element that a broadcast index means.
inline std::size_t position(const Placement& place, const Extents& index) {
  std::ptrdiff_t at = place.offset;
  const int missing = index.rank() - place.extents.rank();
  for (int axis = 0; axis < place.extents.rank(); ++axis)
    if (place.extents[axis] != 1) at += std::ptrdiff_t(index[axis + missing]) * place.strides[axis];
  return std::size_t(at);
}

/// An array with its buffer on a space and a copy of the whole buffer on the host. Whole buffers travel, so that strides do
/// not matter and elements beside the array are watched too.
template <class T, class Space>
class Array {
 public:
  using value_type = T;

  explicit Array(const Placement& placement)
      : place(placement),
        host(Kokkos::view_alloc("host", Kokkos::WithoutInitializing), placement.elements),
        device(Kokkos::view_alloc("device", Kokkos::WithoutInitializing), placement.elements) {}
  Array(const Placement& placement, std::uint64_t salt) : Array(placement) { fill(salt); }

  /// Fills the whole buffer with values of a hash of position and salt, here and there.
  void fill(std::uint64_t salt) {
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      std::uint64_t h = (i + 1) * 0x9e3779b97f4a7c15u + salt * 0xd1b54a32d192ed03u;
      h               = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
      host(i)         = value_from<T>(h ^ (h >> 32));
    }
    upload();
  }
  void upload() { Kokkos::deep_copy(device, host); }
  void download() { Kokkos::deep_copy(host, device); }

  T& at(const Extents& index) const { return host(position(place, index)); }
  T* data() const { return device.data() + place.offset; }

  /// The array as an argument of a known rank; missing leading axes have extent 1.
  template <int Rank>
  Kast::StridedArray<T, Rank, typename Space::memory_space> argument() const {
    Extents extents = Extents::filled(Rank - place.extents.rank(), 1);
    Strides strides = Strides::filled(Rank - place.extents.rank(), 0);
    for (std::size_t extent : place.extents) extents.push_back(extent);
    for (std::ptrdiff_t stride : place.strides) strides.push_back(stride);
    return {data(), extents, strides, {}};
  }
  /// The array as an unmanaged View. For LayoutRight and LayoutLeft it must be dense.
  template <class Layout, int Rank>
  auto view() const {
    using Data = typename Kast::Impl::ViewData<T, Rank>::type;
    Layout layout;
    for (int axis = 0; axis < Rank; ++axis) {
      layout.dimension[axis] = place.extents[axis];
      if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>)
        layout.stride[axis] = std::size_t(place.strides[axis]);
    }
    return Kokkos::View<Data, Layout, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(data(),
                                                                                                             layout);
  }

  Placement place;
  Kokkos::View<T*, Kokkos::HostSpace> host;
  Kokkos::View<T*, typename Space::memory_space> device;
};

}  // namespace KastTest
