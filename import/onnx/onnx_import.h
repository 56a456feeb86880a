#ifndef LUNA_ONNX_IMPORT_H
#define LUNA_ONNX_IMPORT_H

// Values, nodes, the state of one import, and how they are read.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna-c/builder.h"
#include "luna-c/fold.h"
#include "luna/arena.h"
#include "luna/error.h"
#include "luna/import.h"
#include "onnx.pb-c.h"

enum {
  ONNX_MAX_RANK = 8,
  // No tensor has more elements than this: sizes stay far from overflow.
  ONNX_MAX_ELEMS = 1 << 28,
  // Lists, and sizes that numbers in the file ask for, are no longer.
  ONNX_MAX_LIST = 1 << 16,
  // The factors that one operator needs (a transform's, say) are no more.
  ONNX_MAX_MADE_ELEMS = 1 << 22,
  ONNX_MAX_DEPTH = 24,
};

/// Element types, with ONNX's numbers.
typedef enum OnnxType {
  ONNX_UNDEFINED = 0,
  ONNX_F32 = 1,
  ONNX_U8 = 2,
  ONNX_I8 = 3,
  ONNX_U16 = 4,
  ONNX_I16 = 5,
  ONNX_I32 = 6,
  ONNX_I64 = 7,
  ONNX_STRING = 8,
  ONNX_BOOL = 9,
  ONNX_F16 = 10,
  ONNX_F64 = 11,
  ONNX_U32 = 12,
  ONNX_U64 = 13,
  // Known by name alone.
  ONNX_C64 = 14,
  ONNX_C128 = 15,
  ONNX_BF16 = 16,
  ONNX_F8_E4M3FN = 17,
  ONNX_F8_E4M3FNUZ = 18,
  ONNX_F8_E5M2 = 19,
  ONNX_F8_E5M2FNUZ = 20,
  ONNX_U4 = 21,
  ONNX_I4 = 22,
  ONNX_F4_E2M1 = 23,
  ONNX_F8_E8M0 = 24,
  ONNX_U2 = 25,
  ONNX_I2 = 26,
} OnnxType;

/// One tensor of the model. It is a constant (`data`), or an SSA value in one
/// or both of two layouts: `ir` as the model has it, `last` with the channels
/// (dimension 1) moved to the end. The missing one is made when asked for.
typedef struct OnnxValue {
  OnnxType type;
  LunaShape shape;
  /// Elements, little-endian, bool as one byte; NULL unless they are known:
  /// from the file, or because somebody had them evaluated.
  const uint8_t *data;
  MlirValue ir, last;
  /// The block that `ir` and `last` were made in.
  MlirBlock block;
  /// A one-element integer known to be `symbol` plus `symbol_offset`, where
  /// `symbol` stands for an unknown; NULL for none.
  const void *symbol;
  int64_t symbol_offset;
  /// For what a luna op made: that op, its shift and clamp.
  MlirOperation unit;
  bool has_requant;
  int shift;
  int64_t low, high;
} OnnxValue;

typedef struct OnnxScope OnnxScope;

/// The state of one import.
typedef struct OnnxImport {
  LunaBuilder *b;
  LunaArena *arena;
  LunaError *error;
  const LunaImportOptions *options;
  /// The operators, where earlier tables win.
  const struct OnnxDomain *domains;
  size_t domain_count;
  const Onnx__ModelProto *model;
  int64_t opset;
  OnnxScope *scope;
  /// The node being read, for messages; NULL outside nodes.
  const Onnx__NodeProto *node;
  int depth;
  /// Bytes of constants made by the reader, and how many a file may ask for.
  int64_t made_bytes, made_limit;
  /// Knows what IR on constants gives.
  LunaFold *fold;
} OnnxImport;

/// A node with its inputs looked up (NULL where left out).
typedef struct OnnxNode {
  const Onnx__NodeProto *proto;
  const struct OnnxOp *op;
  OnnxValue **inputs;
  int input_count, output_count;
  /// Filled by the handler, one per output.
  OnnxValue **outputs;
} OnnxNode;

