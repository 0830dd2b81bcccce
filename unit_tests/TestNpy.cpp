// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy headers from well and ill formed bytes, files on disk, and Views loaded from them and saved to them.
#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <Kast/Npy.hpp>

namespace {

using Kast::DType;
using Kast::Extents;
using Kast::Order;

std::string npy(const std::string& header, const std::string& data = "", int major = 1) {
  std::string length;
  for (int byte = 0; byte < (major == 1 ? 2 : 4); ++byte) length += char((header.size() >> (8 * byte)) & 0xff);
  return std::string("\x93NUMPY") + char(major) + '\0' + length + header + data;
}

Kast::NpyHeader parse(const std::string& file) { return Kast::parse_npy(std::as_bytes(std::span(file)), "a.npy"); }

/// What the refusal of these bytes says; empty where they are taken.
std::string refusal(const std::string& file) {
  try {
    parse(file);
  } catch (const Kast::Error& error) {
    EXPECT_EQ(error.kind(), Kast::ErrorKind::file);
    return error.what();
  }
  return "";
}
std::string refusal_of_header(const std::string& header) { return refusal(npy(header, std::string(4096, '\0'))); }
std::string refusal_of_shape(const std::string& shape) {
  return refusal_of_header("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }");
}
std::string refusal_of_descr(const std::string& descr) {
  return refusal_of_header("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }");
}

#define EXPECT_REFUSED(text, part)                                     \
  {                                                                    \
    const std::string said = text;                                     \
    EXPECT_TRUE(said.starts_with("a.npy: ")) << "said: " << said;      \
    EXPECT_NE(said.find(part), std::string::npos) << "said: " << said; \
    EXPECT_EQ(said.find('\n'), std::string::npos) << "said: " << said; \
  }

TEST(NpyHeader, ReadsWhatNumPyWrites) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }          \n";
  for (int version : {1, 2, 3}) {
    const Kast::NpyHeader read = parse(npy(header, std::string(48, '\0'), version));
    EXPECT_EQ(read.dtype, DType::f8);
    EXPECT_EQ(read.extents, (Extents{2, 3}));
    EXPECT_EQ(read.order, Order::right);
    EXPECT_EQ(read.data_bytes, 48u);
    EXPECT_EQ(read.data_offset, header.size() + (version == 1 ? 10 : 12));
  }
}

TEST(NpyHeader, ReadsEveryFormThatPythonTakes) {
  const std::string data(96, '\0');
  for (const std::string header : {
           "{'shape':(2,3),'fortran_order':True,'descr':'<i2'}",
           "{\"descr\": \"<i2\", \"fortran_order\": True, \"shape\": (2, 3)}",
           " \t{ 'descr' : 'i2' ,\n'fortran_order' : True , 'shape' : ( 2 , 3 , ) , } \n",
           "{'descr': '=i2', 'fortran_order': True, 'shape': (2, 3,), }",
       }) {
    const Kast::NpyHeader read = parse(npy(header, data));
    EXPECT_EQ(read.dtype, DType::i2) << header;
    EXPECT_EQ(read.order, Order::left) << header;
    EXPECT_EQ(read.extents, (Extents{2, 3})) << header;
  }
  EXPECT_EQ(parse(npy("{'descr': '|b1', 'fortran_order': False, 'shape': ()}", data)).extents, Extents{});
  EXPECT_EQ(parse(npy("{'descr': '>u1', 'fortran_order': False, 'shape': (0, 7)}")).extents, (Extents{0, 7}));
  EXPECT_EQ(parse(npy("{'descr': '<c16', 'fortran_order': False, 'shape': (6,)}", data)).dtype, DType::c16);
}

TEST(NpyHeader, RefusesWhatIsNoNpyFile) {
  EXPECT_REFUSED(refusal(""), "is no .npy file");
  EXPECT_REFUSED(refusal("\x93NUMP"), "is no .npy file");
  EXPECT_REFUSED(refusal("PK\x03\x04 and more than that"), "is no .npy file");
  EXPECT_REFUSED(refusal("\x93NUMPY\x01"), "truncated");
  EXPECT_REFUSED(refusal(npy("{}", "", 4)), "version 4.0");
  EXPECT_REFUSED(refusal(std::string("\x93NUMPY\x01\x01\x02\x00{}", 12)), "version 1.1");
}

