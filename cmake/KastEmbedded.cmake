# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Plumbing of KastDependencies.cmake: gets the source archive of a dependency and builds it once per configuration.
# Not for: deciding whether an embedded build is wanted.

# Release archives, pinned. GoogleTest and Google Benchmark are no Kokkos projects, but are built the same way.
set(_kast_release_Kokkos_VERSION 4.7.02)
set(_kast_release_Kokkos_URL https://github.com/kokkos/kokkos/releases/download/4.7.02/kokkos-4.7.02.tar.gz)
set(_kast_release_Kokkos_SHA256 a81826ac0a167933d13506bc2a986fb5517038df9abb780fe9bb2c1d4e80803b)
set(_kast_release_KokkosKernels_VERSION 4.7.02)
set(_kast_release_KokkosKernels_URL
    https://github.com/kokkos/kokkos-kernels/releases/download/4.7.02/kokkos-kernels-4.7.02.tar.gz)
set(_kast_release_KokkosKernels_SHA256 2d3b3e10ac112e382b88c50d66e4222ce543fca5d42be6d8376a684b82b8b238)
set(_kast_release_GTest_VERSION 1.15.2)
set(_kast_release_GTest_URL https://github.com/google/googletest/archive/refs/tags/v1.15.2.tar.gz)
set(_kast_release_GTest_SHA256 7b42b4d6ed48810c5362c265a17faebe90dc2373c885e5216439d37927f02926)
set(_kast_release_benchmark_VERSION 1.8.3)
set(_kast_release_benchmark_URL https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz)
set(_kast_release_benchmark_SHA256 6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce)

# The Python source distribution that carries three of them, for networks that end at Python's package index.
set(_kast_sdist_FILE pygenten-0.1.5.tar.gz)
set(_kast_sdist_SHA256 e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7)
set(_kast_sdist_Kokkos_VERSION 4.7.0)
set(_kast_sdist_Kokkos_FOLDER pygenten-0.1.5/tpls/kokkos)
set(_kast_sdist_KokkosKernels_VERSION 4.4.0)
set(_kast_sdist_KokkosKernels_FOLDER pygenten-0.1.5/tpls/kokkos-kernels)
set(_kast_sdist_GTest_VERSION 1.15.2)
set(_kast_sdist_GTest_FOLDER pygenten-0.1.5/tpls/googletest)

set(_kast_cmake_dir ${CMAKE_CURRENT_LIST_DIR})

# Is `file` there, with the hash `sha256`? What has another hash is removed: a download that was cut off, or worse.
function(_kast_archive_ok out file sha256)
  set(${out} FALSE PARENT_SCOPE)
  if(EXISTS "${file}")
    file(SHA256 "${file}" actual)
    if(actual STREQUAL sha256)
      set(${out} TRUE PARENT_SCOPE)
    else()
      message(STATUS "Kast: ${file} has the wrong SHA256 and is not used")
      file(REMOVE "${file}")
    endif()
  endif()
endfunction()

# All release archives share one budget of seconds; the first that fails ends them for this build folder, so that a machine
# without a network pays once. (Remembered in the cache; `cmake --fresh` tries again.)
function(_kast_download_release out name)
  set(${out} FALSE PARENT_SCOPE)
  if(Kast_RELEASES_UNREACHABLE)
    return()
  endif()
  set(file "${Kast_DEPENDENCY_DIR}/archives/${name}-${_kast_release_${name}_VERSION}.tar.gz")
  file(DOWNLOAD "${_kast_release_${name}_URL}" "${file}.part" TIMEOUT ${Kast_DOWNLOAD_TIMEOUT} STATUS status)
  list(GET status 0 code)
  if(code EQUAL 0)
    file(RENAME "${file}.part" "${file}")
    _kast_archive_ok(ok "${file}" ${_kast_release_${name}_SHA256})
    set(${out} ${ok} PARENT_SCOPE)
    return()
  endif()
  list(GET status 1 reason)
  message(STATUS "Kast: release archives are out of reach (${reason})")
  file(REMOVE "${file}.part")
  set(Kast_RELEASES_UNREACHABLE TRUE CACHE INTERNAL "a release archive could not be downloaded: no other is tried")
endfunction()

function(_kast_download_sdist out)
  set(${out} FALSE PARENT_SCOPE)
  if(Kast_PIP_UNREACHABLE)
    return()
  endif()
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(NOT Python3_Interpreter_FOUND)
    message(STATUS "Kast: no Python 3 to download ${_kast_sdist_FILE} with")
    return()
  endif()
  # One short attempt, unless the user's pip is configured for a slow index.
  set(patience --retries 0)
  if(NOT DEFINED ENV{PIP_DEFAULT_TIMEOUT})
    list(APPEND patience --timeout 4)
  endif()
  set(path "${_kast_cmake_dir}/pip")
  if(DEFINED ENV{PYTHONPATH})
    set(path "${path}:$ENV{PYTHONPATH}")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "PYTHONPATH=${path}" PYTHONDONTWRITEBYTECODE=1 "${Python3_EXECUTABLE}" -m pip download
            --no-deps --no-binary :all: --no-build-isolation --disable-pip-version-check ${patience} --dest
            "${Kast_DEPENDENCY_DIR}/archives" pygenten==0.1.5
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
    TIMEOUT 300)
  if(code EQUAL 0)
    _kast_archive_ok(ok "${Kast_DEPENDENCY_DIR}/archives/${_kast_sdist_FILE}" ${_kast_sdist_SHA256})
    set(${out} ${ok} PARENT_SCOPE)
    return()
  endif()
  string(STRIP "${output}" output)
  string(REGEX MATCH "[^\n]*$" reason "${output}")
  message(STATUS "Kast: Python's package index is out of reach or has no pygenten 0.1.5 (${reason})")
  set(Kast_PIP_UNREACHABLE TRUE CACHE INTERNAL "pip could not download: it is not asked again")
endfunction()

# Finds or downloads the source of `name`; sets _kast_source_{FILE,VERSION,FOLDER,ORIGIN,KEY} in the caller, FILE empty when
# there is none. What lies on the disk already is taken before any network is tried.
function(_kast_find_source name)
  file(MAKE_DIRECTORY "${Kast_DEPENDENCY_DIR}/archives")
  file(LOCK "${Kast_DEPENDENCY_DIR}/archives" DIRECTORY GUARD FUNCTION TIMEOUT 600)
  set(release "${Kast_DEPENDENCY_DIR}/archives/${name}-${_kast_release_${name}_VERSION}.tar.gz")
  set(sdist "${Kast_DEPENDENCY_DIR}/archives/${_kast_sdist_FILE}")
  set(have_release FALSE)
  set(have_sdist FALSE)
  _kast_archive_ok(have_release "${release}" ${_kast_release_${name}_SHA256})
  if(NOT have_release AND DEFINED _kast_sdist_${name}_VERSION)
    _kast_archive_ok(have_sdist "${sdist}" ${_kast_sdist_SHA256})
  endif()
  if(NOT have_release AND NOT have_sdist)
    _kast_download_release(have_release ${name})
  endif()
  if(NOT have_release AND NOT have_sdist AND DEFINED _kast_sdist_${name}_VERSION)
    _kast_download_sdist(have_sdist)
  endif()

  set(_kast_source_FILE "" PARENT_SCOPE)
  if(have_release)
    set(_kast_source_FILE "${release}" PARENT_SCOPE)
    set(_kast_source_VERSION ${_kast_release_${name}_VERSION} PARENT_SCOPE)
    set(_kast_source_FOLDER "" PARENT_SCOPE)
    set(_kast_source_ORIGIN "release archive" PARENT_SCOPE)
    set(_kast_source_KEY ${_kast_release_${name}_SHA256} PARENT_SCOPE)
  elseif(have_sdist)
    set(_kast_source_FILE "${sdist}" PARENT_SCOPE)
    set(_kast_source_VERSION ${_kast_sdist_${name}_VERSION} PARENT_SCOPE)
    set(_kast_source_FOLDER ${_kast_sdist_${name}_FOLDER} PARENT_SCOPE)
    set(_kast_source_ORIGIN "${_kast_sdist_FILE}" PARENT_SCOPE)
    set(_kast_source_KEY ${_kast_sdist_SHA256} PARENT_SCOPE)
  endif()
endfunction()

# Runs one step of an embedded build with its output in `log`; on failure shows the log's end and sets `out` to FALSE.
function(_kast_run_step out log)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  file(APPEND "${log}" "${text}\n")
  if(code EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
    return()
  endif()
  string(LENGTH "${text}" length)
  if(length GREATER 4000)
    math(EXPR start "${length} - 4000")
    string(SUBSTRING "${text}" ${start} -1 text)
  endif()
  message("${text}")
  set(${out} FALSE PARENT_SCOPE)
endfunction()

# Kokkos 4.7.0 meets CUDA 13: the two missing overloads go into the header that calls them, so that no user of this Kokkos needs
# a flag for it. (The third fix, the legacy View, is a configure option.)
function(_kast_patch_kokkos source version)
  if(version VERSION_EQUAL 4.7.0)
    file(COPY "${_kast_cmake_dir}/kokkos_4_7_cuda13.hpp" DESTINATION "${source}/core/src/Cuda")
    set(header "${source}/core/src/Cuda/Kokkos_Cuda_Instance.hpp")
    file(READ "${header}" text)
    string(REPLACE "#include <cuda_runtime_api.h>" "#include <Cuda/kokkos_4_7_cuda13.hpp>" text "${text}")
    file(WRITE "${header}" "${text}")
  endif()
  # The wrapper's default architecture is one that CUDA 13 dropped, and it looks for nvcc on the PATH alone.
  if(Kast_NVCC)
    set(wrapper "${source}/bin/nvcc_wrapper")
    file(READ "${wrapper}" text)
    string(REPLACE "default_arch=\"sm_70\"" "default_arch=\"sm_90\"" text "${text}")
    string(REPLACE "nvcc_compiler=nvcc\n" "nvcc_compiler=\"${Kast_NVCC}\"\n" text "${text}")
    file(WRITE "${wrapper}" "${text}")
  endif()
endfunction()

# _kast_build_embedded(<out prefix> <name> <option>...): sets `out` to the install prefix of `name`, built now or before with the
# same source, compiler, flags and options; empty on failure. Presets that agree on all of these share one prefix.
function(_kast_build_embedded out name)
  set(${out} "" PARENT_SCOPE)
  set(options
      -DCMAKE_BUILD_TYPE=${Kast_DEPENDENCY_BUILD_TYPE}
      "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
      "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
      -DCMAKE_CXX_STANDARD=20
      -DCMAKE_CXX_EXTENSIONS=OFF
      -DCMAKE_POSITION_INDEPENDENT_CODE=ON
      -DBUILD_SHARED_LIBS=OFF
      -DCMAKE_INSTALL_LIBDIR=lib
      -DCMAKE_INSTALL_MESSAGE=NEVER
      ${ARGN})
  set(recipe "3 ${_kast_source_KEY} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${options} ${Kast_NVCC_VERSION}")
  if(Kast_NVCC_VERSION)
    file(SHA256 "${_kast_cmake_dir}/kokkos_4_7_cuda13.hpp" patch)
    string(APPEND recipe " ${patch}")
  endif()
  string(SHA256 hash "${recipe}")
  string(SUBSTRING ${hash} 0 10 hash)
  string(TOLOWER ${name} lower)
  set(prefix "${Kast_DEPENDENCY_DIR}/${lower}-${_kast_source_VERSION}-${hash}")
  set(log "${prefix}.log")

  file(MAKE_DIRECTORY "${prefix}")
  file(LOCK "${prefix}.lock" GUARD FUNCTION TIMEOUT 3600)
  if(EXISTS "${prefix}/kast-recipe.txt")
    set(${out} "${prefix}" PARENT_SCOPE)
    return()
  endif()

  message(STATUS "Kast: building ${name} ${_kast_source_VERSION} once for this configuration (log: ${log})")
  string(TIMESTAMP start %s)
  set(work "${prefix}.work")
  file(REMOVE_RECURSE "${work}")
  file(WRITE "${log}" "${recipe}\n")
  if(_kast_source_FOLDER)
    file(ARCHIVE_EXTRACT INPUT "${_kast_source_FILE}" DESTINATION "${work}" PATTERNS "${_kast_source_FOLDER}/*")
    set(source "${work}/${_kast_source_FOLDER}")
  else()
    file(ARCHIVE_EXTRACT INPUT "${_kast_source_FILE}" DESTINATION "${work}")
    file(GLOB source LIST_DIRECTORIES TRUE "${work}/*")
  endif()
  if(name STREQUAL Kokkos)
    _kast_patch_kokkos("${source}" ${_kast_source_VERSION})
  endif()

  set(generator)
  if(CMAKE_GENERATOR MATCHES "Ninja|Makefiles" AND NOT CMAKE_GENERATOR MATCHES "Multi-Config")
    set(generator -G "${CMAKE_GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}")
  endif()
  set(parallel)
  if(NOT DEFINED ENV{CMAKE_BUILD_PARALLEL_LEVEL})
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    set(parallel --parallel ${cores})
  endif()
  # Makefiles of an outer make hand down a job server that this build has no part in.
  set(clean_env ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MFLAGS --unset=MAKELEVEL --unset=DESTDIR)
  _kast_run_step(ok "${log}" ${clean_env} ${CMAKE_COMMAND} -S "${source}" -B "${work}/build" ${generator}
                 "-DCMAKE_INSTALL_PREFIX=${prefix}" ${options})
  if(ok)
    _kast_run_step(ok "${log}" ${clean_env} ${CMAKE_COMMAND} --build "${work}/build" --config ${Kast_DEPENDENCY_BUILD_TYPE}
                   ${parallel} --target install)
  endif()
  if(NOT ok)
    message(STATUS "Kast: building ${name} ${_kast_source_VERSION} failed; the whole log is ${log}")
    return()
  endif()
  file(REMOVE_RECURSE "${work}")
  file(WRITE "${prefix}/kast-recipe.txt" "${recipe}\n")
  string(TIMESTAMP stop %s)
  math(EXPR seconds "${stop} - ${start}")
  message(STATUS "Kast: built ${name} ${_kast_source_VERSION} in ${seconds} s")
  set(${out} "${prefix}" PARENT_SCOPE)
endfunction()
