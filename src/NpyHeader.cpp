// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a .npy file, read from bytes that nobody vouches for and written as NumPy writes it.
// Reference: NumPy Enhancement Proposal 1, and numpy/lib/_format_impl.py.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include <Kast/Npy.hpp>

#include "NpyError.hpp"

namespace Kast {

static_assert(std::endian::native == std::endian::little,
              "Kast: .npy files are read and written in little-endian order");

namespace {

constexpr std::string_view magic          = "\x93NUMPY";
constexpr std::size_t max_header_bytes    = 65535;
constexpr std::size_t alignment           = 64;
constexpr std::size_t growth_digits       = 21;  // room that NumPy leaves for the growing axis
constexpr std::uint64_t max_signed_number = std::numeric_limits<std::int64_t>::max();

struct TypeName {
  DType dtype;
  std::string_view descr;
};
constexpr TypeName type_names[] = {{DType::boolean, "|b1"}, {DType::i1, "|i1"},  {DType::i2, "<i2"}, {DType::i4, "<i4"},
                                   {DType::i8, "<i8"},      {DType::u1, "|u1"},  {DType::u2, "<u2"}, {DType::u4, "<u4"},
                                   {DType::u8, "<u8"},      {DType::f2, "<f2"},  {DType::f4, "<f4"}, {DType::f8, "<f8"},
                                   {DType::c8, "<c8"},      {DType::c16, "<c16"}};

/// Reads Python literals from left to right; every refusal names the file.
class Literals {
 public:
  Literals(std::string_view text, std::string_view path) : m_text(text), m_path(path) {}

  [[noreturn]] void refuse(const std::string& what) const { Impl::refuse_file(m_path, what); }

  bool accept(char c) {
    skip_blanks();
    if (m_at == m_text.size() || m_text[m_at] != c) return false;
    ++m_at;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      refuse("header is no Python dictionary: expected '" + std::string(1, c) + "' at byte " + position());
  }
  void expect_end() {
    skip_blanks();
    if (m_at != m_text.size()) refuse("header has text after its dictionary, at byte " + position());
  }
  /// The character that comes next, 0 at the end.
  char peek() {
    skip_blanks();
    return m_at == m_text.size() ? '\0' : m_text[m_at];
  }

  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      refuse("header is no Python dictionary: expected a string at byte " + position());
    const std::size_t end = m_text.find(quote, ++m_at);
    if (end == m_text.npos) refuse("header is no Python dictionary: a string does not end");
    const std::string_view value = m_text.substr(m_at, end - m_at);
    if (value.find_first_of("\\\n\r") != value.npos) refuse("header has an escape or a line break in a string");
    m_at = end + 1;
    return value;
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (m_text.substr(m_at, word.size()) == word && !continues_word(m_at + word.size())) {
        m_at += word.size();
        return value;
      }
    }
    refuse("fortran_order is neither True nor False");
  }

