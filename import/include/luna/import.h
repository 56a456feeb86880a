#ifndef LUNA_IMPORT_H
#define LUNA_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna-c/builder.h"
#include "luna/arena.h"
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
// The function takes the model's inputs, then its state; it returns the model's
// outputs, then the new state. Arguments and results carry attributes:
//   luna.name         the tensor's name in the model
//   luna.scale, luna.zero_point
//                     how its integers stand for real numbers: scale (f32) and
//                     zero point (i64); absent without quantisation
//   luna.unsigned     unit: its integers are unsigned (a model of uint8)
//   luna.state        the state's name, instead of luna.name
//   luna.initial      the state's value at the start and after a reset
//                     (arguments only)
// State is what a model keeps from one call to the next: its resource variables
// and variable tensors. The caller passes luna.initial at the first call and
// from then on what the call before gave.
//
// A result with a size that only the running program knows has the bound of it;
// after the outputs a result of one i32, named NAME.size after it, says how
// much of that is the output: 0 up to the bound, or more where the bound was
// too small. What lies after is 0.
//
// Inputs and outputs have the model's own element types. uint8 tensors inside
// a model are computed as int8 with the zero point moved by 128.
//
//===----------------------------------------------------------------------===//

/// The size of a dimension of an input that a model leaves open, by the name
/// that the model gives it (ONNX), else "input.axis". The name "*" gives the
/// size of every one that is not listed.
typedef struct LunaImportDimension {
  const char *name;
  int64_t size;
} LunaImportDimension;

/// A dimension that a model leaves open.
typedef struct LunaOpenDimension {
  const char *name;
  /// The size stored with the model, which it has unless the caller gives
  /// another; 0 if there is none.
  int64_t stored_size;
} LunaOpenDimension;

/// Dimensions that a model leaves open, each name once, in the order of the
/// inputs. `arena` holds them.
typedef struct LunaOpenDimensions {
  LunaArena *arena;
  LunaOpenDimension *items;
  uint64_t count, capacity; ///< of a vector, as luna/vector.h has it
} LunaOpenDimensions;

/// The value of an input that the caller fixes: it is not an argument of the
/// function then. `bytes` are its elements, little-endian and row-major; where
/// it is NULL all of them are `number`.
typedef struct LunaImportConstant {
  const char *name;
  const void *bytes;
  size_t byte_count;
  double number;
} LunaImportConstant;

/// How to import; zero-initialise for the defaults.
typedef struct LunaImportOptions {
  /// Name of the function; NULL: "main".
  const char *function;
  /// Name of the model's file, for ONNX locations; NULL: "model".
  const char *file_name;
  /// Folder that external data of an ONNX model may be read from; NULL refuses
  /// such data. Paths that leave the folder, or go through a link, are refused.
  const char *folder;
  /// Sizes of open dimensions. A name that the model does not have is an error.
  const LunaImportDimension *dimensions;
  size_t dimension_count;
  /// Bounds of sizes that only the running program knows, by the tensor that
  /// has them. A name that the model does not have is an error.
  const LunaImportDimension *bounds;
  size_t bound_count;
  /// Inputs with a fixed value.
  const LunaImportConstant *constants;
  size_t constant_count;
  /// Takes the dimensions that the model leaves open, also where the import
  /// fails at its operators; NULL if not wanted.
  LunaOpenDimensions *open;
} LunaImportOptions;

/// Returns the size that the options give for an open dimension, by its name or
/// by "*"; 0 for none.
int64_t luna_import_size(const LunaImportOptions *options, const char *name);

/// Imports a TensorFlow Lite model from memory.
///
/// Loads the dialects that it needs into `context`. `options` may be NULL. On
/// success `out` is a verified module that the caller destroys. Fails with
/// LUNA_ERROR_INPUT and a message that names the operator at fault; `out` is
/// null then and nothing was printed.
bool luna_import_tflite(MlirContext context, const void *bytes, size_t size,
                        const LunaImportOptions *options, MlirModule *out,
                        LunaError *error);

/// Imports an ONNX model from memory: any opset, and the domain "thinker"
/// of LUNA's own quantised models, whose operators become luna ops.
///
/// The dialects arith, func, linalg, luna, math, scf, tensor and tosa must be
/// registered with `context`, or LUNA_ERROR_SETUP says which is missing.
/// `options` may be NULL. On success `out` is a verified module that the caller
/// destroys. Fails with LUNA_ERROR_INPUT and a message that names the node at
/// fault; `out` is untouched then.
bool luna_import_onnx(MlirContext context, const void *bytes, size_t size,
                      const LunaImportOptions *options, MlirModule *out,
                      LunaError *error);

/// Returns true if the file at `path` is a TensorFlow Lite model, or its ending
/// names a format that luna_import_file reads.
bool luna_import_knows(const char *path);

/// Imports the model file at `path`, in its format. Where
/// the options leave them open, file_name and folder are those of `path`.
bool luna_import_file(MlirContext context, const char *path,
                      const LunaImportOptions *options, MlirModule *out,
                      LunaError *error);

/// Applies the options to a module that was parsed, of whose first function
/// with a body arguments may have open dimensions: named by `luna.name`, else
/// arg0, arg1 and so on. Its other shapes follow, as far as upstream infers
/// them. Constants are numbers, not bytes. Fails with LUNA_ERROR_INPUT; the
/// module is to be destroyed then.
bool luna_import_module(MlirModule module, const LunaImportOptions *options,
                        LunaError *error);

/// A model as read for some sizes, which `name` tells: "96x128".
typedef struct LunaVersion {
  const char *name;
  MlirModule module;
} LunaVersion;

/// Makes one module of `count` versions of a model and takes over theirs: the
/// first, with the functions of all, which luna-specialize makes one by their
/// attribute `luna.version`. Fails with LUNA_ERROR_INPUT if there is no
/// function.
bool luna_import_join(const LunaVersion *versions, size_t count,
                      MlirModule *out, LunaError *error);

/// Adds the table of TensorFlow Lite operators that the reader knows, as
/// Markdown: name, class (docs/shapes.md), element types, what it becomes.
void luna_import_tflite_operators(LunaText *text);

/// Adds the table of ONNX operators that the reader knows, as Markdown: name,
/// class, what it becomes, limits.
void luna_import_onnx_operators(LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_IMPORT_H
