// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files, NumPy's format for one array: mapped for reading, written aside and renamed, loaded into Views and saved
// from them. Every refusal is an `Error` of kind `file` whose text is one line that begins with the path.
// Host memory only; nothing here launches a kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <Kast/Error.hpp>
#include <Kast/Extents.hpp>
#include <Kast/Operand.hpp>

namespace Kast {

/// What the header of a .npy file says, and where the data begin.
struct NpyHeader {
  DType dtype = DType::other;
  Extents extents;
  Order order             = Order::right;  ///< `left` where the file says `'fortran_order': True`
  std::size_t data_offset = 0;             ///< in bytes from the file's beginning; any number, aligned or not
  std::size_t data_bytes  = 0;             ///< of all elements together
};

/// Reads the header at the front of `file`, the bytes of a whole file; `path` is for the texts of refusals.
///
/// Versions 1.0, 2.0 and 3.0; keys exactly `descr`, `fortran_order` and `shape`, in any order, in the strict form of
/// Python's literals. Refused: a header over 65,535 bytes, a rank over `max_rank`, negative or overflowing shapes, data
/// shorter than the shape asks for, and every type that is no `DType`: big-endian, object, structured, text, dates.
/// Bytes after the data are ignored, as NumPy does. Allocates nothing that grows with what the header claims.
NpyHeader parse_npy(std::span<const std::byte> file, std::string_view path);

/// The header that NumPy 2 writes for such an array, byte for byte: magic string, version 1.0, padding to 64 bytes.
std::string npy_header_bytes(DType dtype, const Extents& extents, Order order);

namespace Impl {

/// A stretch of a mapped file; unmapped by its owner's end.
class Mapping {
 public:
  Mapping() = default;
  Mapping(void* base, std::size_t bytes) noexcept : m_base(static_cast<std::byte*>(base)), m_bytes(bytes) {}
  Mapping(Mapping&& other) noexcept : m_base(other.m_base), m_bytes(other.m_bytes) { other.m_base = nullptr; }
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping() { release(); }

  std::byte* data() const noexcept { return m_base; }
  std::size_t bytes() const noexcept { return m_bytes; }
  void release() noexcept;

 private:
  std::byte* m_base   = nullptr;
  std::size_t m_bytes = 0;
};

/// Copies `extents` elements of `value_size` bytes between two arrays of any strides (in elements).
void copy_elements(void* to, const Strides& to_strides, const void* from, const Strides& from_strides,
                   const Extents& extents, std::size_t value_size) noexcept;

/// The order that NumPy gives a file of such an array: `left` where it is Fortran- and not C-contiguous.
Order npy_order(const Extents& extents, const Strides& strides) noexcept;

/// Refuses a file whose value type or rank is not the asked one.
void check_npy_fits(const std::string& path, const NpyHeader& header, DType dtype, int rank);
[[noreturn]] void refuse_npy_extent(const std::string& path, const NpyHeader& header, int axis, std::size_t extent);

}  // namespace Impl

/// A .npy file, mapped read-only for as long as the object lives. Opening it reads the header and no data.
class NpyFile {
 public:
  explicit NpyFile(const std::string& path);

  const NpyHeader& header() const noexcept { return m_header; }
  const std::string& path() const noexcept { return m_path; }
  /// The data in place, possibly unaligned. The pages are read-only: writing through the pointer faults.
  ArrayRef array() const;

 private:
  std::string m_path;
  Impl::Mapping m_mapping;
  NpyHeader m_header;
};

/// A .npy file in the making: written under another name in the same folder, and there under its own name, whole, once
/// `commit()` has returned. Without `commit()` the destructor removes it. An existing file is replaced; permissions follow
/// the umask. Room for all of it is reserved first, so that a full disk is an error here and not a fault while writing.
class NpyOutput {
 public:
  NpyOutput(const std::string& path, DType dtype, const Extents& extents, Order order);
  NpyOutput(const NpyOutput&)            = delete;
  NpyOutput& operator=(const NpyOutput&) = delete;
  ~NpyOutput();

  /// The data to be filled, aligned to 64 bytes, zero at first.
  ArrayRef array() const;
  /// Renames the file to its own name.
  void commit();

  const std::string& path() const noexcept { return m_path; }
  const std::string& aside() const noexcept { return m_aside; }  ///< the name while it is being written

 private:
  std::string m_path;
  std::string m_aside;
  NpyHeader m_header;
  Impl::Mapping m_mapping;
};

/// The array in a .npy file as a new host View of type `V`; its layout is `V`'s, whatever order the file has (that of the
/// file for LayoutStride). A file with another value type, rank or static extent is refused.
template <class V>
V load_npy(const std::string& path) {
  static_assert(Kokkos::is_view_v<V>, "Kast::load_npy: ask for a Kokkos::View type");
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename V::memory_space>::accessible,
                "Kast::load_npy: the View must be in host memory; load there and deep_copy");
  using Layout = typename V::array_layout;
  const NpyFile file(path);
  const ArrayRef source = file.array();
  Impl::check_npy_fits(path, file.header(), dtype_of<typename V::value_type>(), int(V::rank()));

  Layout layout;
  for (int axis = 0; axis < int(V::rank()); ++axis) {
    if (V::static_extent(axis) != 0 && V::static_extent(axis) != source.extents[axis]) {
      Impl::refuse_npy_extent(path, file.header(), axis, V::static_extent(axis));
    }
    layout.dimension[axis] = source.extents[axis];
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) layout.stride[axis] = std::size_t(source.strides[axis]);
  }
  typename V::non_const_type view(Kokkos::view_alloc("Kast::load_npy", Kokkos::WithoutInitializing), layout);
  const Operand target = describe(view);
  Impl::copy_elements(view.data(), target.strides, source.data, source.strides, target.extents, target.value_size);
  return view;
}

/// Writes a host View of any strides as a .npy file, as `numpy.save` would write it.
template <class V>
void save_npy(const std::string& path, const V& view) {
  static_assert(Kokkos::is_view_v<V>, "Kast::save_npy: give a Kokkos::View");
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename V::memory_space>::accessible,
                "Kast::save_npy: the View must be in host memory; deep_copy it there first");
  static_assert(dtype_of<typename V::value_type>() != DType::other, "Kast::save_npy: .npy has no such value type");
  const Operand source = describe(view);
  NpyOutput file(path, source.dtype, source.extents, Impl::npy_order(source.extents, source.strides));
  const ArrayRef target = file.array();
  Impl::copy_elements(target.data, target.strides, source.data, source.strides, source.extents, source.value_size);
  file.commit();
}

}  // namespace Kast
