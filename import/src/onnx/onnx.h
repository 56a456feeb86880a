#ifndef LUNA_ONNX_H
#define LUNA_ONNX_H

// What the files of the ONNX reader share: values, nodes, the state of one
// import, and the builders of IR. Functions here start with onnx_; everything
// that can fail gives false (or a null value) after onnx_fail.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/import.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"
#include "onnx.pb-c.h"
#include "time_loop.h"

enum {
  ONNX_MAX_RANK = 8,
  // No tensor has more elements than this: sizes stay far from overflow.
  ONNX_MAX_ELEMS = 1 << 28,
  // Constants folded at import are no larger than this.
  ONNX_MAX_FOLD_ELEMS = 1 << 16,
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
} OnnxType;

typedef struct OnnxShape {
  int rank;
  int64_t dims[ONNX_MAX_RANK];
} OnnxShape;

/// One tensor of the model. It is a constant (`data`), or an SSA value in one
/// or both of two layouts: `ir` as the model has it, `last` with the channels
/// (dimension 1) moved to the end. The missing one is made when asked for.
typedef struct OnnxValue {
  OnnxType type;
  OnnxShape shape;
  /// Elements, little-endian, bool as one byte; NULL unless constant.
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
  /// For a float value that stands for integers: those (onnx_qdq.h). Its IR is
  /// made when asked for.
  const struct OnnxQuant *quant;
  /// For a uint8 value: an int8 one that is 128 less, where that is at hand.
  /// The IR is made from it when asked for.
  struct OnnxValue *biased;
} OnnxValue;

typedef struct OnnxScope OnnxScope;

/// The state of one import.
typedef struct OnnxImport {
  MlirContext context;
  LunaArena *arena;
  LunaError *error;
  const LunaImportOptions *options;
  const Onnx__ModelProto *model;
  int64_t opset;
  OnnxScope *scope;
  /// Where ops are appended, and the location they get.
  MlirBlock block;
  MlirLocation location;
  /// The node being read, for messages; NULL outside nodes.
  const Onnx__NodeProto *node;
  int depth;
  /// Bytes of constants computed at import, and how many a file may ask for.
  int64_t made_bytes, made_limit;
  /// Spent on exact sums and products so far.
  int64_t search_work;
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

typedef bool (*OnnxHandler)(OnnxImport *c, OnnxNode *n);

/// A line of the operator table: feeds dispatch, checks and docs.
typedef struct OnnxOp {
  const char *name;
  OnnxHandler handler;
  int min_inputs, max_inputs;
  /// What the handler needs to know, e.g. its scalar function.
  const void *detail;
  /// Becomes what, for the docs.
  const char *becomes;
  /// Limits, for the docs; NULL for none.
  const char *limits;
} OnnxOp;

//===----------------------------------------------------------------------===//
// onnx_table.c
//===----------------------------------------------------------------------===//

/// Finds an operator, or gives NULL.
const OnnxOp *onnx_find_op(const char *domain, const char *name);

//===----------------------------------------------------------------------===//
// onnx.c: errors and attributes
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
                    OnnxType *type, OnnxShape *shape, bool *known);
/// The shape that the main graph declares for the value `name`; `*known` says
/// whether it declares one without open dimensions.
bool onnx_declared_shape(OnnxImport *c, const char *name, OnnxShape *shape,
                         bool *known);

//===----------------------------------------------------------------------===//
// onnx_graph.c
//===----------------------------------------------------------------------===//

/// Values of a graph by name; inner graphs see the outer ones.
OnnxValue *onnx_lookup(OnnxImport *c, const char *name);
bool onnx_define(OnnxImport *c, const char *name, OnnxValue *value);
/// How often the graph that defines `name` uses it, its subgraphs included.
int onnx_use_count(OnnxImport *c, const char *name);
/// Gives the value of `name`, or NULL (and no error) where none is known yet.
OnnxValue *onnx_find_value(OnnxImport *c, const char *name);
/// Gives the node of the current graph that alone uses `name`, or NULL.
const Onnx__NodeProto *onnx_sole_user(OnnxImport *c, const char *name);

