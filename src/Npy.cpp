// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files on disk: mapped read-only, or written aside and renamed. The header itself is read in NpyHeader.cpp.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <Kast/Npy.hpp>

#include "NpyError.hpp"

namespace Kast {
namespace Impl {

void refuse_file(std::string_view path, const std::string& what) {
  std::string text = std::string(path) + ": " + what;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  throw Error(ErrorKind::file, text);
}

void refuse_file(std::string_view path, const std::string& what, int error_number) {
  refuse_file(path, what + ": " + std::generic_category().message(error_number));
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  release();
  m_base  = std::exchange(other.m_base, nullptr);
  m_bytes = other.m_bytes;
  return *this;
}

void Mapping::release() noexcept {
  if (m_base != nullptr) ::munmap(m_base, m_bytes);
  m_base = nullptr;
}

namespace {

/// A file descriptor that closes itself.
struct Descriptor {
  int number;
  explicit Descriptor(int n) : number(n) {}
  Descriptor(const Descriptor&)            = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

bool is_dense(const Extents& extents, const Strides& strides, Order order) noexcept {
  for (const std::size_t extent : extents) {
    if (extent == 0) return true;
  }
  std::ptrdiff_t expected = 1;
  for (int i = 0; i < extents.rank(); ++i) {
    const int axis = order == Order::right ? extents.rank() - 1 - i : i;
    if (extents[axis] == 1) continue;
    if (strides[axis] != expected) return false;
    expected *= std::ptrdiff_t(extents[axis]);
  }
  return true;
}

/// Axes from the slowest to the fastest of `strides`, so that one side at least is passed through in order.
Strides axes_by_stride(const Strides& strides) noexcept {
  Strides axes;
  for (int axis = 0; axis < strides.rank(); ++axis) {
    axes.push_back(axis);
    for (int i = axis; i > 0 && std::abs(strides[axes[i - 1]]) < std::abs(strides[axes[i]]); --i) {
      std::swap(axes[i - 1], axes[i]);
    }
  }
  return axes;
}

struct ElementCopy {
  const Strides& to_strides;
  const Strides& from_strides;
  const Extents& extents;
  std::size_t value_size;
  Strides axes;

  void run(std::byte* to, const std::byte* from, int depth) const noexcept {
    if (depth == axes.rank()) {
      std::memcpy(to, from, value_size);
      return;
    }
    const int axis                 = int(axes[depth]);
    const std::ptrdiff_t to_step   = to_strides[axis] * std::ptrdiff_t(value_size);
    const std::ptrdiff_t from_step = from_strides[axis] * std::ptrdiff_t(value_size);
    if (depth + 1 == axes.rank() && to_strides[axis] == 1 && from_strides[axis] == 1) {
      std::memcpy(to, from, extents[axis] * value_size);
      return;
    }
    for (std::size_t i = 0; i < extents[axis]; ++i) {
      run(to + std::ptrdiff_t(i) * to_step, from + std::ptrdiff_t(i) * from_step, depth + 1);
    }
  }
};

}  // namespace

void copy_elements(void* to, const Strides& to_strides, const void* from, const Strides& from_strides,
                   const Extents& extents, std::size_t value_size) noexcept {
  for (const std::size_t extent : extents) {
    if (extent == 0) return;
  }
  const ElementCopy copy{to_strides, from_strides, extents, value_size, axes_by_stride(to_strides)};
  copy.run(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), 0);
}

Order npy_order(const Extents& extents, const Strides& strides) noexcept {
  const bool left = is_dense(extents, strides, Order::left) && !is_dense(extents, strides, Order::right);
  return left ? Order::left : Order::right;
}

void check_npy_fits(const std::string& path, const NpyHeader& header, DType dtype, int rank) {
  if (header.dtype != dtype) {
    const std::string asked =
        dtype == DType::other ? "a type that .npy files do not have" : std::string(name_of(dtype));
    refuse_file(path, "holds " + std::string(name_of(header.dtype)) + ", the View holds " + asked);
  }
  if (header.extents.rank() != rank) {
    refuse_file(path, "has shape " + to_string(header.extents) + " of rank " + std::to_string(header.extents.rank()) +
                          ", the View has rank " + std::to_string(rank));
  }
}

void refuse_npy_extent(const std::string& path, const NpyHeader& header, int axis, std::size_t extent) {
  refuse_file(path, "has shape " + to_string(header.extents) + ", the View's static extent on axis " +
                        std::to_string(axis) + " is " + std::to_string(extent));
}

}  // namespace Impl

namespace {

ArrayRef array_at(std::byte* base, const NpyHeader& header) {
  return {base + header.data_offset, header.extents, dense_strides(header.extents, header.order), header.dtype,
          Reach::host};
}

/// A name that no file in the folder of `path` has: short, so that the longest legal name still works.
std::string aside_of(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string name             = ".kast-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".tmp";
  return (folder / name).string();
}

/// Where a written file goes in the end: through symbolic links, onto a regular file or a name that is free.
std::string target_of(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    Impl::refuse_file(path, "is no regular file and cannot be replaced");
  }
  if (std::filesystem::is_symlink(path, error)) {
    const auto target = std::filesystem::canonical(path, error);
    if (!error) return target.string();
  }
  return path;
}

}  // namespace

