// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What GoogleTest programs share: lists of types for typed tests, the matcher that names the first wrong element, and the one
// that holds a refusal to its text.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "TestArrays.hpp"

namespace KastTest {

template <class... T>
testing::Types<T...> as_types(List<T...>);

using SpaceTypes            = decltype(as_types(Spaces{}));
using SpaceValueTypes       = decltype(as_types(product(Spaces{}, List<void>{}, ValueTypes{})));
using SpaceLayoutValueTypes = decltype(as_types(product(Spaces{}, Layouts{}, ValueTypes{})));

// --- matchers -----------------------------------------------------------------------------------------------------------

/// The same bits, or both NaN.
template <class T>
bool same_value(const T& a, const T& b) {
  if constexpr (Kast::Impl::is_complex_v<T>) return same_value(a.real(), b.real()) && same_value(a.imag(), b.imag());
  else if constexpr (std::is_floating_point_v<T>) return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
  else return a == b;
}

template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  text.precision(17);
  if constexpr (std::is_integral_v<T> && sizeof(T) == 1) text << int(value);
  else text << value;
  return text.str();
}

/// Equal buffers, bit for bit; names the first wrong element, also one beside the array.
template <class T, class S1, class S2>
testing::AssertionResult same(const Array<T, S1>& got, const Array<T, S2>& expected) {
  for (std::size_t i = 0; i < expected.host.extent(0); ++i) {
    if (same_value(got.host(i), expected.host(i))) continue;
    std::string where = "buffer position " + std::to_string(i) + " beside the array";
    for_each_index(expected.place.extents, [&](const Extents& index) {
      if (position(expected.place, index) == i) where = "index " + Kast::to_string(index);
    });
    return testing::AssertionFailure() << "first wrong element: " << where << " of shape "
                                       << Kast::to_string(expected.place.extents) << " strides "
                                       << Kast::to_string(expected.place.strides) << ": got " << text_of(got.host(i))
                                       << ", expected " << text_of(expected.host(i));
  }
  return testing::AssertionSuccess();
}

/// Runs `call`, which must throw Kast::Error of this kind with exactly this text.
template <class Call>
testing::AssertionResult refuses(Kast::ErrorKind kind, const std::string& text, const Call& call) {
  try {
    call();
  } catch (const Kast::Error& error) {
    if (error.what() != text)
      return testing::AssertionFailure() << "wrong text\n     got: " << error.what() << "\nexpected: " << text;
    if (error.kind() != kind) return testing::AssertionFailure() << "wrong kind " << int(error.kind());
    return testing::AssertionSuccess();
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "not a Kast::Error: " << error.what();
  }
  return testing::AssertionFailure() << "nothing was refused";
}

}  // namespace KastTest