  Extents shape() {
    if (!accept('(')) refuse("shape is no tuple");
    Extents extents;
    while (!accept(')')) {
      const std::size_t value = extent();
      if (extents.rank() == max_rank) refuse("shape has more than 8 axes, the most that Kast takes");
      extents.push_back(value);
      if (accept(',')) continue;
      if (extents.rank() == 1) refuse("shape is no tuple");
      expect(')');
      break;
    }
    return extents;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool continues_word(std::size_t at) const {
    if (at >= m_text.size()) return false;
    const char c = m_text[at];
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
  }
  void skip_blanks() {
    while (m_at < m_text.size() && std::strchr(" \t\n\r\f", m_text[m_at]) && m_text[m_at] != '\0') ++m_at;
  }
  std::string position() const { return std::to_string(m_at); }

  std::size_t extent() {
    if (peek() == '-') refuse("shape has a negative extent");
    const std::size_t start = m_at;
    std::uint64_t value     = 0;
    for (; m_at < m_text.size() && is_digit(m_text[m_at]); ++m_at) {
      const std::uint64_t digit = m_text[m_at] - '0';
      if (value > (max_signed_number - digit) / 10) refuse("shape overflows: an extent is over 2^63 - 1");
      value = value * 10 + digit;
    }
    const bool leading_zero = m_at - start > 1 && m_text[start] == '0';
    if (m_at == start || leading_zero || continues_word(m_at)) refuse("shape has an extent that is no whole number");
    return value;
  }

  std::string_view m_text;
  std::string_view m_path;
  std::size_t m_at = 0;
};

[[noreturn]] void refuse_type(std::string_view descr, std::string_view why, std::string_view path) {
  Impl::refuse_file(path, "type '" + std::string(descr.substr(0, 40)) + "' " + std::string(why));
}

DType parse_descr(std::string_view descr, std::string_view path) {
  std::string_view name = descr;
  char order            = '|';
  if (!name.empty() && std::string_view("<>=|").find(name[0]) != std::string_view::npos) {
    order = name[0];
    name.remove_prefix(1);
  }
  for (const TypeName& type : type_names) {
    if (type.descr.substr(1) != name) continue;
    if (order == '>' && size_of(type.dtype) > 1)
      refuse_type(descr, "is big-endian; convert it with NumPy's astype", path);
    return type.dtype;
  }
  if (!name.empty() && name[0] == 'O') refuse_type(descr, "holds Python objects, which cannot be read", path);
  refuse_type(descr, "is not supported; Kast reads bool, i1 to i8, u1 to u8, f2, f4, f8, c8 and c16", path);
}

DType parse_descr(Literals& literals, std::string_view path) {
  const char next = literals.peek();
  if (next == '[') literals.refuse("structured types cannot be read");
  if (next == '(') literals.refuse("types with a shape of their own cannot be read");
  return parse_descr(literals.string(), path);
}

template <class T>
void set_once(std::optional<T>& place, T value, std::string_view key, const Literals& literals) {
  if (place) literals.refuse("header has the key '" + std::string(key) + "' twice");
  place = value;
}

NpyHeader parse_dictionary(std::string_view text, std::string_view path) {
  Literals literals(text, path);
  std::optional<DType> dtype;
  std::optional<bool> fortran_order;
  std::optional<Extents> extents;
  literals.expect('{');
  while (!literals.accept('}')) {
    const std::string_view key = literals.string();
    literals.expect(':');
    if (key == "descr") {
      set_once(dtype, parse_descr(literals, path), key, literals);
    } else if (key == "fortran_order") {
      set_once(fortran_order, literals.boolean(), key, literals);
    } else if (key == "shape") {
      set_once(extents, literals.shape(), key, literals);
    } else {
      literals.refuse("header has the unknown key '" + std::string(key.substr(0, 40)) + "'");
    }
    if (literals.accept(',')) continue;
    literals.expect('}');
    break;
  }
  literals.expect_end();
  if (!dtype || !fortran_order || !extents)
    literals.refuse("header lacks one of the keys descr, fortran_order and shape");
  NpyHeader header;
  header.dtype   = *dtype;
  header.extents = *extents;
  header.order   = *fortran_order ? Order::left : Order::right;
  return header;
}

/// Bytes of the elements. A shape whose other extents overflow is refused even where one extent is 0, as NumPy does.
std::size_t checked_bytes(const NpyHeader& header, std::string_view path) {
  std::uint64_t bytes = size_of(header.dtype);
  bool is_empty       = false;
  for (const std::size_t extent : header.extents) {
    is_empty = is_empty || extent == 0;
    if (extent > 1 && bytes > max_signed_number / extent) {
      Impl::refuse_file(path, "shape " + to_string(header.extents) + " overflows: its size in bytes is over 2^63 - 1");
    }
    bytes *= std::max<std::size_t>(extent, 1);
  }
  return is_empty ? 0 : bytes;
}

std::size_t little_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::to_integer<std::size_t>(bytes[i]) << (8 * i);
  return value;
}

}  // namespace

NpyHeader parse_npy(std::span<const std::byte> file, std::string_view path) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.substr(0, magic.size()) != magic)
    Impl::refuse_file(path, "is no .npy file: it does not begin with \\x93NUMPY");
  if (file.size() < 8) Impl::refuse_file(path, "is truncated within its header");
  const int major = std::to_integer<int>(file[6]);
  const int minor = std::to_integer<int>(file[7]);
  if (major < 1 || major > 3 || minor != 0) {
    Impl::refuse_file(path, "has .npy version " + std::to_string(major) + "." + std::to_string(minor) +
                                "; Kast reads 1.0, 2.0 and 3.0");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t start        = 8 + length_bytes;
  if (file.size() < start) Impl::refuse_file(path, "is truncated within its header");
  const std::size_t length = little_endian(file.subspan(8, length_bytes));
  if (length > max_header_bytes) {
    Impl::refuse_file(path, "has a header of " + std::to_string(length) + " bytes; at most 65535 are read");
  }
  if (file.size() - start < length) Impl::refuse_file(path, "is truncated within its header");

  NpyHeader header   = parse_dictionary(text.substr(start, length), path);
  header.data_offset = start + length;
  header.data_bytes  = checked_bytes(header, path);
  if (header.data_bytes > file.size() - header.data_offset) {
    Impl::refuse_file(path, "is truncated: shape " + to_string(header.extents) + " of " +
                                std::string(name_of(header.dtype)) + " needs " + std::to_string(header.data_bytes) +
                                " bytes after the header, there are " +
                                std::to_string(file.size() - header.data_offset));
  }
  return header;
}

std::string npy_header_bytes(DType dtype, const Extents& extents, Order order) {
  std::string_view descr;
  for (const TypeName& type : type_names) {
    if (type.dtype == dtype) descr = type.descr;
  }
  if (descr.empty()) throw Error(ErrorKind::type, "Kast: .npy files have no name for this value type");

  std::string text = "{'descr': '" + std::string(descr) +
                     "', 'fortran_order': " + (order == Order::left ? "True" : "False") + ", 'shape': (";
  for (int axis = 0; axis < extents.rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(extents[axis]);
  }
  text += extents.rank() == 1 ? ",), }" : "), }";
  if (extents.rank() > 0) {
    const std::size_t growing = extents[order == Order::left ? extents.rank() - 1 : 0];
    text.append(growth_digits - std::to_string(growing).size(), ' ');
  }
  const std::size_t start = magic.size() + 4;
  text.append(alignment - (start + text.size() + 1) % alignment, ' ');
  text += '\n';

  std::string bytes(magic);
  bytes += {'\x01', '\x00', char(text.size() & 0xff), char(text.size() >> 8)};
  return bytes + text;
}

}  // namespace Kast