TEST(NpyHeader, RefusesEveryTruncation) {
  const std::string file = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n", std::string(24, '\0'));
  EXPECT_EQ(refusal(file), "");
  EXPECT_EQ(refusal(file + "what follows is ignored"), "");
  for (std::size_t bytes = 0; bytes < file.size(); ++bytes) {
    const std::string said = refusal(file.substr(0, bytes));
    EXPECT_TRUE(said.starts_with("a.npy: ")) << bytes << ": " << said;
  }
  EXPECT_REFUSED(refusal(file.substr(0, file.size() - 1)), "needs 24 bytes after the header, there are 23");
}

TEST(NpyHeader, RefusesOversizedHeaders) {
  const std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (), }";
  const std::string data(8, '\0');
  auto padded = [&](std::size_t bytes) {
    return npy(dictionary + std::string(bytes - dictionary.size(), ' '), data, 2);
  };
  EXPECT_EQ(refusal(padded(65535)), "");
  EXPECT_REFUSED(refusal(padded(65536)), "header of 65536 bytes");
  EXPECT_REFUSED(refusal(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + dictionary),
                 "header of 4294967295 bytes");
}

TEST(NpyHeader, RefusesShapes) {
  EXPECT_REFUSED(refusal_of_shape("(-1,)"), "negative");
  EXPECT_REFUSED(refusal_of_shape("(3, -4)"), "negative");
  EXPECT_REFUSED(refusal_of_shape("(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "more than 8 axes");
  EXPECT_REFUSED(refusal_of_shape("(9223372036854775808,)"), "overflows");
  EXPECT_REFUSED(refusal_of_shape("(99999999999999999999999,)"), "overflows");
  EXPECT_REFUSED(refusal_of_shape("(4294967296, 4294967296)"), "overflows");
  EXPECT_REFUSED(refusal_of_shape("(1152921504606846976,)"), "overflows");  // 2^60 elements of 8 bytes
  EXPECT_REFUSED(refusal_of_shape("(0, 4294967296, 4294967296)"), "overflows");
  EXPECT_REFUSED(refusal_of_shape("(1152921504606846975,)"), "truncated");
  EXPECT_REFUSED(refusal_of_shape("(3)"), "no tuple");
  EXPECT_REFUSED(refusal_of_shape("[3]"), "no tuple");
  EXPECT_REFUSED(refusal_of_shape("3"), "no tuple");
  for (const char* shape :
       {"(,)", "(3L,)", "(3.0,)", "('3',)", "(True,)", "(0x3,)", "(03,)", "(1_0,)", "(+3,)", "(3,,)", "(3 4,)"}) {
    EXPECT_NE(refusal_of_shape(shape), "") << shape;
  }
  EXPECT_EQ(refusal_of_shape("(1, 1, 1, 1, 1, 1, 1, 1)"), "");
  EXPECT_EQ(refusal_of_shape("(0,)"), "");
}

TEST(NpyHeader, RefusesTypesByName) {
  EXPECT_REFUSED(refusal_of_descr("'>f8'"), "'>f8' is big-endian");
  EXPECT_REFUSED(refusal_of_descr("'|O'"), "'|O' holds Python objects");
  EXPECT_REFUSED(refusal_of_descr("[('a', '<f8'), ('b', '<i4')]"), "structured");
  EXPECT_REFUSED(refusal_of_descr("('<f8', (2,))"), "shape of their own");
  for (const char* descr : {"<M8[ns]", "<m8", "<f16", "<c32", "<U5", "|S5", "|V8", "<i3", "", "<", "f", "float64"}) {
    std::string quoted = "'";
    quoted.append(descr).append("'");
    EXPECT_REFUSED(refusal_of_descr(quoted), quoted + " is not supported");
  }
  EXPECT_REFUSED(refusal_of_descr("8"), "expected a string");
}

TEST(NpyHeader, RefusesDictionaries) {
  const std::string all = "'descr': '<f8', 'fortran_order': False, 'shape': (2,)";
  EXPECT_EQ(refusal_of_header("{" + all + "}"), "");
  EXPECT_REFUSED(refusal_of_header("{'descr': '<f8', 'shape': (2,)}"), "lacks one of the keys");
  EXPECT_REFUSED(refusal_of_header("{" + all + ", 'more': 1}"), "unknown key 'more'");
  EXPECT_REFUSED(refusal_of_header("{" + all + ", 'shape': (2,)}"), "key 'shape' twice");
  EXPECT_REFUSED(refusal_of_header("{" + all + "} + {}"), "text after its dictionary");
  EXPECT_REFUSED(refusal_of_header("{" + all), "no Python dictionary");
  EXPECT_REFUSED(refusal_of_header(all), "no Python dictionary");
  EXPECT_REFUSED(refusal_of_header("{'de\\x73cr': '<f8'}"), "escape");
  EXPECT_REFUSED(refusal_of_header("{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}"), "neither True nor False");
  EXPECT_REFUSED(refusal_of_header("{'descr': '<f8', 'fortran_order': Falsey, 'shape': (2,)}"),
                 "neither True nor False");
  EXPECT_REFUSED(refusal_of_header(std::string("{'descr\0': '<f8'}", 17)), "unknown key");
}

// Mutated headers must be taken or refused, never anything else; AddressSanitizer watches.
TEST(NpyHeader, SurvivesMutations) {
  const std::string good = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", std::string(48, '\0'));
  const std::string alphabet("{}()[]',:\"\\ \n0123456789-LTFdef<>|\0\xff", 35);
  std::mt19937 random(20261201);
  int taken = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string file = good;
    for (unsigned change = 0; change <= random() % 3; ++change) {
      const std::size_t at = 6 + random() % (file.size() - 6);
      if (random() % 2) file[at] = alphabet[random() % alphabet.size()];
      else file.erase(at, 1 + random() % 4);
    }
    taken += refusal(file).empty() ? 1 : 0;
  }
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, 20000);
}

