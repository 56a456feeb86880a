#ifndef LUNA_IMPORT_H
#define LUNA_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "luna/error.h"
#include "luna/text.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===-- luna/import.h - models of other tools become MLIR -----------------===//
//
// A reader takes the bytes of a model file and makes a verified module with
// one public function, in tosa on tensors of static shape with scf for control
// flow, and linalg where tosa has no operator of the same rounding. Every op's
// location names the tensor it computes: loc("tensor name").
//
// The function takes the model's inputs, then its state; it gives the model's
// outputs, then the new state. Arguments and results carry attributes:
//   luna.name         the tensor's name in the model
//   luna.scale, luna.zero_point
//                     how its integers stand for real numbers: scale (f32) and
//                     zero point (i64); absent without quantisation
//   luna.unsigned     unit: its bytes are unsigned (a model of uint8)
//   luna.state        the state's name, instead of luna.name
//   luna.initial      the state's value at the start and after a reset
//                     (arguments only)
// State is what a model keeps from one call to the next: its resource variables
// and variable tensors. The caller passes luna.initial at the first call and
// from then on what the call before gave.
//
// Inputs and outputs have the model's own element types. uint8 tensors inside
// a model are computed as int8 with the zero point moved by 128.
//
//===----------------------------------------------------------------------===//

/// How to import; zero-initialise for the defaults.
typedef struct LunaImportOptions {
  /// Name of the function; NULL: "main".
  const char *function;
} LunaImportOptions;

/// Imports a TensorFlow Lite model from memory.
///
/// Loads the dialects that it needs into `context`. `options` may be NULL. On
/// success `out` is a verified module that the caller destroys. Fails with
/// LUNA_ERROR_INPUT and a message that names the operator at fault; `out` is
/// null then and nothing was printed.
bool luna_import_tflite(MlirContext context, const void *bytes, size_t size,
                        const LunaImportOptions *options, MlirModule *out,
                        LunaError *error);

/// Says whether the ending of `path` names a format that luna_import_file
/// reads.
bool luna_import_knows(const char *path);

/// Imports the model file at `path`, in the format that its ending names.
bool luna_import_file(MlirContext context, const char *path,
                      const LunaImportOptions *options, MlirModule *out,
                      LunaError *error);

/// Adds the table of TensorFlow Lite operators that the reader knows, as
/// Markdown: name, what it becomes, element types.
void luna_import_tflite_operators(LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_IMPORT_H
