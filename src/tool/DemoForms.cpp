// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of the story's multiply, and how each is timed on one backend.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <Kast/Math.hpp>
#include <Kast/Ufunc.hpp>

#include "Demo.hpp"
#include "DeviceBackend.hpp"

namespace Kast::Tool {
namespace {

constexpr int repeats = 15;  // calls behind a median
constexpr int batch   = 10;  // launches in a row behind a kernel's time

struct Vest {
  KOKKOS_FUNCTION double operator()(double multiplier, double discount) const { return multiplier * discount; }
};

/// The multiply as people write it: Views indexed directly, everything else left to Kokkos.
template <class Cube, class Matrix>
struct PlainMultiply {
  Matrix mult_by;
  Cube discount, result;

  KOKKOS_FUNCTION void operator()(const int n, const int m, const int o) const {
    result(n, m, o) = mult_by(m, o) * discount(n, m, o);
  }
};

template <class Exec, class Work>
double seconds(const Exec& exec, const Work& work) {
  exec.fence();
  const auto start = std::chrono::steady_clock::now();
  work();
  exec.fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Exec, class Work>
double median_seconds(const Exec& exec, int count, const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(seconds(exec, work));
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[std::size_t(count) / 2];
}

/// One thread's share of a copy.
struct CopyShare {
  std::byte* to;
  const std::byte* from;
  std::size_t count, workers;

  void operator()(const std::size_t worker) const {
    const std::size_t begin = count * worker / workers, end = count * (worker + 1) / workers;
    std::memcpy(to + begin, from + begin, end - begin);
  }
};

template <class Exec>
inline constexpr bool is_host_space_v = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// A plain copy: each thread its share by memcpy on hosts, the runtime's own copy on devices.
template <class Exec, class Bytes>
void copy_bytes(const Exec& exec, const Bytes& to, const Bytes& from) {
  if constexpr (is_host_space_v<Exec>) {
    const auto workers = std::size_t(exec.concurrency());
    Kokkos::parallel_for("Kast::demo copy", Kokkos::RangePolicy<Exec>(exec, 0, workers),
                         CopyShare{to.data(), from.data(), to.size(), workers});
  } else {
    Kokkos::deep_copy(exec, to, from);
  }
}

/// The story on one backend.
template <class Exec>
class Bench {
 public:
  using Space  = typename Exec::memory_space;
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  using Cube   = Kokkos::View<double***, Kokkos::LayoutRight, Space>;

  explicit Bench(const Story& story)
      : m_story(story),
        m_mult_by("Kast::demo multBy", Story::ids, Story::numbers),
        m_discount("Kast::demo discount", Story::dates, Story::ids, Story::numbers),
        m_result("Kast::demo cv", Story::dates, Story::ids, Story::numbers),
        m_back("Kast::demo cv on the host", Story::dates, Story::ids, Story::numbers) {}

  std::vector<DemoRow> run(int planted_fault) {
    const auto vest  = Kast::vectorize(Vest{});
    const Exec& exec = m_exec;
    std::vector<DemoRow> rows;
    auto add = [&](const char* form, const auto& operand, const auto& host_operand, const auto& call) {
      rows.push_back(measure(form, operand, host_operand, call, int(rows.size()) == planted_fault));
    };
    const Matrix multBy = m_mult_by;
    const Cube discount = m_discount, cv = m_result;
    add("multiply", multBy, m_story.mult_by, [=] { Kast::multiply(exec, multBy, discount, cv); });
    add("vectorize", multBy, m_story.mult_by, [=] { vest(exec, multBy, discount, cv); });

    const Story::Cube host_wide("Kast::demo multBy, replicated", Story::dates, Story::ids, Story::numbers);
    Kast::copy(Kokkos::DefaultHostExecutionSpace(), m_story.mult_by, host_wide);
    Kokkos::fence();
    const Cube wide("Kast::demo multBy, replicated", Story::dates, Story::ids, Story::numbers);
    add("vectorize, replicated", wide, host_wide, [=] { vest(exec, wide, discount, cv); });

    add("plain MDRangePolicy", multBy, m_story.mult_by, [=] {
      Kokkos::parallel_for("Kast::demo plain",
                           Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(exec, {0, 0, 0},
                                                                        {Story::dates, Story::ids, Story::numbers}),
                           PlainMultiply<Cube, Matrix>{multBy, discount, cv});
    });
    return rows;
  }

 private:
  template <class Operand, class HostOperand, class Call>
  DemoRow measure(const char* form, const Operand& operand, const HostOperand& host_operand, const Call& call,
                  bool fault) {
    auto bring_in = [&] {
      Kokkos::deep_copy(m_exec, operand, host_operand);
      Kokkos::deep_copy(m_exec, m_discount, m_story.discount);
    };
    auto bring_back = [&] { Kokkos::deep_copy(m_exec, m_back, m_result); };
    DemoRow row;
    row.backend = Exec::name();
    row.form    = form;
    bring_in();
    Kokkos::deep_copy(m_exec, m_result, -1.0);
    row.first        = seconds(m_exec, call);
    row.median       = median_seconds(m_exec, repeats, call);
    row.kernel       = batch_seconds(call);
    row.host_to_host = row.median;
    if constexpr (!is_host_space_v<Exec>) {
      row.transfer_in  = median_seconds(m_exec, repeats / 3, bring_in);
      row.transfer_out = median_seconds(m_exec, repeats / 3, bring_back);
      row.host_to_host = median_seconds(m_exec, repeats / 3, [&] {
        bring_in();
        call();
        bring_back();
      });
    }
    row.ratio = copy_seconds(sizeof(double) * (operand.size() + m_discount.size() + m_result.size())) / row.kernel;
    bring_back();
    m_exec.fence();
    if (fault) m_back(Story::dates / 2, 0, 0) += 1;
    row.equal = std::memcmp(m_back.data(), m_story.products.data(), sizeof(double) * m_back.size()) == 0;
    return row;
  }

  /// Time of a copy that reads and writes as many bytes in all.
  double copy_seconds(std::size_t bytes) {
    Kokkos::View<std::byte*, Space> from("Kast::demo copy", bytes / 2), to("Kast::demo copy", bytes / 2);
    copy_bytes(m_exec, to, from);
    return batch_seconds([&] { copy_bytes(m_exec, to, from); });
  }

  /// Time of one of many launches in a row, so that what a launch and a wait cost the host does not count.
  template <class Work>
  double batch_seconds(const Work& work) {
    const auto many = [&] {
      for (int i = 0; i < batch; ++i) work();
    };
    return median_seconds(m_exec, repeats / 3, many) / batch;
  }

  const Story& m_story;
  Exec m_exec;
  Matrix m_mult_by;
  Cube m_discount, m_result;
  Story::Cube m_back;
};

template <class Exec>
void add_rows(std::vector<DemoRow>& rows, const Story& story, int planted_fault) {
  for (DemoRow& row : Bench<Exec>(story).run(planted_fault - int(rows.size()))) rows.push_back(std::move(row));
}

}  // namespace

Story Story::make() {
  Story story{Matrix("Kast::demo multBy", ids, numbers), Cube("Kast::demo discount", dates, ids, numbers),
              Cube("Kast::demo products", dates, ids, numbers)};
  for (std::size_t i = 0; i < story.mult_by.size(); ++i) story.mult_by.data()[i] = double(i);
  for (std::size_t i = 0; i < story.discount.size(); ++i) story.discount.data()[i] = double(i);
  for (int n = 0; n < dates; ++n) {
    for (int m = 0; m < ids; ++m) {
      for (int o = 0; o < numbers; ++o) story.products(n, m, o) = story.mult_by(m, o) * story.discount(n, m, o);
    }
  }
  return story;
}

std::vector<DemoRow> measure_demo(const Story& story, int planted_fault) {
  std::vector<DemoRow> rows;
#ifdef KOKKOS_ENABLE_SERIAL
  add_rows<Kokkos::Serial>(rows, story, planted_fault);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  add_rows<Kokkos::OpenMP>(rows, story, planted_fault);
#endif
#ifdef KOKKOS_ENABLE_THREADS
  add_rows<Kokkos::Threads>(rows, story, planted_fault);
#endif
#ifdef KAST_TOOL_HAS_DEVICE
  add_rows<Kokkos::DefaultExecutionSpace>(rows, story, planted_fault);
#endif
  return rows;
}

}  // namespace Kast::Tool