NpyFile::NpyFile(const std::string& path) : m_path(path) {
  const Impl::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0) Impl::refuse_file(path, "cannot be opened", errno);
  struct stat facts;
  if (::fstat(file.number, &facts) != 0) Impl::refuse_file(path, "cannot be examined", errno);
  if (!S_ISREG(facts.st_mode)) Impl::refuse_file(path, "is no regular file");
  const std::size_t bytes = std::size_t(facts.st_size);
  if (bytes > 0) {
    void* base = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (base == MAP_FAILED) Impl::refuse_file(path, "cannot be mapped", errno);
    m_mapping = Impl::Mapping(base, bytes);
  }
  m_header = parse_npy({m_mapping.data(), bytes}, path);
}

ArrayRef NpyFile::array() const { return array_at(m_mapping.data(), m_header); }

NpyOutput::NpyOutput(const std::string& path, DType dtype, const Extents& extents, Order order)
    : m_path(path), m_aside(aside_of(target_of(path))) {
  const std::string front = npy_header_bytes(dtype, extents, order);
  m_header.dtype          = dtype;
  m_header.extents        = extents;
  m_header.order          = order;
  m_header.data_offset    = front.size();
  const std::size_t count = size(extents);
  const std::size_t most  = std::size_t(std::numeric_limits<off_t>::max()) - front.size();
  if (count > most / size_of(dtype))
    Impl::refuse_file(path, "shape " + to_string(extents) + " is too large for a file");
  m_header.data_bytes     = count * size_of(dtype);
  const std::size_t bytes = front.size() + m_header.data_bytes;

  const Impl::Descriptor file(::open(m_aside.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.number < 0) Impl::refuse_file(path, "cannot be written", errno);
  // No destructor runs for an object whose constructor throws.
  auto give_up = [&](const std::string& what, int error_number) {
    ::unlink(m_aside.c_str());
    Impl::refuse_file(path, what, error_number);
  };
  if (const int error = ::posix_fallocate(file.number, 0, off_t(bytes)); error != 0) {
    give_up("no room for " + std::to_string(bytes) + " bytes", error);
  }
  void* base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0);
  if (base == MAP_FAILED) give_up("cannot be mapped", errno);
  m_mapping = Impl::Mapping(base, bytes);
  std::memcpy(m_mapping.data(), front.data(), front.size());
}

NpyOutput::~NpyOutput() {
  if (!m_aside.empty()) ::unlink(m_aside.c_str());
}

ArrayRef NpyOutput::array() const { return array_at(m_mapping.data(), m_header); }

void NpyOutput::commit() {
  m_mapping.release();
  const std::string target = target_of(m_path);
  if (std::rename(m_aside.c_str(), target.c_str()) != 0) Impl::refuse_file(m_path, "cannot be written", errno);
  m_aside.clear();
}

}  // namespace Kast
