# MLIR and its C API. libMLIR.so exports none of the C API's symbols, so its
# archives are linked beside it: their files, not their CMake targets, which
# would drag in a second copy of MLIR.
list(PREPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "needs LLVM 22, found ${LLVM_VERSION}")
endif()

# luna_add_mlir_c(name part…): an interface library of archives of the C API;
# <name>_flags are the same for a linker.
function(luna_add_mlir_c name)
  add_library(${name} INTERFACE)
  foreach(folder ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
    target_include_directories(${name} SYSTEM INTERFACE
      $<BUILD_INTERFACE:${folder}>)
  endforeach()
  foreach(part ${ARGN})
    target_link_libraries(${name} INTERFACE $<TARGET_FILE:MLIRCAPI${part}>)
  endforeach()
  target_link_libraries(${name} INTERFACE MLIR LLVM stdc++)
  list(TRANSFORM ARGN PREPEND "-lMLIRCAPI")
  list(REVERSE ARGN)
  list(JOIN ARGN " " flags)
  set(${name}_flags
    "-L${LLVM_LIBRARY_DIR} -Wl,-rpath,${LLVM_LIBRARY_DIR} ${flags} -lMLIR -lLLVM -lstdc++" PARENT_SCOPE)
endfunction()

# Reading and building IR; with upstream's lowering of TOSA; with the dialects
# that our C++ names; running it.
luna_add_mlir_c(luna_mlir_c IR)
luna_add_mlir_c(luna_mlir_lower_c IR Conversion Linalg)
luna_add_mlir_c(luna_mlir_dialects_c IR Interfaces Func Arith MemRef SCF Tensor
  Tosa Linalg LLVM Bufferization Transforms Debug)
luna_install_library(luna_mlir_c)
luna_install_library(luna_mlir_lower_c)
luna_install_library(luna_mlir_dialects_c)
luna_add_mlir_c(luna_mlir_run_c IR RegisterEverything Target)
