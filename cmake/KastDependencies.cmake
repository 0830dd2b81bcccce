# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where Kokkos, Kokkos Kernels, GoogleTest and Google Benchmark come from: a target that the parent project has, an installed
# package, else an embedded build from the release archive or from what Python's package index carries. Each function says in
# one line what it took. Not for: how an embedded build is made (KastEmbedded.cmake).
#
#   kast_find_kokkos()                  Kokkos::kokkos, or the end of the configuration; sets Kast_Kokkos_{VERSION,DEVICES,DIR}
#   kast_find_kokkos_kernels(<out>)     Kokkos::kokkoskernels, optional
#   kast_find_googletest()              GTest::gtest, or the end of the configuration
#   kast_find_benchmark(<out>)          benchmark::benchmark, optional
#
# Kokkos' own options (Kokkos_ENABLE_*, Kokkos_ARCH_*) shape an embedded Kokkos and are demands on an installed one.

include("${CMAKE_CURRENT_LIST_DIR}/KastEmbedded.cmake")

set(_kast_kokkos_minimum 4.7)
set(_kast_benchmark_minimum 1.7)

if(PROJECT_IS_TOP_LEVEL)
  cmake_path(SET _kast_default_dependency_dir NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../build/_deps") # one for all presets
else()
  set(_kast_default_dependency_dir "${CMAKE_CURRENT_BINARY_DIR}/_deps")
endif()
set(Kast_DEPENDENCY_DIR "${_kast_default_dependency_dir}" CACHE PATH "Archives and installed builds of embedded dependencies")
set(Kast_DEPENDENCY_POLICY AUTO CACHE STRING "AUTO, INSTALLED (never build one) or EMBEDDED (pass installed ones over)")
set_property(CACHE Kast_DEPENDENCY_POLICY PROPERTY STRINGS AUTO INSTALLED EMBEDDED)
set(Kast_DEPENDENCY_BUILD_TYPE Release CACHE STRING "Build type of embedded dependencies")
set(Kast_DOWNLOAD_TIMEOUT 5 CACHE STRING "Seconds that an attempt at a release archive may take")
mark_as_advanced(Kast_DEPENDENCY_DIR Kast_DEPENDENCY_POLICY Kast_DEPENDENCY_BUILD_TYPE Kast_DOWNLOAD_TIMEOUT)
if(NOT Kast_DEPENDENCY_POLICY MATCHES "^(AUTO|INSTALLED|EMBEDDED)$")
  message(FATAL_ERROR "Kast_DEPENDENCY_POLICY is AUTO, INSTALLED or EMBEDDED, not '${Kast_DEPENDENCY_POLICY}'")
endif()

# find_package of an installed `package`. An earlier run leaves <package>_DIR in the cache; where that is an embedded build it
# is no installed package, and would be taken whatever the options say today.
macro(_kast_find_installed package)
  string(FIND "${${package}_DIR}" "${Kast_DEPENDENCY_DIR}/" _kast_position)
  if(_kast_position EQUAL 0)
    unset(${package}_DIR CACHE)
  endif()
  set(${package}_FOUND FALSE)
  if(NOT Kast_DEPENDENCY_POLICY STREQUAL "EMBEDDED")
    find_package(${package} ${ARGN} CONFIG QUIET)
    foreach(_kast_config _kast_version IN ZIP_LISTS ${package}_CONSIDERED_CONFIGS ${package}_CONSIDERED_VERSIONS)
      if(NOT ${package}_FOUND)
        message(STATUS "Kast: ${package} ${_kast_version} (${_kast_config}) passed over: ${ARGV1} or newer is needed")
      endif()
    endforeach()
  endif()
endmacro()

# An embedded `package` with these options, as imported targets. Sets <package>_FOUND in the caller.
macro(_kast_find_embedded package)
  set(${package}_FOUND FALSE)
  if(NOT Kast_DEPENDENCY_POLICY STREQUAL "INSTALLED")
    _kast_find_source(${package})
    if(_kast_source_FILE)
      _kast_build_embedded(_kast_prefix ${package} ${ARGN})
      if(_kast_prefix)
        find_package(${package} CONFIG QUIET REQUIRED PATHS "${_kast_prefix}" NO_DEFAULT_PATH)
      endif()
    endif()
  endif()
endmacro()

# Imported targets are visible in their own folder only; a parent project that links Kast::kast needs Kokkos' too.
function(_kast_promote_targets before)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  list(REMOVE_ITEM targets ${before} "")
  foreach(target IN LISTS targets)
    set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
  endforeach()
endfunction()

# The user's Kokkos_ENABLE_* and Kokkos_ARCH_*, from the cache or from a parent project, as two lists of names and values.
function(_kast_kokkos_wishes names values)
  get_cmake_property(all VARIABLES)
  set(found)
  set(given)
  foreach(name IN LISTS all)
    if(name MATCHES "^Kokkos_(ENABLE|ARCH)_[A-Z0-9_]+$" AND NOT "${${name}}" STREQUAL "")
      list(APPEND found ${name})
      list(APPEND given "${${name}}")
    endif()
  endforeach()
  set(${names} "${found}" PARENT_SCOPE)
  set(${values} "${given}" PARENT_SCOPE)
endfunction()

# Ends the configuration where a Kokkos that is not ours to shape lacks what was asked for. Only what changes which code runs
# where is a demand: backends, architectures, bounds checks.
function(_kast_check_kokkos_wishes where names values)
  foreach(name value IN ZIP_LISTS names values)
    if(NOT value)
      continue()
    endif()
    set(lacks FALSE)
    if(name MATCHES "^Kokkos_ENABLE_(SERIAL|OPENMP|THREADS|CUDA|HIP|SYCL|HPX)$")
      set(what "backends: ${Kokkos_DEVICES}")
      if(NOT CMAKE_MATCH_1 IN_LIST Kokkos_DEVICES)
        set(lacks TRUE)
      endif()
    elseif(name MATCHES "^Kokkos_ARCH_(.+)$")
      set(what "architectures: ${Kokkos_ARCH}")
      if(NOT CMAKE_MATCH_1 IN_LIST Kokkos_ARCH)
        set(lacks TRUE)
      endif()
    elseif(name STREQUAL "Kokkos_ENABLE_DEBUG_BOUNDS_CHECK")
      set(what "options: ${Kokkos_OPTIONS}")
      if(NOT DEBUG_BOUNDS_CHECK IN_LIST Kokkos_OPTIONS)
        set(lacks TRUE)
      endif()
    endif()
    if(lacks)
      string(REGEX REPLACE ": $" ": none" what "${what}")
      string(REPLACE ";" ", " what "${what}")
      message(
        FATAL_ERROR
          "${name}=${value} was asked for, but the Kokkos ${Kokkos_VERSION} in ${where} lacks it; its ${what}. "
          "Point Kokkos_ROOT at one that has it, or let Kast build its own with -DKast_DEPENDENCY_POLICY=EMBEDDED.")
    endif()
  endforeach()
endfunction()

# Options of an embedded Kokkos: what the user gave, and our defaults for what they left open.
function(_kast_kokkos_options out names values)
  set(options)
  foreach(name value IN ZIP_LISTS names values)
    list(APPEND options "-D${name}=${value}")
  endforeach()
  if(NOT DEFINED Kokkos_ENABLE_SERIAL)
    list(APPEND options -DKokkos_ENABLE_SERIAL=ON)
  endif()
  # Kokkos has one threaded host backend at a time.
  if(NOT DEFINED Kokkos_ENABLE_OPENMP AND NOT Kokkos_ENABLE_THREADS)
    find_package(OpenMP COMPONENTS CXX QUIET)
    if(OpenMP_CXX_FOUND)
      list(APPEND options -DKokkos_ENABLE_OPENMP=ON)
    else()
      message(STATUS "Kast: ${CMAKE_CXX_COMPILER} has no OpenMP, Kokkos is built without it")
    endif()
  endif()
  if(Kokkos_ENABLE_CUDA)
    if(NOT Kast_NVCC)
      message(FATAL_ERROR "Kokkos_ENABLE_CUDA=ON needs nvcc, and none is on the PATH, under CUDAToolkit_ROOT or /usr/local/cuda")
    endif()
    # Kokkos 4.7.0's new View makes nvcc 13 emit kernels that now and then read illegal addresses.
    if(_kast_source_VERSION VERSION_EQUAL 4.7.0 AND Kast_NVCC_VERSION VERSION_GREATER_EQUAL 13
       AND NOT DEFINED Kokkos_ENABLE_IMPL_VIEW_LEGACY)
      list(APPEND options -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON)
    endif()
  endif()
  list(SORT options)
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

function(_kast_find_nvcc)
  set(Kast_NVCC "" PARENT_SCOPE)
  set(Kast_NVCC_VERSION "" PARENT_SCOPE)
  if(NOT Kokkos_ENABLE_CUDA)
    return()
  endif()
  find_program(Kast_NVCC_EXECUTABLE nvcc HINTS "${CUDAToolkit_ROOT}" ENV CUDAToolkit_ROOT ENV CUDA_PATH /usr/local/cuda
               PATH_SUFFIXES bin)
  mark_as_advanced(Kast_NVCC_EXECUTABLE)
  if(Kast_NVCC_EXECUTABLE)
    execute_process(COMMAND "${Kast_NVCC_EXECUTABLE}" --version OUTPUT_VARIABLE text ERROR_QUIET)
    if(text MATCHES "release ([0-9]+\\.[0-9]+)")
      set(Kast_NVCC "${Kast_NVCC_EXECUTABLE}" PARENT_SCOPE)
      set(Kast_NVCC_VERSION ${CMAKE_MATCH_1} PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(kast_find_kokkos)
  if(TARGET Kokkos::kokkos)
    if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS _kast_kokkos_minimum)
      message(FATAL_ERROR "Kast needs Kokkos ${_kast_kokkos_minimum} or newer; the project around it has ${Kokkos_VERSION}")
    endif()
    message(STATUS "Kast: Kokkos ${Kokkos_VERSION} is the surrounding project's target")
    set(Kast_Kokkos_VERSION "${Kokkos_VERSION}" PARENT_SCOPE)
    set(Kast_Kokkos_DEVICES "${Kokkos_DEVICES}" PARENT_SCOPE)
    set(Kast_Kokkos_DIR "${Kokkos_DIR}" PARENT_SCOPE)
    return()
  endif()
  _kast_kokkos_wishes(names values)
  get_property(before DIRECTORY PROPERTY IMPORTED_TARGETS)
  # Kokkos has no extensions by default and complains where a project leaves them on.
  set(CMAKE_CXX_EXTENSIONS OFF)

  _kast_find_installed(Kokkos ${_kast_kokkos_minimum})
  if(Kokkos_FOUND)
    _kast_check_kokkos_wishes("${Kokkos_DIR}" "${names}" "${values}")
    set(origin "installed")
  else()
    if(DEFINED Kokkos_ROOT OR DEFINED ENV{Kokkos_ROOT})
      message(STATUS "Kast: Kokkos_ROOT (${Kokkos_ROOT}$ENV{Kokkos_ROOT}) holds no Kokkos ${_kast_kokkos_minimum} or newer")
    endif()
    if(NOT Kast_DEPENDENCY_POLICY STREQUAL "INSTALLED")
      _kast_find_nvcc()
      _kast_find_source(Kokkos)
      if(_kast_source_FILE)
        _kast_kokkos_options(options "${names}" "${values}")
        _kast_build_embedded(prefix Kokkos ${options})
        if(NOT prefix)
          message(FATAL_ERROR "Kast: the embedded Kokkos did not build (its last lines stand above). "
                              "An installed Kokkos ${_kast_kokkos_minimum} or newer is used with -DKokkos_ROOT=<its prefix>.")
        endif()
        find_package(Kokkos CONFIG QUIET REQUIRED PATHS "${prefix}" NO_DEFAULT_PATH)
        set(origin "embedded, from the ${_kast_source_ORIGIN}")
      endif()
    endif()
  endif()
  if(NOT Kokkos_FOUND)
    # Nothing is remembered from a run that failed: the next one may have a network.
    unset(Kast_RELEASES_UNREACHABLE CACHE)
    unset(Kast_PIP_UNREACHABLE CACHE)
    message(
      FATAL_ERROR
        "Kast needs Kokkos ${_kast_kokkos_minimum} or newer and found none: the surrounding project has no target "
        "Kokkos::kokkos, no package is installed, and neither the release archive nor Python's package index gave one. "
        "Install Kokkos and say where: -DKokkos_ROOT=<its prefix>. Or put the archive ${_kast_release_Kokkos_URL} at "
        "${Kast_DEPENDENCY_DIR}/archives/Kokkos-${_kast_release_Kokkos_VERSION}.tar.gz.")
  endif()
  _kast_promote_targets("${before}")
  list(JOIN Kokkos_DEVICES ", " devices)
  message(STATUS "Kast: Kokkos ${Kokkos_VERSION} (${devices}) is ${origin}: ${Kokkos_DIR}")
  set(Kast_Kokkos_VERSION ${Kokkos_VERSION} PARENT_SCOPE)
  set(Kast_Kokkos_DEVICES "${Kokkos_DEVICES}" PARENT_SCOPE)
  set(Kast_Kokkos_DIR "${Kokkos_DIR}" PARENT_SCOPE)
endfunction()

# Kokkos Kernels serves comparisons only. Of an embedded one, BLAS and batched kernels without pre-instantiated ones: seconds to
# build instead of many minutes.
function(kast_find_kokkos_kernels out)
  set(${out} TRUE PARENT_SCOPE)
  if(TARGET Kokkos::kokkoskernels)
    message(STATUS "Kast: Kokkos Kernels ${KokkosKernels_VERSION} is the surrounding project's target")
    return()
  endif()
  set(CMAKE_CXX_EXTENSIONS OFF)
  _kast_find_installed(KokkosKernels 4.4)
  set(origin "installed")
  # Both projects release together; an embedded one is of the 4.x series and not tried on another.
  if(NOT KokkosKernels_FOUND AND Kast_Kokkos_VERSION VERSION_LESS 5 AND Kast_Kokkos_DIR)
    _kast_find_embedded(
      KokkosKernels
      "-DKokkos_DIR=${Kast_Kokkos_DIR}"
      -DKokkosKernels_ENABLE_ALL_COMPONENTS=OFF
      -DKokkosKernels_ENABLE_COMPONENT_BLAS=ON
      -DKokkosKernels_ENABLE_COMPONENT_BATCHED=ON
      -DKokkosKernels_ADD_DEFAULT_ETI=OFF
      -DKokkosKernels_ENABLE_TESTS=OFF
      -DKokkosKernels_ENABLE_TPL_CUBLAS=OFF
      -DKokkosKernels_ENABLE_TPL_CUSPARSE=OFF
      -DKokkosKernels_ENABLE_TPL_CUSOLVER=OFF)
    set(origin "embedded, from the ${_kast_source_ORIGIN}")
    set(KokkosKernels_VERSION "${_kast_source_VERSION}") # 4.4's own package says ".."
  endif()
  if(NOT KokkosKernels_FOUND)
    message(STATUS "Kast: no Kokkos Kernels: comparisons with it are left out. Install it for this Kokkos and give "
                   "KokkosKernels_ROOT.")
    set(${out} FALSE PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Kast: Kokkos Kernels ${KokkosKernels_VERSION} is ${origin}: ${KokkosKernels_DIR}")
endfunction()

function(kast_find_googletest)
  if(TARGET GTest::gtest)
    message(STATUS "Kast: GoogleTest is the surrounding project's target")
    return()
  endif()
  _kast_find_installed(GTest 1.10)
  set(origin "installed")
  if(NOT GTest_FOUND)
    _kast_find_embedded(GTest -DBUILD_GMOCK=ON)
    set(origin "embedded, from the ${_kast_source_ORIGIN}")
  endif()
  if(NOT GTest_FOUND)
    message(FATAL_ERROR "Kast's tests need GoogleTest 1.10 or newer and found none. Install it (Debian: libgtest-dev), "
                        "give GTest_ROOT, or leave the tests out with -DKast_ENABLE_TESTS=OFF.")
  endif()
  message(STATUS "Kast: GoogleTest ${GTest_VERSION} is ${origin}: ${GTest_DIR}")
endfunction()

function(kast_find_benchmark out)
  set(${out} TRUE PARENT_SCOPE)
  if(TARGET benchmark::benchmark)
    message(STATUS "Kast: Google Benchmark is the surrounding project's target")
    return()
  endif()
  _kast_find_installed(benchmark ${_kast_benchmark_minimum})
  set(origin "installed")
  if(NOT benchmark_FOUND)
    _kast_find_embedded(benchmark -DBENCHMARK_ENABLE_TESTING=OFF -DBENCHMARK_ENABLE_GTEST_TESTS=OFF
                        -DBENCHMARK_ENABLE_WERROR=OFF)
    set(origin "embedded, from the ${_kast_source_ORIGIN}")
  endif()
  if(NOT benchmark_FOUND)
    message(STATUS "Kast: no Google Benchmark ${_kast_benchmark_minimum} or newer: kast_perf is left out. Install it (Debian: "
                   "libbenchmark-dev) or give benchmark_ROOT, then run cmake --fresh.")
    set(${out} FALSE PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Kast: Google Benchmark ${benchmark_VERSION} is ${origin}: ${benchmark_DIR}")
endfunction()