/// Reads the nodes of a nested graph into the current block: binds `inputs`
/// to its inputs (as many as it has), gives its outputs.
bool onnx_read_subgraph(OnnxImport *c, const Onnx__GraphProto *graph,
                        OnnxValue **inputs, size_t input_count,
                        OnnxValue **outputs, size_t output_count);

//===----------------------------------------------------------------------===//
// onnx_value.c: types, shapes, values in their layouts
//===----------------------------------------------------------------------===//

const char *onnx_type_name(OnnxType type);
/// Bytes of an element, 0 where the type is not supported.
int onnx_type_bytes(OnnxType type);
bool onnx_is_float(OnnxType type);
bool onnx_is_unsigned(OnnxType type);
bool onnx_is_int(OnnxType type);
MlirType onnx_element_type(OnnxImport *c, OnnxType type);
MlirType onnx_tensor_type(OnnxImport *c, OnnxType type, const OnnxShape *shape);
int64_t onnx_elems(const OnnxShape *shape);
/// False, with an error, for no or too many elements or too high a rank.
bool onnx_check_shape(OnnxImport *c, const OnnxShape *shape);
bool onnx_same_shape(const OnnxShape *a, const OnnxShape *b);
OnnxShape onnx_shape(int rank, const int64_t *dims);
/// Gives the shape with dimension 1 moved to the end (rank 3 and up).
OnnxShape onnx_shape_last(const OnnxShape *shape);
/// Numpy's broadcasting; false (without an error) where it does not fit.
bool onnx_broadcast(const OnnxShape *a, const OnnxShape *b, OnnxShape *out);
/// Turns a possibly negative axis into 0..rank-1, or fails.
bool onnx_axis(OnnxImport *c, int64_t axis, int rank, int *out);

/// Makes values.
OnnxValue *onnx_new_value(OnnxImport *c, OnnxType type, const OnnxShape *shape);
OnnxValue *onnx_new_const(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                          const void *data);
OnnxValue *onnx_new_ints(OnnxImport *c, const int64_t *values, int count);

/// Zeroed memory for the elements of a constant that is computed at import.
/// What all nodes make is limited: the next node of a file that asks for more
/// is refused.
void *onnx_new_data(OnnxImport *c, int64_t count, int element_bytes);
/// False, with an error, where a node needs too large a constant at once.
bool onnx_check_made(OnnxImport *c, int64_t count);
OnnxValue *onnx_from_ir(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                        MlirValue ir);
/// Takes a value whose IR is channels last; `shape` is the model's.
OnnxValue *onnx_from_last(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                          MlirValue last);

/// Gives the SSA value in the model's layout, or channels last.
MlirValue onnx_ir(OnnxImport *c, OnnxValue *value);
MlirValue onnx_ir_last(OnnxImport *c, OnnxValue *value);
/// Says whether channels last is the layout the value is at hand in.
bool onnx_prefers_last(const OnnxValue *value);

/// Elements of constants as integers or floating-point numbers.
int64_t onnx_int_at(const OnnxValue *value, int64_t index);
double onnx_float_at(const OnnxValue *value, int64_t index);
void onnx_set_int(OnnxType type, uint8_t *data, int64_t index, int64_t value);
void onnx_set_float(OnnxType type, uint8_t *data, int64_t index, double value);
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

//===----------------------------------------------------------------------===//
// onnx_fold.c: computing constants at import
//===----------------------------------------------------------------------===//

/// Computes the node's outputs if all it needs is constant and small enough.
/// False after an error; `*done` says whether it was computed.
bool onnx_fold(OnnxImport *c, OnnxNode *n, bool *done);
OnnxValue *onnx_fold_transpose(OnnxImport *c, const OnnxValue *value,
                               const int *perm);
/// Steps through a shape in row-major order; false after the last index.
bool onnx_next_index(const OnnxShape *shape, int64_t *index);
/// Gives the element of `shape` that broadcasts to `index` of rank `rank`.
int64_t onnx_broadcast_offset(const OnnxShape *shape, int rank,
                              const int64_t *index);

