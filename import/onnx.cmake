# The ONNX reader: protobuf-c code is made from the distribution's onnx.proto.
find_path(ONNX_PROTO_DIR onnx.proto PATHS /usr/include/onnx REQUIRED)
find_program(PROTOC_C protoc-c REQUIRED)
find_library(PROTOBUF_C_LIBRARY protobuf-c REQUIRED)
set(onnx_generated ${CMAKE_CURRENT_BINARY_DIR}/onnx.pb-c.c)
add_custom_command(
  OUTPUT ${onnx_generated} ${CMAKE_CURRENT_BINARY_DIR}/onnx.pb-c.h
  COMMAND ${PROTOC_C} --c_out=${CMAKE_CURRENT_BINARY_DIR}
    -I${ONNX_PROTO_DIR} onnx.proto
  DEPENDS ${ONNX_PROTO_DIR}/onnx.proto VERBATIM)
set_source_files_properties(${onnx_generated} PROPERTIES COMPILE_OPTIONS "-w")
file(GLOB onnx_sources CONFIGURE_DEPENDS src/onnx/*.c)
luna_add_library(luna_import_onnx SOURCES ${onnx_sources} ${onnx_generated}
  LINKS luna_import_shared luna_base ${PROTOBUF_C_LIBRARY} m)
target_include_directories(luna_import_onnx SYSTEM
  PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