// The texts are what numpy.save of NumPy 2.4 writes for numpy.zeros(shape, dtype, order).
TEST(NpyHeader, WritesWhatNumPyWrites) {
  const std::string front("\x93NUMPY\x01\x00v\x00", 10);
  auto expected = [&](const std::string& text) { return front + text + std::string(117 - text.size(), ' ') + '\n'; };
  EXPECT_EQ(Kast::npy_header_bytes(DType::f8, {100, 4000, 5}, Order::right),
            expected("{'descr': '<f8', 'fortran_order': False, 'shape': (100, 4000, 5), }"));
  EXPECT_EQ(Kast::npy_header_bytes(DType::boolean, {7}, Order::right),
            expected("{'descr': '|b1', 'fortran_order': False, 'shape': (7,), }"));
  EXPECT_EQ(Kast::npy_header_bytes(DType::c16, {2, 3}, Order::left),
            expected("{'descr': '<c16', 'fortran_order': True, 'shape': (2, 3), }"));
  EXPECT_EQ(Kast::npy_header_bytes(DType::u1, {}, Order::right),
            expected("{'descr': '|u1', 'fortran_order': False, 'shape': (), }"));
  // The longest text that fits 128 bytes with NumPy's room for a growing axis, and the next one.
  auto bytes = [](std::size_t last) {
    return Kast::npy_header_bytes(DType::f8, {1, 1000000000, 1000000000, last}, Order::right).size();
  };
  EXPECT_EQ(bytes(99999999999999), 128u);
  EXPECT_EQ(bytes(999999999999999), 192u);
}

class NpyFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    m_folder = std::filesystem::temp_directory_path() / ("kast-" + std::to_string(::getpid()) + "-" + test->name());
    std::filesystem::create_directories(m_folder);
  }
  void TearDown() override {
    std::filesystem::permissions(m_folder, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(m_folder);
  }

  std::string path(const std::string& name) const { return (m_folder / name).string(); }
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// What the refusal of `call` says after the path.
  template <class Call>
  std::string refusal_of(const std::string& name, const Call& call) const {
    try {
      call();
    } catch (const Kast::Error& error) {
      const std::string said = error.what();
      EXPECT_EQ(error.kind(), Kast::ErrorKind::file);
      EXPECT_TRUE(said.starts_with(path(name) + ": ")) << said;
      return said.substr(std::min(said.size(), path(name).size() + 2));
    }
    ADD_FAILURE() << "nothing was refused";
    return "";
  }

  std::filesystem::path m_folder;
};