//===----------------------------------------------------------------------===//
// onnx_build.c: ops
//===----------------------------------------------------------------------===//

typedef struct OnnxAttr {
  const char *name;
  MlirAttribute value;
} OnnxAttr;

/// Appends an op with one result of `type`; gives the result.
MlirValue onnx_emit(OnnxImport *c, const char *name, MlirType type,
                    const MlirValue *operands, int operand_count,
                    const OnnxAttr *attrs, int attr_count);
/// Appends an op with any number of results and regions.
MlirOperation onnx_emit_op(OnnxImport *c, const char *name,
                           const MlirType *types, int type_count,
                           const MlirValue *operands, int operand_count,
                           const OnnxAttr *attrs, int attr_count,
                           MlirRegion *regions, int region_count);
MlirAttribute onnx_i64_attr(OnnxImport *c, int64_t value);
MlirAttribute onnx_i32_attr(OnnxImport *c, int64_t value);
MlirAttribute onnx_i64s_attr(OnnxImport *c, const int64_t *values, int count);
MlirAttribute onnx_parse_attr(OnnxImport *c, const char *text);
MlirType onnx_index_type(OnnxImport *c);

/// A constant tensor, all elements or one for all.
MlirValue onnx_const(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                     const void *data);
MlirValue onnx_splat(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                     double value);
MlirValue onnx_empty(OnnxImport *c, OnnxType type, const OnnxShape *shape);
MlirValue onnx_const_shape(OnnxImport *c, const int64_t *values, int count);
MlirValue onnx_reshape(OnnxImport *c, MlirValue value, OnnxType type,
                       const OnnxShape *shape);
MlirValue onnx_transpose(OnnxImport *c, MlirValue value, OnnxType type,
                         const OnnxShape *from, const int *perm, OnnxShape *to);
/// A slice with positive steps.
MlirValue onnx_slice(OnnxImport *c, MlirValue value, OnnxType type,
                     const OnnxShape *sizes, const int64_t *starts,
                     const int64_t *steps);
MlirValue onnx_concat(OnnxImport *c, const MlirValue *values, int count,
                      OnnxType type, const OnnxShape *shape, int axis);
/// Pads with a constant, low and high per dimension.
MlirValue onnx_pad(OnnxImport *c, MlirValue value, OnnxType type,
                   const OnnxShape *shape, const int64_t *low,
                   const int64_t *high, double fill);
/// The one element of a tensor, as a scalar.
MlirValue onnx_extract(OnnxImport *c, MlirValue tensor, int rank);
/// A scalar as a tensor of one element.
MlirValue onnx_from_scalar(OnnxImport *c, MlirValue scalar,
                           const OnnxShape *shape, OnnxType type);

/// A linalg.generic in the making. The loops are those of `loops`, which
/// reduce where `reduces` says so. Operands that are inputs read through
/// `maps`; the result starts as `init`.
typedef struct OnnxLoop {
  int loop_count;
  bool reduces[2 * ONNX_MAX_RANK];
  int input_count;
  MlirValue inputs[6];
  MlirAffineMap maps[6];
  int result_count;
  MlirValue inits[2];
  MlirAffineMap init_maps[2];
  /// Filled by onnx_loop_begin.
  MlirBlock body, outer;
  MlirValue args[8];
} OnnxLoop;

/// Opens the body: what is emitted until onnx_loop_end goes there. args holds
/// the elements of the inputs, then those of the results.
void onnx_loop_begin(OnnxImport *c, OnnxLoop *loop);
/// Closes it with the values yielded; gives the op.
MlirOperation onnx_loop_end(OnnxImport *c, OnnxLoop *loop,
                            const MlirValue *yields);
MlirAffineMap onnx_identity_map(OnnxImport *c, int rank);
/// The map of an operand of shape `from` that broadcasts to `to`.
MlirAffineMap onnx_broadcast_map(OnnxImport *c, const OnnxShape *from,
                                 const OnnxShape *to);
/// The map (d0, …) -> (d[list[0]], …).
MlirAffineMap onnx_select_map(OnnxImport *c, int loop_count, const int *list,
                              int count);