//===----------------------------------------------------------------------===//
// onnx_node.c: errors, attributes
//===----------------------------------------------------------------------===//

/// Records the first error, naming the current node, and gives false.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool onnx_fail(OnnxImport *c, const char *format, ...);

/// Attributes of a node; absent or of another kind reads as `absent`.
const Onnx__AttributeProto *onnx_attr(const OnnxNode *n, const char *name);
int64_t onnx_attr_int(const OnnxNode *n, const char *name, int64_t absent);
double onnx_attr_float(const OnnxNode *n, const char *name, double absent);
/// Says whether the string attribute is `text`; `absent` stands in for it.
bool onnx_attr_is(const OnnxNode *n, const char *name, const char *absent,
                  const char *text);
/// Reads a list of integers: gives its length (at most `max`), -1 if absent;
/// too long a list is an error and gives -2.
int onnx_attr_ints(OnnxImport *c, const OnnxNode *n, const char *name,
                   int64_t *list, int max);

/// Finds an operator in the tables of a domain, or gives NULL.
const struct OnnxOp *onnx_find_op(const OnnxImport *c, const char *domain,
                                  const char *name);

//===----------------------------------------------------------------------===//
// onnx_model.c: decoding and constants of the file
//===----------------------------------------------------------------------===//

/// Decodes a model after checking its nesting; NULL after an error.
Onnx__ModelProto *onnx_decode(OnnxImport *c, const void *bytes,
                              size_t byte_count);
void onnx_model_free(Onnx__ModelProto *model);
/// Reads a tensor of the model: checks its sizes and gives a constant.
OnnxValue *onnx_read_tensor(OnnxImport *c, const Onnx__TensorProto *tensor);
/// Reads the type of a value: element type and shape. Dimensions that are open
/// come from the options; `*known` says whether all of them were.
bool onnx_read_type(OnnxImport *c, const Onnx__ValueInfoProto *info,
                    OnnxType *type, LunaShape *shape, bool *known);
/// The shape that the main graph declares for the value `name`; `*known` says
/// whether it declares one without open dimensions.
bool onnx_declared_shape(OnnxImport *c, const char *name, LunaShape *shape,
                         bool *known);

//===----------------------------------------------------------------------===//
// onnx_scope.c: names
//===----------------------------------------------------------------------===//

/// Makes a scope for the names of `graph`, in the current one; leaves it.
void onnx_open_scope(OnnxImport *c, const Onnx__GraphProto *graph);
void onnx_close_scope(OnnxImport *c);
/// Values of a graph by name; inner graphs see the outer ones.
OnnxValue *onnx_lookup(OnnxImport *c, const char *name);
bool onnx_define(OnnxImport *c, const char *name, OnnxValue *value);
/// How often the graph that defines `name` uses it, its subgraphs included.
int onnx_use_count(OnnxImport *c, const char *name);
/// Gives the value of `name`, or NULL (and no error) where none is known yet.
OnnxValue *onnx_find_value(OnnxImport *c, const char *name);

//===----------------------------------------------------------------------===//
// onnx_type.c: element types and shapes
//===----------------------------------------------------------------------===//

const char *onnx_type_name(OnnxType type);
/// Bytes of an element, 0 where the type is not supported.
int onnx_type_bytes(OnnxType type);
bool onnx_is_float(OnnxType type);
bool onnx_is_unsigned(OnnxType type);
bool onnx_is_int(OnnxType type);
/// Lowest and highest value of an integer type of at most 32 bits.
void onnx_int_range(OnnxType type, int64_t *low, int64_t *high);
MlirType onnx_element_type(OnnxImport *c, OnnxType type);
MlirType onnx_tensor_type(OnnxImport *c, OnnxType type, const LunaShape *shape);
int64_t onnx_elems(const LunaShape *shape);
/// False, with an error, for no or too many elements or too high a rank.
bool onnx_check_shape(OnnxImport *c, const LunaShape *shape);
bool onnx_same_shape(const LunaShape *a, const LunaShape *b);
LunaShape onnx_shape(int rank, const int64_t *dims);
/// Gives the shape with dimension 1 moved to the end (rank 3 and up).
LunaShape onnx_shape_last(const LunaShape *shape);
/// Turns a possibly negative axis into 0..rank-1, or fails.
bool onnx_axis(OnnxImport *c, int64_t axis, int rank, int *out);

