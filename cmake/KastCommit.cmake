# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Script mode: writes OUTPUT with the commit of SOURCE_DIR as KAST_COMMIT, touching the file only when the text changes. Run at
# each build, because a commit does not rerun the configuration.
set(commit unknown)
find_program(git git)
if(git AND EXISTS "${SOURCE_DIR}/.git")
  execute_process(COMMAND "${git}" -C "${SOURCE_DIR}" rev-parse --short=12 HEAD OUTPUT_VARIABLE head ERROR_QUIET
                  RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code EQUAL 0)
    set(commit ${head})
    execute_process(COMMAND "${git}" -C "${SOURCE_DIR}" diff --quiet HEAD -- RESULT_VARIABLE code ERROR_QUIET)
    if(NOT code EQUAL 0)
      string(APPEND commit "-modified")
    endif()
  endif()
endif()
set(text "#define KAST_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
