# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What every program of ours is compiled with and where it goes. None of it reaches those who link Kast::kast.

set(Kast_BIN_DIR "${PROJECT_BINARY_DIR}/bin")

# kast_configure_target(<target>): warnings, sanitizers, and for programs the bin folder.
function(kast_configure_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${Kast_BIN_DIR}")
    if("CUDA" IN_LIST Kast_Kokkos_DEVICES AND UNIX AND NOT APPLE)
      if(NOT TARGET kast_lazy_cuda_driver)
        add_library(kast_lazy_cuda_driver OBJECT "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lazy_cuda_driver.cpp")
      endif()
      # --as-needed drops the driver library, which comes later on the command line, once nothing is left to find in it.
      target_link_libraries(${target} PRIVATE kast_lazy_cuda_driver ${CMAKE_DL_LIBS})
      target_link_options(${target} PRIVATE -Wl,--as-needed)
    endif()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  if(NOT "CUDA" IN_LIST Kast_Kokkos_DEVICES)
    # nvcc's generated host code trips over this one.
    target_compile_options(${target} PRIVATE -Wshadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict) # false alarms on std::string in g++ 12
  endif()
  if(Kast_ENABLE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(Kast_SANITIZE)
    set(flags -fsanitize=${Kast_SANITIZE} -fno-omit-frame-pointer)
    if(Kast_SANITIZE MATCHES "undefined")
      list(APPEND flags -fno-sanitize-recover=undefined) # a finding fails the test instead of scrolling by
    endif()
    target_compile_options(${target} PRIVATE ${flags})
    target_link_options(${target} PUBLIC ${flags})
  endif()
endfunction()