//===----------------------------------------------------------------------===//
// onnx_data.c: values that are constants
//===----------------------------------------------------------------------===//

/// Makes values.
OnnxValue *onnx_new_value(OnnxImport *c, OnnxType type, const LunaShape *shape);
OnnxValue *onnx_new_const(OnnxImport *c, OnnxType type, const LunaShape *shape,
                          const void *data);
/// A list without elements, which is always known; NULL for another shape.
OnnxValue *onnx_no_elements(OnnxImport *c, OnnxType type,
                            const LunaShape *shape);
OnnxValue *onnx_new_ints(OnnxImport *c, const int64_t *values, int count);

/// Zeroed memory for the elements of a constant that is computed at import.
/// What all nodes make is limited: the next node of a file that asks for more
/// is refused.
void *onnx_new_data(OnnxImport *c, int64_t count, int element_bytes);
/// False, with an error, where a node needs too large a constant at once.
bool onnx_check_made(OnnxImport *c, int64_t count);
/// Elements of constants as integers or floating-point numbers.
int64_t onnx_int_at(const OnnxValue *value, int64_t index);
double onnx_float_at(const OnnxValue *value, int64_t index);
void onnx_set_int(OnnxType type, uint8_t *data, int64_t index, int64_t value);
void onnx_set_float(OnnxType type, uint8_t *data, int64_t index, double value);
/// The constant transposed.
OnnxValue *onnx_fold_transpose(OnnxImport *c, const OnnxValue *value,
                               const int *perm);
/// Steps through a shape in row-major order; false after the last index.
bool onnx_next_index(const LunaShape *shape, int64_t *index);

//===----------------------------------------------------------------------===//
// onnx_value.c: values in their layouts, inputs of nodes
//===----------------------------------------------------------------------===//

OnnxValue *onnx_from_ir(OnnxImport *c, OnnxType type, const LunaShape *shape,
                        MlirValue ir);
/// Takes a value whose IR is channels last; `shape` is the model's.
OnnxValue *onnx_from_last(OnnxImport *c, OnnxType type, const LunaShape *shape,
                          MlirValue last);

/// Gives the SSA value in the model's layout, or channels last.
MlirValue onnx_ir(OnnxImport *c, OnnxValue *value);
MlirValue onnx_ir_last(OnnxImport *c, OnnxValue *value);
/// Says whether channels last is the layout the value is at hand in.
bool onnx_prefers_last(const OnnxValue *value);

/// Returns true if the value depends on constants alone.
bool onnx_is_constant(const OnnxImport *c, const OnnxValue *value);
/// Computes the elements of a constant, so that it has `data`; false, without
/// an error, where they cannot be known.
bool onnx_evaluate(OnnxImport *c, OnnxValue *value);
/// The same for a value of one element.
bool onnx_evaluate_one(OnnxImport *c, OnnxValue *value);

/// Reads a constant list of integers from input `index`: gives its length, -1
/// where the input is absent, -2 after an error.
int onnx_input_ints(OnnxImport *c, const OnnxNode *n, int index, int64_t *list,
                    int max);
/// Reads axes or the like from an input (where there is one) or an attribute.
int onnx_ints(OnnxImport *c, const OnnxNode *n, int input, const char *name,
              int64_t *list, int max);
/// Reads one constant number from input `index`.
bool onnx_input_float(OnnxImport *c, const OnnxNode *n, int index,
                      double absent, double *value);
/// Gives input `index`, or NULL where it is absent.
OnnxValue *onnx_input(const OnnxNode *n, int index);

#endif // LUNA_ONNX_IMPORT_H
