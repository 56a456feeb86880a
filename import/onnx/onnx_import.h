#ifndef LUNA_ONNX_IMPORT_H
#define LUNA_ONNX_IMPORT_H

// Values, nodes, the state of one import, and how they are read.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna-c/bounded_sizes.h"
#include "luna-c/builder.h"
#include "luna-c/fold.h"
#include "luna/arena.h"
#include "luna/error.h"
#include "luna/import.h"
#include "luna/vector.h"
#include "onnx.pb-c.h"

enum {
  LUNA_ONNX_MAX_RANK = 12,
  // No tensor has more elements than this: sizes stay far from overflow.
  LUNA_ONNX_MAX_ELEMS = 1 << 28,
  // Lists, and sizes that numbers in the file ask for, are no longer.
  LUNA_ONNX_MAX_LIST = 1 << 16,
  // The factors that one operator needs (a transform's, say) are no more.
  LUNA_ONNX_MAX_MADE_ELEMS = 1 << 22,
  LUNA_ONNX_MAX_DEPTH = 256,
};

/// Element types, with ONNX's numbers.
typedef enum LunaOnnxType {
  LUNA_ONNX_UNDEFINED = 0,
  LUNA_ONNX_F32 = 1,
  LUNA_ONNX_U8 = 2,
  LUNA_ONNX_I8 = 3,
  LUNA_ONNX_U16 = 4,
  LUNA_ONNX_I16 = 5,
  LUNA_ONNX_I32 = 6,
  LUNA_ONNX_I64 = 7,
  LUNA_ONNX_STRING = 8,
  LUNA_ONNX_BOOL = 9,
  LUNA_ONNX_F16 = 10,
  LUNA_ONNX_F64 = 11,
  LUNA_ONNX_U32 = 12,
  LUNA_ONNX_U64 = 13,
  // Known by name alone.
  LUNA_ONNX_C64 = 14,
  LUNA_ONNX_C128 = 15,
  LUNA_ONNX_BF16 = 16,
  LUNA_ONNX_F8_E4M3FN = 17,
  LUNA_ONNX_F8_E4M3FNUZ = 18,
  LUNA_ONNX_F8_E5M2 = 19,
  LUNA_ONNX_F8_E5M2FNUZ = 20,
  LUNA_ONNX_U4 = 21,
  LUNA_ONNX_I4 = 22,
  LUNA_ONNX_F4_E2M1 = 23,
  LUNA_ONNX_F8_E8M0 = 24,
  LUNA_ONNX_U2 = 25,
  LUNA_ONNX_I2 = 26,
} LunaOnnxType;

/// A size that its bound may not hold: the program says it beside its outputs.
typedef struct LunaOnnxReported {
  const char *name;
  MlirValue count;
} LunaOnnxReported;

/// One tensor of the model. It is a constant (`data`), or an SSA value in one
/// or both of two layouts: `ir` as the model has it, `last` with the channels
/// (dimension 1) moved to the end. The missing one is built on demand.
typedef struct LunaOnnxValue {
  LunaOnnxType type;
  /// float16 or bfloat16 where the model stores it so: `type` is float, in which
  /// it is computed.
  LunaOnnxType stored;
  LunaShape shape;
  /// Elements, little-endian, bool as one byte; NULL unless they are known:
  /// from the file, or evaluated.
  const uint8_t *data;
  MlirValue ir, last;
  /// The block that `ir` and `last` were built in.
  MlirBlock block;
  /// A one-element integer known to be `symbol` plus `symbol_offset`, where
  /// `symbol` stands for an unknown; NULL for none.
  const void *symbol;
  int64_t symbol_offset;
  /// NULL where the shape says all (onnx_valid.h).
  const LunaValidLength *valid;
} LunaOnnxValue;

typedef struct LunaOnnxScope LunaOnnxScope;
typedef struct LunaOnnxCall LunaOnnxCall;

