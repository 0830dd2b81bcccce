// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type-free description of everything that can be an operand. Nothing runs here; device Views are described, not read.
#include <gtest/gtest.h>

#include <array>

#include "TestUtils.hpp"

namespace {

using Kast::describe;
using Kast::DType;
using Kast::ErrorKind;
using Kast::Extents;
using Kast::Operand;
using Kast::Strides;
using KastTest::refuses;

using Host = Kokkos::HostSpace;

template <class V>
void expect_described(const V& view, const Extents& extents, const Strides& strides) {
  const Operand operand = describe(view);
  EXPECT_EQ(operand.data, static_cast<const void*>(view.data()));
  EXPECT_EQ(operand.extents, extents) << Kast::to_string(operand.extents);
  EXPECT_EQ(operand.strides, strides) << Kast::to_string(operand.strides);
  EXPECT_EQ(operand.value_size, sizeof(typename V::value_type));
  EXPECT_EQ(operand.dtype, Kast::dtype_of<typename V::value_type>());
  EXPECT_FALSE(operand.by_value);
}

TEST(Describe, LayoutsOnEveryMemorySpace) {
  expect_described(Kokkos::View<double***, Kokkos::LayoutRight>("v", 2, 3, 4), {2, 3, 4}, {12, 4, 1});
  expect_described(Kokkos::View<float***, Kokkos::LayoutLeft>("v", 2, 3, 4), {2, 3, 4}, {1, 2, 6});
  expect_described(Kokkos::View<float**, Kokkos::LayoutRight, Host>("v", 5, 3), {5, 3}, {3, 1});
  const Kokkos::LayoutStride layout(3, 7, 4, 100);
  expect_described(Kokkos::View<int**, Kokkos::LayoutStride>("v", layout), {3, 4}, {7, 100});
}

TEST(Describe, Ranks) {
  expect_described(Kokkos::View<double, Host>("v"), {}, {});
  expect_described(Kokkos::View<double*, Host>("v", 3), {3}, {1});
  expect_described(Kokkos::View<double********, Kokkos::LayoutRight, Host>("v", 1, 2, 1, 2, 1, 2, 1, 2),
                   {1, 2, 1, 2, 1, 2, 1, 2}, {16, 8, 8, 4, 4, 2, 2, 1});
}

TEST(Describe, StaticExtents) {
  expect_described(Kokkos::View<double[4][5], Kokkos::LayoutRight, Host>("v"), {4, 5}, {5, 1});
  expect_described(Kokkos::View<double* [5], Kokkos::LayoutLeft, Host>("v", 3), { 3, 5 }, {1, 3});
  expect_described(Kokkos::View<std::int8_t** [3], Kokkos::LayoutRight, Host>("v", 2, 2), { 2, 2, 3 }, {6, 3, 1});
}

TEST(Describe, ZeroExtents) {
  expect_described(Kokkos::View<double**, Kokkos::LayoutRight, Host>("v", 0, 5), {0, 5}, {5, 1});
  EXPECT_EQ(describe(Kokkos::View<double**, Host>()).extents, (Extents{0, 0}));
}

TEST(Describe, ConstUnmanagedAndMemoryTraits) {
  const Kokkos::View<double**, Kokkos::LayoutRight> view("v", 3, 4);
  expect_described(Kokkos::View<const double**, Kokkos::LayoutRight>(view), {3, 4}, {4, 1});
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  expect_described(Kokkos::View<double**, Kokkos::LayoutRight, Unmanaged>(view), {3, 4}, {4, 1});
  using RandomAccess = Kokkos::MemoryTraits<Kokkos::RandomAccess>;
  expect_described(Kokkos::View<const double**, Kokkos::LayoutRight, RandomAccess>(view), {3, 4}, {4, 1});
  using Restrict = Kokkos::MemoryTraits<Kokkos::Restrict | Kokkos::Unmanaged>;
  expect_described(Kokkos::View<double**, Kokkos::LayoutRight, Restrict>(view), {3, 4}, {4, 1});
  using Aligned = Kokkos::MemoryTraits<Kokkos::Aligned | Kokkos::Unmanaged>;
  expect_described(Kokkos::View<double**, Kokkos::LayoutRight, Aligned>(view), {3, 4}, {4, 1});
}

TEST(Describe, Subviews) {
  const Kokkos::View<double***, Kokkos::LayoutRight, Host> parent("v", 4, 5, 6);
  const auto block = Kokkos::subview(parent, std::pair(1, 3), 2, std::pair(1, 5));
  expect_described(block, {2, 4}, {30, 1});
  EXPECT_EQ(block.data(), &parent(1, 2, 1));
  const auto column = Kokkos::subview(parent, Kokkos::ALL, Kokkos::ALL, 3);
  expect_described(column, {4, 5}, {30, 6});
  expect_described(Kokkos::subview(parent, 1, 2, 3), {}, {});
}

TEST(Describe, WrappedStridesAreSigned) {
  std::array<double, 12> values{};
  Kokkos::LayoutStride layout(3, std::size_t(-4), 4, std::size_t(-1));
  using View = Kokkos::View<double**, Kokkos::LayoutStride, Host, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  expect_described(View(&values[11], layout), {3, 4}, {-4, -1});
  expect_described(View(&values[0], Kokkos::LayoutStride(3, 0, 4, 1)), {3, 4}, {0, 1});
}

TEST(Describe, Numbers) {
  const Operand operand = describe(2.5);
  EXPECT_TRUE(operand.by_value);
  EXPECT_EQ(operand.data, nullptr);
  EXPECT_EQ(operand.extents.rank(), 0);
  EXPECT_EQ(operand.value_size, 8u);
  EXPECT_EQ(operand.dtype, DType::f8);
  EXPECT_EQ(describe(true).dtype, DType::boolean);
  EXPECT_EQ(describe(Kokkos::complex<float>(1, 2)).dtype, DType::c8);
}

TEST(Describe, ArrayRef) {
  int values[6];
  const Operand operand = describe(Kast::ArrayRef{values, {2, 3}, {-3, 1}, DType::i4, Kast::Reach::host});
  EXPECT_EQ(operand.data, values);
  EXPECT_EQ(operand.extents, (Extents{2, 3}));
  EXPECT_EQ(operand.strides, (Strides{-3, 1}));
  EXPECT_EQ(operand.value_size, 4u);
  EXPECT_EQ(operand.dtype, DType::i4);
}

TEST(Describe, ValueTypes) {
  const auto expect = [](DType dtype, std::string_view name, std::size_t bytes) {
    EXPECT_EQ(Kast::name_of(dtype), name);
    EXPECT_EQ(Kast::size_of(dtype), bytes);
  };
  expect(Kast::dtype_of<bool>(), "bool", 1);
  expect(Kast::dtype_of<signed char>(), "i1", 1);
  expect(Kast::dtype_of<short>(), "i2", 2);
  expect(Kast::dtype_of<int>(), "i4", 4);
  expect(Kast::dtype_of<long>(), "i8", 8);
  expect(Kast::dtype_of<long long>(), "i8", 8);
  expect(Kast::dtype_of<std::uint8_t>(), "u1", 1);
  expect(Kast::dtype_of<std::uint16_t>(), "u2", 2);
  expect(Kast::dtype_of<std::uint32_t>(), "u4", 4);
  expect(Kast::dtype_of<const std::uint64_t>(), "u8", 8);
  expect(Kast::dtype_of<float>(), "f4", 4);
  expect(Kast::dtype_of<const double>(), "f8", 8);
  expect(Kast::dtype_of<Kokkos::complex<float>>(), "c8", 8);
  expect(Kast::dtype_of<std::complex<double>>(), "c16", 16);
  expect(Kast::dtype_of<std::array<int, 3>>(), "other", 0);
  expect(DType::f2, "f2", 2);
}

TEST(Flip, TurnsOneAxisAndCopiesNothing) {
  const Kokkos::View<double**, Kokkos::LayoutRight, Host> view("v", 3, 4);
  const auto rows = Kast::flip(view, 0), columns = Kast::flip(view, -1);
  EXPECT_EQ(describe(rows).data, &view(2, 0));
  EXPECT_EQ(describe(rows).strides, (Strides{-4, 1}));
  EXPECT_EQ(describe(columns).data, &view(0, 3));
  EXPECT_EQ(describe(columns).strides, (Strides{4, -1}));
  EXPECT_EQ(describe(columns).extents, (Extents{3, 4}));
  EXPECT_EQ(view.use_count(), 3) << "both keep the View alive";

  const auto both = Kast::flip(rows, 1), back = Kast::flip(Kast::flip(both, 0), 1);
  EXPECT_EQ(describe(both).data, &view(2, 3));
  EXPECT_EQ(describe(both).strides, (Strides{-4, -1}));
  EXPECT_EQ(describe(back).data, view.data());
  EXPECT_EQ(describe(back).strides, (Strides{4, 1}));
}

TEST(Flip, ConstViewsAndEmptyAxes) {
  const Kokkos::View<const float*, Host> view = Kokkos::View<float*, Host>("v", 5);
  static_assert(std::is_same_v<decltype(Kast::flip(view, 0))::value_type, const float>);
  EXPECT_EQ(describe(Kast::flip(view, 0)).data, view.data() + 4);
  const Kokkos::View<float**, Host> empty("v", 0, 3);
  EXPECT_EQ(describe(Kast::flip(empty, 0)).data, static_cast<const void*>(empty.data()));
}

TEST(Flip, AxisOutOfRangeIsRefused) {
  const Kokkos::View<double**, Kokkos::LayoutRight, Host> view("v", 3, 4);
  EXPECT_TRUE(
      refuses(ErrorKind::argument, "Kast::flip: axis 2 is out of range for shape (3,4)", [&] { Kast::flip(view, 2); }));
  EXPECT_TRUE(refuses(ErrorKind::argument, "Kast::flip: axis -3 is out of range for shape (3,4)",
                      [&] { Kast::flip(view, -3); }));
  const Kokkos::View<double, Host> scalar("v");
  EXPECT_TRUE(
      refuses(ErrorKind::argument, "Kast::flip: axis 0 is out of range for shape ()", [&] { Kast::flip(scalar, 0); }));
}

TEST(Strided, FromPointerExtentsAndStrides) {
  double values[12];
  const auto array = Kast::strided(&values[11], {3, 4}, {-4, -1});
  static_assert(decltype(array)::rank() == 2);
  EXPECT_EQ(describe(array).data, &values[11]);
  EXPECT_EQ(describe(array).extents, (Extents{3, 4}));
  EXPECT_EQ(describe(array).strides, (Strides{-4, -1}));
  const auto scalar = Kast::strided<Host>(values, std::array<std::size_t, 0>{}, std::array<std::ptrdiff_t, 0>{});
  static_assert(std::is_same_v<decltype(scalar)::memory_space, Host>);
  EXPECT_EQ(describe(scalar).extents.rank(), 0);
  EXPECT_EQ(describe(Kast::flip(array, 1)).data, &values[8]);
}

template <class T>
constexpr bool accepted = Kast::OperandArgument<T>;

TEST(OperandArgument, SaysWhatIsAccepted) {
  EXPECT_TRUE((accepted<Kokkos::View<double*>>));
  EXPECT_TRUE((accepted<Kokkos::View<const double*, Kokkos::MemoryTraits<Kokkos::RandomAccess>>>));
  EXPECT_TRUE((accepted<Kokkos::View<double*, Kokkos::MemoryTraits<Kokkos::Restrict>>>));
  EXPECT_TRUE((accepted<decltype(Kast::flip(Kokkos::View<double*>(), 0))>));
  EXPECT_TRUE(accepted<int>);
  EXPECT_TRUE(accepted<Kokkos::complex<double>>);
  EXPECT_FALSE((accepted<Kokkos::View<double*, Kokkos::MemoryTraits<Kokkos::Atomic>>>));
  EXPECT_FALSE(accepted<std::string>);
  EXPECT_FALSE(accepted<double*>);
}

}  // namespace