TEST_F(NpyFiles, AreReadInPlace) {
  const double values[] = {1.5, -2.5, 3.5};
  // One byte more in the header, and the data are aligned to nothing.
  write("a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }  \n",
                     std::string(reinterpret_cast<const char*>(values), sizeof values)));
  const Kast::NpyFile file(path("a.npy"));
  const Kast::ArrayRef array = file.array();
  EXPECT_EQ(array.dtype, DType::f8);
  EXPECT_EQ(array.extents, Extents{3});
  EXPECT_EQ(array.strides, Kast::Strides{1});
  EXPECT_EQ(array.space, Kast::Reach::host);
  EXPECT_EQ(std::memcmp(array.data, values, sizeof values), 0);
}

TEST_F(NpyFiles, RefuseWhatCannotBeOpened) {
  EXPECT_NE(refusal_of("none.npy", [&] { Kast::NpyFile file(path("none.npy")); }).find("No such file"),
            std::string::npos);
  std::filesystem::create_directory(path("folder"));
  EXPECT_EQ(refusal_of("folder", [&] { Kast::NpyFile file(path("folder")); }), "is no regular file");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal_of("pipe", [&] { Kast::NpyFile file(path("pipe")); }), "is no regular file");
  write("empty.npy", "");
  EXPECT_NE(refusal_of("empty.npy", [&] { Kast::NpyFile file(path("empty.npy")); }).find("is no .npy file"),
            std::string::npos);
}

TEST_F(NpyFiles, AppearOnCommitOnly) {
  {
    Kast::NpyOutput output(path("a.npy"), DType::i4, {2, 2}, Order::right);
    EXPECT_EQ(listing().size(), 1u);
    EXPECT_FALSE(std::filesystem::exists(path("a.npy")));
    EXPECT_EQ(std::filesystem::path(output.aside()).parent_path(), m_folder);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(output.array().data) % 64, 0u);
  }
  EXPECT_TRUE(listing().empty());

  write("a.npy", "what was there before");
  {
    Kast::NpyOutput output(path("a.npy"), DType::i4, {2, 2}, Order::right);
    auto* data = static_cast<std::int32_t*>(output.array().data);
    for (int i = 0; i < 4; ++i) data[i] = i + 1;
    EXPECT_EQ(read("a.npy"), "what was there before");
    output.commit();
  }
  EXPECT_EQ(listing(), std::vector<std::string>{"a.npy"});
  const std::int32_t values[] = {1, 2, 3, 4};
  EXPECT_EQ(read("a.npy"), Kast::npy_header_bytes(DType::i4, {2, 2}, Order::right) +
                               std::string(reinterpret_cast<const char*>(values), sizeof values));
}

