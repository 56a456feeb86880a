#ifndef LUNA_TFLITE_MODEL_H
#define LUNA_TFLITE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"
#include "tflite_wire.h"

// The tables of a TensorFlow Lite model, as plain structs. Indices were
// checked: an operator names tensors of its subgraph only, a tensor has a
// buffer, and constant data has the size that shape and type ask for.
// Everything lies in the arena or in the file.

/// Element types, by their numbers in the file.
typedef enum LunaTfliteType {
  LUNA_TFLITE_F32 = 0,
  LUNA_TFLITE_I32 = 2,
  LUNA_TFLITE_U8 = 3,
  LUNA_TFLITE_I64 = 4,
  LUNA_TFLITE_BOOL = 6,
  LUNA_TFLITE_I16 = 7,
  LUNA_TFLITE_I8 = 9,
  LUNA_TFLITE_RESOURCE = 13,
} LunaTfliteType;

enum { LUNA_TFLITE_MAX_RANK = 6 };

/// How integers stand for real numbers: scale * (q - zero point), with one
/// scale or one per entry of dimension `axis`.
typedef struct LunaTfliteQuant {
  LunaFlatVector scales, zero_points;
  int64_t axis;
} LunaTfliteQuant;

typedef struct LunaTfliteTensor {
  const char *name;
  int type; ///< a LunaTfliteType, or the number of one not known here
  int64_t shape[LUNA_TFLITE_MAX_RANK];
  int64_t rank;
  int64_t element_count;
  /// Bit d is set if dimension d is open: `shape` holds the stored size, or
  /// that which the sizes of the inputs give.
  unsigned open;
  LunaTfliteQuant quant;
  /// The constant value, or NULL.
  const uint8_t *data;
  size_t data_bytes;
  /// Keeps its value from one inference to the next.
  bool is_variable;
} LunaTfliteTensor;

/// What stands for the code of TFLite_Detection_PostProcess.
enum { LUNA_TFLITE_DETECTION = 1000 };

typedef struct LunaTfliteOperator {
  int64_t code; ///< a builtin operator, or LUNA_TFLITE_DETECTION
  const char *custom_name;
  /// The options of a custom operator, as FlexBuffers.
  const uint8_t *custom_options;
  size_t custom_bytes;
  /// The table of options and which one it is (0: none).
  LunaFlatTable options;
  int options_type;
  const int32_t *inputs, *outputs; ///< tensors; -1 for an absent input
  int64_t input_count, output_count;
  const int32_t *intermediates;
  int64_t intermediate_count;
} LunaTfliteOperator;

typedef struct LunaTfliteGraph {
  const char *name;
  LunaTfliteTensor *tensors;
  const LunaTfliteOperator *operators;
  const int32_t *inputs, *outputs;
  int64_t tensor_count, operator_count, input_count, output_count;
} LunaTfliteGraph;

typedef struct LunaTfliteModel {
  LunaFlat flat;
  LunaTfliteGraph *graphs;
  int64_t graph_count;
} LunaTfliteModel;

/// Reads a model; its structs come from `arena`. Fails with LUNA_ERROR_INPUT.
bool luna_tflite_read(LunaTfliteModel *model, const void *bytes, size_t size,
                      LunaArena *arena, LunaError *error);

/// Sets the shape of a tensor. Returns false if a size is negative or
/// it has too many elements.
bool luna_tflite_resize(LunaTfliteTensor *tensor, int64_t rank,
                        const int64_t *shape);

/// Returns the bytes of one element, 0 for a type not known here.
unsigned luna_tflite_element_bytes(int type);
/// Returns the name of a type as TensorFlow Lite writes it, "int8".
const char *luna_tflite_type_name(int type);

#endif // LUNA_TFLITE_MODEL_H
