# Build helpers shared by every room.

set(LUNA_C_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
  -Werror=implicit-function-declaration
    -Wmissing-prototypes -Wvla)
if(LUNA_WERROR)
  list(APPEND LUNA_C_WARNINGS -Werror)
endif()

# Reading the symbols of libMLIR is most of a link with ld: lld, of the same LLVM,
# takes a sixth. gcc looks for it by its name without a version.
find_program(LUNA_LLD ld.lld PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
if(LUNA_LLD)
  cmake_path(GET LUNA_LLD PARENT_PATH lld_folder)
  add_link_options(-fuse-ld=lld -B${lld_folder})
endif()

# A campaign of random or damaged inputs runs one case in LUNA_TEST_SHARE: all,
# and under the sanitizers, which take three to ten times as long, a fifth. What
# a result should be the other build checks; a fault of memory is met in many
# cases or in none.
set(LUNA_TEST_SHARE 1)
if(LUNA_SANITIZE)
  set(LUNA_TEST_SHARE 5)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# With checks, -O2 takes thrice the time of -O0 (preset asan): it is for what
# tests spend their time in.
set(LUNA_SANITIZED_O2 base device_runtime luna_target model planner schedule
  simulator)

if(LUNA_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# libFuzzer sees only what is instrumented: the libraries too.
if(LUNA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()

function(luna_optimise_sanitized name)
  get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  if(LUNA_SANITIZE AND room IN_LIST LUNA_SANITIZED_O2)
    target_compile_options(${name} PRIVATE -O2)
  endif()
endfunction()

# luna_add_library(name [INTERNAL] SOURCES … LINKS …): a static C library whose
# public headers stand in include/; installed, unless it is INTERNAL.
function(luna_add_library name)
  cmake_parse_arguments(ARG "INTERNAL" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:C>:${LUNA_C_WARNINGS}>)
  luna_optimise_sanitized(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINKS})
  if(NOT ARG_INTERNAL)
    luna_install_library(${name})
  endif()
endfunction()

# luna_add_unit_test(name SOURCES … LINKS … [ARGS …] [NEEDS file]): a plain C
# program that lit runs; it passes when it exits with 0. Where `file` is not
# there it is skipped.
function(luna_add_unit_test name)
  cmake_parse_arguments(ARG "" "NEEDS" "SOURCES;LINKS;ARGS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit_tests)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/base/tests)
  target_compile_definitions(${name} PRIVATE LUNA_TEST_SHARE=${LUNA_TEST_SHARE})
  target_compile_options(${name} PRIVATE ${LUNA_C_WARNINGS})
  luna_optimise_sanitized(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS})
  list(JOIN ARG_ARGS " " arguments)
  set(condition "")
  if(ARG_NEEDS)
    set(condition "REQUIRES: ${name}\n")
    set_property(GLOBAL APPEND_STRING PROPERTY LUNA_TEST_NEEDS
      "    \"${name}\": \"${ARG_NEEDS}\",\n")
  endif()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/unit_tests/${name}.test
    CONTENT "${condition}RUN: $<TARGET_FILE:${name}> ${arguments}\n")
endfunction()

# luna_add_fuzz_target(name SOURCE LINKS … CORPUS dir): with LUNA_FUZZ a
# libFuzzer program; always a replay of the committed corpus as a unit test.
function(luna_add_fuzz_target name)
  cmake_parse_arguments(ARG "" "SOURCE;CORPUS" "LINKS" ${ARGN})
  if(LUNA_FUZZ)
    add_executable(${name} ${ARG_SOURCE})
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_libraries(${name} PRIVATE ${ARG_LINKS})
  endif()
  luna_add_unit_test(${name}_replay
    SOURCES ${ARG_SOURCE} ${CMAKE_SOURCE_DIR}/base/tests/fuzz_replay.c
    LINKS ${ARG_LINKS} ARGS ${ARG_CORPUS})
endfunction()