TEST_F(NpyFiles, HaveThePermissionsOfTheUmask) {
  const mode_t old = ::umask(027);
  Kast::NpyOutput output(path("a.npy"), DType::u1, {3}, Order::right);
  output.commit();
  ::umask(old);
  struct stat facts;
  ASSERT_EQ(::stat(path("a.npy").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0640u);
}

TEST_F(NpyFiles, RefuseWhereTheyCannotBeWritten) {
  auto open = [&](const std::string& name) { Kast::NpyOutput output(path(name), DType::f8, {2}, Order::right); };
  EXPECT_NE(refusal_of("none/a.npy", [&] { open("none/a.npy"); }).find("No such file"), std::string::npos);
  std::filesystem::create_directory(path("folder"));
  EXPECT_EQ(refusal_of("folder", [&] { open("folder"); }), "is no regular file and cannot be replaced");
  const std::size_t huge = std::size_t(1) << 58;  // more than any disk of these days has
  EXPECT_NE(refusal_of("a.npy", [&] { Kast::NpyOutput output(path("a.npy"), DType::f8, {huge}, Order::right); })
                .find("no room for"),
            std::string::npos);
  EXPECT_NE(refusal_of("a.npy", [&] { Kast::NpyOutput output(path("a.npy"), DType::c16, {huge << 3}, Order::right); })
                .find("too large"),
            std::string::npos);
  EXPECT_EQ(listing(), std::vector<std::string>{"folder"});
}

TEST_F(NpyFiles, FollowSymbolicLinks) {
  write("real.npy", "old");
  std::filesystem::create_symlink(path("real.npy"), path("link.npy"));
  Kast::NpyOutput output(path("link.npy"), DType::u1, {1}, Order::right);
  output.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  EXPECT_EQ(read("real.npy").size(), 129u);
}

template <class View>
void fill(const View& view) {
  for (std::size_t i = 0; i < view.extent(0); ++i) {
    for (std::size_t j = 0; j < view.extent(1); ++j) view(i, j) = typename View::value_type(10 * i + j);
  }
}

TEST_F(NpyFiles, GoRoundForEveryLayout) {
  using Right = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Left  = Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  Right right("right", 3, 4);
  Left left("left", 3, 4);
  fill(right);
  fill(left);
  Kast::save_npy(path("right.npy"), right);
  Kast::save_npy(path("left.npy"), left);
  EXPECT_EQ(Kast::NpyFile(path("right.npy")).header().order, Order::right);
  EXPECT_EQ(Kast::NpyFile(path("left.npy")).header().order, Order::left);
  for (const char* name : {"right.npy", "left.npy"}) {
    const auto as_right = Kast::load_npy<Right>(path(name));
    const auto as_left  = Kast::load_npy<Left>(path(name));
    const auto as_stride =
        Kast::load_npy<Kokkos::View<const float**, Kokkos::LayoutStride, Kokkos::HostSpace>>(path(name));
    const auto as_static = Kast::load_npy<Kokkos::View<float* [4], Kokkos::LayoutRight, Kokkos::HostSpace>>(path(name));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) {
        EXPECT_EQ(as_right(i, j), 10 * i + j);
        EXPECT_EQ(as_left(i, j), 10 * i + j);
        EXPECT_EQ(as_stride(i, j), 10 * i + j);
        EXPECT_EQ(as_static(i, j), 10 * i + j);
      }
    }
  }
  EXPECT_EQ(listing(), (std::vector<std::string>{"left.npy", "right.npy"}));
}

TEST_F(NpyFiles, AreSavedFromAnyStrides) {
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> whole("whole", 6, 8);
  fill(whole);
  const auto part = Kokkos::subview(whole, std::pair(1, 4), std::pair(2, 7));
  Kast::save_npy(path("part.npy"), part);
  const auto back = Kast::load_npy<Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>>(path("part.npy"));
  ASSERT_EQ(back.extent(0), 3u);
  ASSERT_EQ(back.extent(1), 5u);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) EXPECT_EQ(back(i, j), part(i, j));
  }
  Kokkos::View<std::complex<double>, Kokkos::HostSpace> scalar("scalar");
  scalar() = {1, -2};
  Kast::save_npy(path("scalar.npy"), scalar);
  EXPECT_EQ((Kast::load_npy<decltype(scalar)>(path("scalar.npy"))()), (std::complex<double>(1, -2)));
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> empty("empty", 0, 3);
  Kast::save_npy(path("empty.npy"), empty);
  EXPECT_EQ(read("empty.npy"), Kast::npy_header_bytes(DType::f8, {0, 3}, Order::right));
}

TEST_F(NpyFiles, NameWhatDoesNotFitTheView) {
  using Kokkos::HostSpace;
  Kast::save_npy(path("a.npy"), Kokkos::View<double**, HostSpace>("a", 3, 4));
  EXPECT_EQ(refusal_of("a.npy", [&] { Kast::load_npy<Kokkos::View<float**, HostSpace>>(path("a.npy")); }),
            "holds f8, the View holds f4");
  EXPECT_EQ(refusal_of("a.npy", [&] { Kast::load_npy<Kokkos::View<double*, HostSpace>>(path("a.npy")); }),
            "has shape (3,4) of rank 2, the View has rank 1");
  EXPECT_EQ(refusal_of("a.npy", [&] { Kast::load_npy<Kokkos::View<double* [5], HostSpace>>(path("a.npy")); }),
            "has shape (3,4), the View's static extent on axis 1 is 5");
}

}  // namespace
