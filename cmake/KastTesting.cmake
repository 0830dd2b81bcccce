# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How a test is added. GoogleTest must have been found (kast_find_googletest).
#
#   kast_add_test(<name> <source>... [LIBRARIES <target>...] [LABEL <label>] [TIMEOUT <seconds>] [NO_PCH])
#       one GoogleTest program, with the shared main; each of its cases is a test of its own, <name>/<case>. In a CUDA build
#       the whole program is one test: to start the device takes far longer than a case does.
#   kast_add_python_test(<name> <script> [ARGS <argument>...] [NUMPY] [LABEL <label>] [TIMEOUT <seconds>])
#       a Python script that ends with 0, or 77 for "skipped"; NUMPY: skipped, with a line that says so, where there is none
#   kast_add_header_check(<include folder>)
#       compiles each public header alone, included twice, as part of the build

include(GoogleTest)

# Tests share the machine with each other: two threads each, not bound, or they would all sit on the same cores, and asleep
# while they wait (spinning made small calls 30 times as slow on two busy cores).
set(kast_test_environment OMP_PROC_BIND=false OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive)
if(Kast_SANITIZE)
  list(APPEND kast_test_environment "UBSAN_OPTIONS=print_stacktrace=1"
       "ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1"
       # The OpenMP run time keeps its thread pool until the process ends.
       "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/lsan.supp:print_suppressions=0")
endif()

# Kokkos_Core.hpp and gtest.h take most of a small test's compile time; host compilers read them precompiled. Under CUDA, nvcc
# cannot.
function(_kast_use_test_pch target)
  if("CUDA" IN_LIST Kast_Kokkos_DEVICES OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(NOT TARGET kast_test_pch)
    file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/kast_test_pch.cpp" CONTENT "")
    add_library(kast_test_pch OBJECT "${CMAKE_CURRENT_BINARY_DIR}/kast_test_pch.cpp")
    target_link_libraries(kast_test_pch PRIVATE Kast::kast GTest::gtest)
    kast_configure_target(kast_test_pch)
    target_precompile_headers(kast_test_pch PRIVATE <Kokkos_Core.hpp> <gtest/gtest.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM kast_test_pch)
endfunction()

function(kast_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_PCH" "TIMEOUT;LABEL" "LIBRARIES")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT TARGET kast_test_main)
    add_library(kast_test_main OBJECT "${CMAKE_CURRENT_SOURCE_DIR}/TestMain.cpp")
    target_link_libraries(kast_test_main PUBLIC Kast::kast GTest::gtest)
    kast_configure_target(kast_test_main)
  endif()
  set(target kast_test_${name})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE kast_test_main ${arg_LIBRARIES})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  kast_configure_target(${target})
  if(NOT arg_NO_PCH AND NOT arg_LIBRARIES)
    _kast_use_test_pch(${target})
  endif()
  if("CUDA" IN_LIST Kast_Kokkos_DEVICES)
    add_test(NAME ${name} COMMAND ${target} WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABEL} ENVIRONMENT "${kast_test_environment}"
                                            SKIP_RETURN_CODE 77)
    return()
  endif()
  # gtest_discover_tests takes no lists as properties (they fall apart on the way to ctest), but keeps an emulator whole.
  set_target_properties(${target} PROPERTIES CROSSCOMPILING_EMULATOR "${CMAKE_COMMAND};-E;env;${kast_test_environment}")
  # At test time, not at build time: a device build must compile where there is no device.
  gtest_discover_tests(
    ${target}
    TEST_PREFIX "${name}/"
    NO_PRETTY_TYPES # typed tests have names of their own, such as OpenMP/right/f64
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABEL})
endfunction()