/// The state of one import.
typedef struct LunaOnnxImport {
  LunaBuilder *b;
  LunaArena *arena;
  LunaError *error;
  const LunaImportOptions *options;
  /// The operators, where earlier tables win.
  const struct LunaOnnxDomain *domains;
  size_t domain_count;
  const Onnx__ModelProto *model;
  int64_t opset;
  LunaOnnxScope *scope;
  /// The node being read, for messages; NULL outside nodes.
  const Onnx__NodeProto *node;
  int depth;
  /// The innermost call of a function of the model's own; how many nodes all
  /// calls have.
  LunaOnnxCall *call;
  uint64_t called_nodes;
  /// Bytes of constants that the reader computed, and how many a file may need.
  int64_t made_bytes, made_limit;
  /// Evaluates IR on constants.
  LunaFold *fold;
  /// The tensors whose sizes are known while running only.
  LunaValidLengths lengths;
  LUNA_VECTOR(const char *) bounded;
  LUNA_VECTOR(LunaOnnxReported) reported;
  /// The op behind which the node being read has valid lengths to follow, and
  /// its block; null where it has none.
  MlirOperation followed;
  MlirBlock followed_block;
  const struct LunaOnnxNode *followed_node;
  /// Bodies that were read again; `fold` knows their values.
  LUNA_VECTOR(MlirBlock) abandoned;
} LunaOnnxImport;

/// A node with its inputs looked up (NULL where left out).
typedef struct LunaOnnxNode {
  const Onnx__NodeProto *proto;
  const struct LunaOnnxOp *op;
  LunaOnnxValue **inputs;
  int input_count, output_count;
  /// Filled by the handler, one per output.
  LunaOnnxValue **outputs;
} LunaOnnxNode;

//===----------------------------------------------------------------------===//
// onnx_node.c: errors, attributes
//===----------------------------------------------------------------------===//

/// Records the first error, naming the current node, and returns false.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool luna_onnx_fail(LunaOnnxImport *c, const char *format, ...);

/// Returns the name of a node, or else that of its first output.
const char *luna_onnx_node_name(const Onnx__NodeProto *node);
/// Returns an attribute of a node; absent or of another kind reads as `absent`.
const Onnx__AttributeProto *luna_onnx_attr(const LunaOnnxNode *n,
                                           const char *name);
int64_t luna_onnx_attr_int(const LunaOnnxNode *n, const char *name,
                           int64_t absent);
double luna_onnx_attr_float(const LunaOnnxNode *n, const char *name,
                            double absent);
/// Returns true if the string attribute, `absent` by default, is `text`.
bool luna_onnx_attr_is(const LunaOnnxNode *n, const char *name,
                       const char *absent, const char *text);
/// Reads a list of integers and returns its length, at most `max`; -1 if
/// absent, -2 after an error (too long a list).
int luna_onnx_attr_ints(LunaOnnxImport *c, const LunaOnnxNode *n,
                        const char *name, int64_t *list, int max);

/// Returns the row of an operator in the tables of a domain, or NULL.
const struct LunaOnnxOp *luna_onnx_find_op(const LunaOnnxImport *c,
                                           const char *domain,
                                           const char *name);

//===----------------------------------------------------------------------===//
// onnx_model.c: decoding and constants of the file
//===----------------------------------------------------------------------===//

/// Decodes a model after checking its nesting; NULL after an error.
Onnx__ModelProto *luna_onnx_decode(LunaOnnxImport *c, const void *bytes,
                                   size_t byte_count);
void luna_onnx_model_free(Onnx__ModelProto *model);
/// Reads a tensor of the model as a constant; NULL after an error.
LunaOnnxValue *luna_onnx_read_tensor(LunaOnnxImport *c,
                                     const Onnx__TensorProto *tensor);
/// Adds the dimensions that a value leaves open.
void luna_onnx_list_open(LunaOnnxImport *c, const Onnx__ValueInfoProto *info,
                         LunaOpenDimensions *list);
