// The names of TensorFlow Lite's operators, supported or not.

#include <stddef.h>

#include "tflite_ops.h"

// A code in both tables does not compile.
const char *luna_tflite_code_name(int64_t code) {
  switch (code) {
#define NAME(code, name)                                                       \
  case code:                                                                   \
    return #name;
#define OP_OF(class, code, name, ...) NAME(code, name)
#include "tflite_ops.def"
#include "tflite_unsupported.def"
#undef NAME
  default:
    return NULL;
  }
}