function(kast_add_header_check include_dir)
  file(GLOB headers RELATIVE "${include_dir}" CONFIGURE_DEPENDS "${include_dir}/Kast/*.hpp")
  set(sources)
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER "${header}" name)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp")
    file(GENERATE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(kast_header_check OBJECT ${sources})
  target_link_libraries(kast_header_check PRIVATE Kast::kast)
  kast_configure_target(kast_header_check)
endfunction()

# NumPy for Python tests: the interpreter's own, else one that pip puts beside the embedded dependencies. Sets Kast_NUMPY_PATH
# (empty for the interpreter's own) and Kast_NUMPY_FOUND in the caller.
function(_kast_find_numpy)
  set(Kast_NUMPY_FOUND TRUE PARENT_SCOPE)
  set(Kast_NUMPY_PATH "" PARENT_SCOPE)
  execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import numpy; print(numpy.__version__)" OUTPUT_VARIABLE version
                  ERROR_QUIET RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code EQUAL 0)
    message(STATUS "Kast: NumPy ${version} is installed")
    return()
  endif()
  set(path "${Kast_DEPENDENCY_DIR}/numpy-python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}")
  file(LOCK "${path}.lock" GUARD FUNCTION TIMEOUT 600)
  if(NOT EXISTS "${path}/kast-complete" AND NOT Kast_PIP_UNREACHABLE)
    set(patience --retries 0)
    if(NOT DEFINED ENV{PIP_DEFAULT_TIMEOUT})
      list(APPEND patience --timeout 4)
    endif()
    execute_process(
      COMMAND "${Python3_EXECUTABLE}" -m pip install --quiet --disable-pip-version-check --only-binary :all: ${patience}
              --target "${path}" numpy
      RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
    if(code EQUAL 0)
      file(WRITE "${path}/kast-complete" "")
    else()
      file(REMOVE_RECURSE "${path}")
      set(Kast_PIP_UNREACHABLE TRUE CACHE INTERNAL "pip could not download: it is not asked again")
    endif()
  endif()
  if(EXISTS "${path}/kast-complete")
    set(Kast_NUMPY_PATH "${path}" PARENT_SCOPE)
    message(STATUS "Kast: NumPy comes from Python's package index: ${path}")
  else()
    set(Kast_NUMPY_FOUND FALSE PARENT_SCOPE)
    message(STATUS "Kast: no NumPy: tests against it are skipped. Install it for ${Python3_EXECUTABLE}, then configure again.")
  endif()
endfunction()

function(kast_add_python_test name script)
  cmake_parse_arguments(PARSE_ARGV 2 arg "NUMPY" "TIMEOUT;LABEL" "ARGS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL python)
  endif()
  # As a function's variables they would be looked for again at each call; as properties of the folder once.
  get_property(known DIRECTORY PROPERTY KAST_PYTHON_KNOWN)
  if(NOT known)
    find_package(Python3 COMPONENTS Interpreter QUIET)
    set_property(DIRECTORY PROPERTY KAST_PYTHON_KNOWN TRUE)
    set_property(DIRECTORY PROPERTY KAST_PYTHON "${Python3_EXECUTABLE}")
    set(Kast_NUMPY_FOUND FALSE)
    if(Python3_Interpreter_FOUND)
      _kast_find_numpy()
    endif()
    set_property(DIRECTORY PROPERTY KAST_NUMPY_FOUND ${Kast_NUMPY_FOUND})
    set_property(DIRECTORY PROPERTY KAST_NUMPY_PATH "${Kast_NUMPY_PATH}")
  endif()
  get_property(python DIRECTORY PROPERTY KAST_PYTHON)
  get_property(numpy_found DIRECTORY PROPERTY KAST_NUMPY_FOUND)
  get_property(numpy_path DIRECTORY PROPERTY KAST_NUMPY_PATH)

  if(NOT python)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: no Python 3 was found")
  elseif(arg_NUMPY AND NOT numpy_found)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: no NumPy, and pip could not get one")
  else()
    cmake_path(ABSOLUTE_PATH script)
    add_test(NAME ${name} COMMAND "${python}" "${script}" ${arg_ARGS})
  endif()
  set(environment ${kast_test_environment} PYTHONDONTWRITEBYTECODE=1)
  if(arg_NUMPY AND numpy_path)
    list(APPEND environment "PYTHONPATH=${numpy_path}")
  endif()
  set_tests_properties(
    ${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABEL} ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77
                       SKIP_REGULAR_EXPRESSION "^SKIPPED: ")
endfunction()