/// Reads the element type and the shape of a value; false after an error. Open
/// dimensions come from the options; `*known` is true if all of them did.
bool luna_onnx_read_type(LunaOnnxImport *c, const Onnx__ValueInfoProto *info,
                         LunaOnnxType *type, LunaShape *shape, bool *known);
/// Reads the shape that the main graph declares for the value `name`; `*known`
/// is true if it declares one without open dimensions. False after an error.
bool luna_onnx_declared_shape(LunaOnnxImport *c, const char *name,
                              LunaShape *shape, bool *known);

//===----------------------------------------------------------------------===//
// onnx_scope.c: names
//===----------------------------------------------------------------------===//

/// Destroys a block that is in no op, after all that were abandoned and may use
/// its values; or those alone.
void luna_onnx_destroy_block(LunaOnnxImport *c, MlirBlock block);
void luna_onnx_destroy_abandoned(LunaOnnxImport *c);

/// Opens the scope of a graph in the current one; closes it.
void luna_onnx_open_scope(LunaOnnxImport *c);
void luna_onnx_close_scope(LunaOnnxImport *c);
/// Returns the value of `name`, which inner graphs see of outer ones, or NULL
/// where none is known yet: after an error, or without.
LunaOnnxValue *luna_onnx_lookup(LunaOnnxImport *c, const char *name);
LunaOnnxValue *luna_onnx_find_value(const LunaOnnxImport *c, const char *name);
/// Defines `name` in the current scope; false after an error, where it is
/// defined already.
bool luna_onnx_define(LunaOnnxImport *c, const char *name,
                      LunaOnnxValue *value);

//===----------------------------------------------------------------------===//
// onnx_type.c: element types and shapes
//===----------------------------------------------------------------------===//

const char *luna_onnx_type_name(LunaOnnxType type);
/// Returns the size of an element in bytes, 0 for a type that is not supported.
int luna_onnx_type_bytes(LunaOnnxType type);
bool luna_onnx_is_float(LunaOnnxType type);
/// Returns true for the floats of 16 bits, and the type in which numbers of a
/// type are computed: float for those, else itself.
bool luna_onnx_is_half(LunaOnnxType type);
LunaOnnxType luna_onnx_computed(LunaOnnxType type);
bool luna_onnx_is_unsigned(LunaOnnxType type);
bool luna_onnx_is_int(LunaOnnxType type);
/// Writes the lowest and highest value of an integer type of at most 32 bits.
void luna_onnx_int_range(LunaOnnxType type, int64_t *low, int64_t *high);
MlirType luna_onnx_element_type(LunaOnnxImport *c, LunaOnnxType type);
MlirType luna_onnx_tensor_type(LunaOnnxImport *c, LunaOnnxType type,
                               const LunaShape *shape);
int64_t luna_onnx_elems(const LunaShape *shape);
/// Checks that there are elements, not too many, and that the rank is
/// supported.
bool luna_onnx_check_shape(LunaOnnxImport *c, const LunaShape *shape);
bool luna_onnx_same_shape(const LunaShape *a, const LunaShape *b);
LunaShape luna_onnx_shape(int rank, const int64_t *dims);
/// Returns the shape with dimension 1 moved to the end (rank 3 and up).
LunaShape luna_onnx_shape_last(const LunaShape *shape);
/// Returns where dimension `axis` is then.
int luna_onnx_axis_last(int axis, int rank);
/// Reads a possibly negative axis as one of 0..rank-1; false after an error.
bool luna_onnx_axis(LunaOnnxImport *c, int64_t axis, int rank, int *out);

//===----------------------------------------------------------------------===//
// onnx_data.c: values that are constants
//===----------------------------------------------------------------------===//

/// Returns a new value, or a new constant, whose elements it borrows.
LunaOnnxValue *luna_onnx_new_value(LunaOnnxImport *c, LunaOnnxType type,
                                   const LunaShape *shape);
