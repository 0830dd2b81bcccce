// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The README's first program; a test holds both against each other.
#include <Kast/Kast.hpp>

#include <iostream>

struct Vest {
  KOKKOS_FUNCTION double operator()(double m, double d) const { return m * d; }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace exec;

  const int N = 100, M = 4000, O = 5;
  Kokkos::View<double**> multBy("multBy", M, O);
  Kokkos::View<double***> discount("discount", N, M, O), cv("cv", N, M, O);

  Kast::multiply(exec, multBy, discount, cv);         // inputs, then outputs; asynchronous like Kokkos::parallel_for
  auto cv2 = Kast::multiply(exec, multBy, discount);  // a new View of the broadcast shape

  auto vest = Kast::vectorize(Vest{});  // any scalar function
  vest(exec, multBy, discount, cv);

  std::cout << Kast::plan(exec, Kast::multiply, multBy, discount, cv).explain();  // nothing runs

  try {
    Kast::multiply(exec, multBy, cv2, Kokkos::View<double**>("too small", M, O));
  } catch (const Kast::Error& error) {
    std::cout << error.what() << '\n';
  }
}