/// Makes a tensor element by element: `element` gets the indices (of type
/// index, in the result's order) and gives the element.
typedef MlirValue (*OnnxElement)(OnnxImport *c, const MlirValue *index,
                                 void *data);
MlirValue onnx_generate(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                        OnnxElement element, void *data);

//===----------------------------------------------------------------------===//
// onnx_scalar.c: scalar ops in bodies
//===----------------------------------------------------------------------===//

MlirValue onnx_s1(OnnxImport *c, const char *name, MlirValue a);
MlirValue onnx_s2(OnnxImport *c, const char *name, MlirValue a, MlirValue b);
MlirValue onnx_lit(OnnxImport *c, OnnxType type, double value);
MlirValue onnx_lit_int(OnnxImport *c, OnnxType type, int64_t value);
MlirValue onnx_lit_index(OnnxImport *c, int64_t value);
MlirValue onnx_select(OnnxImport *c, MlirValue condition, MlirValue a,
                      MlirValue b);
typedef enum OnnxCompare {
  ONNX_EQ,
  ONNX_NE,
  ONNX_LT,
  ONNX_LE,
  ONNX_GT,
  ONNX_GE,
} OnnxCompare;
MlirValue onnx_compare(OnnxImport *c, OnnxType type, OnnxCompare predicate,
                       MlirValue a, MlirValue b);
/// The same for values of type index (signed).
MlirValue onnx_compare_index(OnnxImport *c, OnnxCompare predicate, MlirValue a,
                             MlirValue b);