LunaOnnxValue *luna_onnx_new_const(LunaOnnxImport *c, LunaOnnxType type,
                                   const LunaShape *shape, const void *data);
/// Returns a constant of elements as a model stores them: of 16 bits, too.
LunaOnnxValue *luna_onnx_stored_const(LunaOnnxImport *c, LunaOnnxType stored,
                                      const LunaShape *shape, const void *data);
/// Returns a tensor without elements, which is always known; NULL for a shape
/// that has some.
LunaOnnxValue *luna_onnx_no_elements(LunaOnnxImport *c, LunaOnnxType type,
                                     const LunaShape *shape);
LunaOnnxValue *luna_onnx_new_ints(LunaOnnxImport *c, const int64_t *values,
                                  int count);

/// Returns zeroed memory for the elements of a constant that is computed at
/// import. All of it together is limited: the node after the one that exceeds
/// the limit is refused.
void *luna_onnx_new_data(LunaOnnxImport *c, int64_t count, int element_bytes);
/// Checks that a constant of `count` elements is not too large to compute.
bool luna_onnx_check_made(LunaOnnxImport *c, int64_t count);
/// Returns or sets an element of a constant as an integer or a floating-point
/// number.
int64_t luna_onnx_int_at(const LunaOnnxValue *value, int64_t index);
double luna_onnx_float_at(const LunaOnnxValue *value, int64_t index);
void luna_onnx_set_int(LunaOnnxType type, uint8_t *data, int64_t index,
                       int64_t value);
void luna_onnx_set_float(LunaOnnxType type, uint8_t *data, int64_t index,
                         double value);
/// Steps through a shape in row-major order; false after the last index.
bool luna_onnx_next_index(const LunaShape *shape, int64_t *index);

//===----------------------------------------------------------------------===//
// onnx_value.c: values in their layouts, inputs of nodes
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_onnx_from_ir(LunaOnnxImport *c, LunaOnnxType type,
                                 const LunaShape *shape, MlirValue ir);
/// Returns a new value whose IR is channels last; `shape` is the model's.
LunaOnnxValue *luna_onnx_from_last(LunaOnnxImport *c, LunaOnnxType type,
                                   const LunaShape *shape, MlirValue last);

/// Returns the SSA value in the model's layout, or channels last.
MlirValue luna_onnx_ir(LunaOnnxImport *c, LunaOnnxValue *value);
MlirValue luna_onnx_ir_last(LunaOnnxImport *c, LunaOnnxValue *value);
/// Returns true if the value's current layout is channels last alone.
bool luna_onnx_prefers_last(const LunaOnnxValue *value);

/// Returns true if the value depends on constants alone.
bool luna_onnx_is_constant(const LunaOnnxImport *c, const LunaOnnxValue *value);
/// Evaluates a constant, so that it has `data`; false, without an error, where
/// its elements are not known.
bool luna_onnx_evaluate(LunaOnnxImport *c, LunaOnnxValue *value);
/// The same for a value of one element.
bool luna_onnx_evaluate_one(LunaOnnxImport *c, LunaOnnxValue *value);

/// Reads a constant list of integers from input `index` and returns its length;
/// -1 if the input is absent, -2 after an error.
int luna_onnx_input_ints(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                         int64_t *list, int max);
/// Reads axes or the like from an input (where there is one) or an attribute.
int luna_onnx_ints(LunaOnnxImport *c, const LunaOnnxNode *n, int input,
                   const char *name, int64_t *list, int max);
/// Reads one constant number from input `index`; false after an error.
bool luna_onnx_input_float(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                           double absent, double *value);
/// Returns input `index`, or NULL where it is absent.
LunaOnnxValue *luna_onnx_input(const LunaOnnxNode *n, int index);

#endif // LUNA_ONNX_IMPORT_H