/// Arithmetic that takes the type into account.
MlirValue onnx_add(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_sub(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_mul(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_div(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_min(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_max(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_sigmoid(OnnxImport *c, OnnxType type, MlirValue x);
MlirValue onnx_cast(OnnxImport *c, MlirValue value, OnnxType from, OnnxType to);
MlirValue onnx_cast_index(OnnxImport *c, MlirValue value, OnnxType from);
MlirValue onnx_index_to(OnnxImport *c, MlirValue index, OnnxType to);
MlirValue onnx_tensor_extract(OnnxImport *c, MlirValue tensor,
                              const MlirValue *index, int rank,
                              MlirType element);
/// Clamps a float to the range of integer type `to` and converts it.
MlirValue onnx_saturate(OnnxImport *c, MlirValue value, OnnxType to);
/// Lowest and highest value of an integer type of at most 32 bits.
void onnx_int_range(OnnxType type, int64_t *low, int64_t *high);

//===----------------------------------------------------------------------===//
// Shared by operator files
//===----------------------------------------------------------------------===//

/// Applies a scalar function to tensors that broadcast (onnx_elementwise.c).
typedef MlirValue (*OnnxScalarFn)(OnnxImport *c, const OnnxNode *n,
                                  OnnxType type, const MlirValue *args,
                                  int count);
OnnxValue *onnx_map(OnnxImport *c, const OnnxNode *n, OnnxValue **inputs,
                    int count, OnnxType out_type, OnnxScalarFn fn);

/// Up to six operands at one rank and in one layout, so that they broadcast.
typedef struct OnnxOperands {
  MlirValue values[6];
  OnnxShape shapes[6];
  /// Of the result: as the IR has it, and as the model does.
  OnnxShape out, model_out;
  /// Channels are last.
  bool last;
} OnnxOperands;
bool onnx_read_operands(OnnxImport *c, OnnxValue **inputs, int count,
                        OnnxOperands *o);
/// The value of the model that `value`, of shape `o->out`, is.
OnnxValue *onnx_operands_result(OnnxImport *c, OnnxType type,
                                const OnnxOperands *o, MlirValue value);

/// The scalar function of an elementwise operator, or NULL.
OnnxScalarFn onnx_scalar_fn(const char *name);

/// Applies an elementwise operator by its name to one or two values (b NULL);
/// NULL inputs give NULL, so that calls nest.
OnnxValue *onnx_apply(OnnxImport *c, const OnnxNode *n, const char *name,
                      OnnxValue *a, OnnxValue *b);
/// A constant scalar.
OnnxValue *onnx_scalar(OnnxImport *c, OnnxType type, double value);
/// The value transposed, at import if it is constant.
OnnxValue *onnx_permute(OnnxImport *c, OnnxValue *value, const int *perm);
/// The same as an SSA value; of a constant no transposed copy is kept.
MlirValue onnx_permuted_ir(OnnxImport *c, OnnxValue *value, const int *perm);
/// The value in another shape of as many elements; NULL after an error.
OnnxValue *onnx_reshape_value(OnnxImport *c, OnnxValue *value,
                              const OnnxShape *shape);

/// The rows of `value` along `axis` that a list of indices names
/// (onnx_gather.c).
OnnxValue *onnx_take(OnnxImport *c, OnnxValue *value, OnnxValue *indices,
                     int axis);

/// Reduces over axes (onnx_reduce.c): kept as size 1.
typedef enum OnnxReduction {
  ONNX_SUM,
  ONNX_PROD,
  ONNX_MAX,
  ONNX_MIN,
} OnnxReduction;
OnnxValue *onnx_reduce(OnnxImport *c, OnnxValue *value, const bool *axes,
                       OnnxReduction kind);
/// The mean over axes, kept as size 1, and x * x; NULL after an error.
OnnxValue *onnx_mean(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                     const bool *axes);
OnnxValue *onnx_square(OnnxImport *c, const OnnxNode *n, OnnxValue *value);

/// Integer products in int32, less the zero points (which may be NULL in the
/// matrix product).
OnnxValue *onnx_conv_int(OnnxImport *c, const OnnxNode *n, OnnxValue *x,
                         OnnxValue *w, OnnxValue *x_zero, OnnxValue *w_zero);
OnnxValue *onnx_matmul_int(OnnxImport *c, OnnxValue *a, OnnxValue *b,
                           OnnxValue *a_zero, OnnxValue *b_zero);

/// a [.., M, K] times b [.., K, N] with broadcasting (onnx_matmul.c).
OnnxValue *onnx_matmul(OnnxImport *c, OnnxValue *a, OnnxValue *b);
/// [M, K] times [K, N] of SSA values, both f32.
MlirValue onnx_matmul_2d(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b,
                         int64_t m, int64_t k, int64_t n);

//===----------------------------------------------------------------------===//
// onnx_steps.c: loops over the steps of a sequence [T, B, N]
//===----------------------------------------------------------------------===//

/// A loop in the making: states are matrices [B, H].
typedef struct OnnxSteps {
  int states; ///< 1 or 2
  bool is_reverse;
  /// Filled by onnx_steps_open.
  LunaTimeLoop loop;
  MlirBlock outer;
  OnnxType type;
  OnnxShape shape;
} OnnxSteps;

/// Opens the loop that makes a result of this type and shape: what is emitted
/// until onnx_steps_close goes into its body. `state` holds the first states,
/// from here on those before the step.
void onnx_steps_open(OnnxImport *c, OnnxSteps *steps, OnnxType type,
                     const OnnxShape *shape, OnnxValue **state);
/// Gives the row of this step, [B, N], of the SSA value `source` of `value`,
/// which was made before the loop.
OnnxValue *onnx_steps_take(OnnxImport *c, const OnnxSteps *steps,
                           OnnxValue *value, MlirValue source);
/// Closes the loop with the row that this step adds to the result, and the next
/// states, which become the last: gives the result. After an error, `row` NULL,
/// it gives NULL.
OnnxValue *onnx_steps_close(OnnxImport *c, const OnnxSteps *steps,
                            OnnxValue *row, OnnxValue **state);
/// Gives columns [at * size, (at + 1) * size) of the last dimension.
OnnxValue *onnx_steps_part(OnnxImport *c, OnnxValue *value, int64_t at,
                           int64_t size);

/// Handlers, as the table names them.
#define ONNX_HANDLER(name) bool onnx_op_##name(OnnxImport *c, OnnxNode *n)
ONNX_HANDLER(elementwise);
ONNX_HANDLER(cast);
ONNX_HANDLER(clip);
ONNX_HANDLER(where);
ONNX_HANDLER(identity);
ONNX_HANDLER(dropout);
ONNX_HANDLER(constant);
ONNX_HANDLER(constant_of_shape);
ONNX_HANDLER(shape);
ONNX_HANDLER(size);
ONNX_HANDLER(range);
ONNX_HANDLER(reshape);
ONNX_HANDLER(flatten);
ONNX_HANDLER(squeeze);
ONNX_HANDLER(unsqueeze);
ONNX_HANDLER(transpose);
ONNX_HANDLER(concat);
ONNX_HANDLER(split);
ONNX_HANDLER(slice);
ONNX_HANDLER(expand);
ONNX_HANDLER(tile);
ONNX_HANDLER(pad);
ONNX_HANDLER(gather);
ONNX_HANDLER(gather_elements);
ONNX_HANDLER(gather_nd);
ONNX_HANDLER(scatter_elements);
ONNX_HANDLER(scatter_nd);
ONNX_HANDLER(one_hot);
ONNX_HANDLER(eye_like);
ONNX_HANDLER(trilu);
ONNX_HANDLER(cumsum);
ONNX_HANDLER(reverse_sequence);
ONNX_HANDLER(depth_to_space);
ONNX_HANDLER(space_to_depth);
ONNX_HANDLER(window_function);
ONNX_HANDLER(mel_weights);
ONNX_HANDLER(dft);
ONNX_HANDLER(stft);
ONNX_HANDLER(top_k);
ONNX_HANDLER(arg);
ONNX_HANDLER(reduce);
ONNX_HANDLER(softmax);
ONNX_HANDLER(hardmax);
ONNX_HANDLER(layer_norm);
ONNX_HANDLER(instance_norm);
ONNX_HANDLER(batch_norm);
ONNX_HANDLER(mean_variance_norm);
ONNX_HANDLER(lrn);
ONNX_HANDLER(matmul);
ONNX_HANDLER(gemm);
ONNX_HANDLER(conv);
ONNX_HANDLER(conv_transpose);
ONNX_HANDLER(pool);
ONNX_HANDLER(global_pool);
ONNX_HANDLER(resize);
ONNX_HANDLER(rnn);
ONNX_HANDLER(gru);
ONNX_HANDLER(lstm);
ONNX_HANDLER(qlinear);
ONNX_HANDLER(quantize);
ONNX_HANDLER(dequantize);
ONNX_HANDLER(dynamic_quantize);
ONNX_HANDLER(qlinear_conv);
ONNX_HANDLER(qlinear_matmul);
ONNX_HANDLER(conv_integer);
ONNX_HANDLER(matmul_integer);
ONNX_HANDLER(einsum);
ONNX_HANDLER(if);
ONNX_HANDLER(loop);
ONNX_HANDLER(scan);
ONNX_HANDLER(luna_quant);
ONNX_HANDLER(luna_dequant);
ONNX_HANDLER(luna_requant);
ONNX_HANDLER(luna_conv);
ONNX_HANDLER(luna_conv_transpose);
ONNX_HANDLER(luna_linear);
ONNX_HANDLER(luna_bmm);
ONNX_HANDLER(luna_eltwise);
ONNX_HANDLER(luna_div);
ONNX_HANDLER(luna_cat);
ONNX_HANDLER(luna_pad);
ONNX_HANDLER(luna_activation);
ONNX_HANDLER(luna_softmax);
ONNX_HANDLER(luna_avg_pool);
ONNX_HANDLER(luna_layer_norm);
ONNX_HANDLER(luna_rnn);
ONNX_HANDLER(luna_batch_norm);
ONNX_HANDLER(luna_clip);
ONNX_HANDLER(luna_relu);
ONNX_HANDLER(luna_glu);
ONNX_HANDLER(luna_log_softmax);
ONNX_HANDLER(luna_shuffle);
ONNX_HANDLER(luna_sum);
ONNX_HANDLER(luna_var);

#endif // LUNA_ONNX_H
