#ifndef LUNA_TFLITE_IMPORT_H
#define LUNA_TFLITE_IMPORT_H

#include "luna-c/bounded_sizes.h"
#include "luna-c/fold.h"
#include "luna/import.h"
#include "luna/vector.h"
#include "tflite_node.h"

// The whole import: model, builder, and the state that the model keeps.

/// One piece of state: a resource variable, or a variable tensor of a graph.
typedef struct LunaTfliteVariable {
  const char *name;
  /// Type and quantisation; NULL until a read or an assignment shows them.
  const LunaTfliteTensor *tensor;
  /// The constant it starts with, or NULL: its zero point.
  const LunaTfliteTensor *initial;
  /// A variable tensor's place; -1 for a resource variable.
  int64_t graph_index, tensor_index;
  MlirValue value; ///< at the point reached
} LunaTfliteVariable;

/// A size that its bound may not hold: the program says it beside its outputs.
typedef struct LunaTfliteReported {
  const char *name;
  MlirValue count;
} LunaTfliteReported;

struct LunaTfliteImport {
  LunaTfliteModel *model;
  bool is_resized; ///< an input has another shape than the stored one
  LunaFold *fold;  ///< knows what operators on constants give
  const struct LunaTfliteOps *ops;
  LunaBuilder builder;
  LunaArena *arena;
  LunaError *error;
  LUNA_VECTOR(LunaTfliteVariable) variables;
  /// Bounds that the caller gives, by the tensor that the size is of.
  const LunaImportDimension *bounds;
  size_t bound_count;
  LunaValidLengths lengths;
  /// The tensors whose sizes are known while running only.
  LUNA_VECTOR(const char *) bounded;
  LUNA_VECTOR(LunaTfliteReported) reported;
  /// Loops that were read again; `lengths` and `fold` know their values.
  LUNA_VECTOR(MlirOperation) abandoned;
  bool *is_active;       ///< per graph: it is being converted
  int64_t work;          ///< operators, operands and tensors met so far,
                         ///< those of a graph at each call
  size_t constant_bytes; ///< added so far
  int64_t search_work;   ///< spent on exact sums so far
  int depth;             ///< of nested control flow
};

/// Lists the dimensions that the model's inputs leave open, gives them their
/// sizes, and takes the inputs that are constants off the list of inputs.
bool luna_tflite_apply_options(LunaTfliteImport *import,
                               const LunaImportOptions *options);

/// Finds the state of all graphs that the main graph reaches.
bool luna_tflite_find_state(LunaTfliteImport *import);
/// Returns the variable of a VAR_HANDLE operator, or -1.
int32_t luna_tflite_handle(const LunaTfliteImport *import,
                           const LunaTfliteOperator *op);
/// Returns the variable of a variable tensor, or -1.
int32_t luna_tflite_variable_of(const LunaTfliteImport *import,
                                int64_t graph_index, int64_t tensor_index);
/// Sets is_assigned[v] for the variables that a graph and those it calls
/// assign; entries already set stay.
void luna_tflite_assigned(const LunaTfliteImport *import, int64_t graph_index,
                          bool *is_assigned);
/// Lists the graphs that an operator calls, at most two, and returns the count.
int luna_tflite_callees(const LunaTfliteImport *import,
                        const LunaTfliteOperator *op, int64_t *graphs);
/// Returns the attribute luna.initial of a variable.
MlirAttribute luna_tflite_initial(const LunaTfliteImport *import,
                                  const LunaTfliteVariable *variable);

/// Returns a graph without values, and one of its operators.
LunaTfliteFrame luna_tflite_frame(LunaTfliteImport *import,
                                  int64_t graph_index);
LunaTfliteNode luna_tflite_node(LunaTfliteImport *import,
                                LunaTfliteFrame *frame, int64_t index);
/// Makes `to` the constant that `from` is, of the same type and size; NULL and
/// what is computed give none.
void luna_tflite_share(const LunaTfliteTensor *from, LunaTfliteTensor *to);
/// Makes the inputs of a graph the constants that the operands of `caller` are,
/// the last operands if it has more; only those of `is_fixed`, or all for NULL.
void luna_tflite_share_operands(const LunaTfliteNode *caller,
                                int64_t graph_index, const bool *is_fixed);
/// Returns true if output `i` of a loop's body is its input `i`, also through
/// loops inside it.
bool luna_tflite_returns_input(LunaTfliteImport *import, int64_t graph_index,
                               int64_t i);
/// Converts all operators of a graph at the builder's place. `arguments` are
/// the values of its inputs, `results` takes those of its outputs. `caller` is
/// the operator that calls it, NULL for the main graph.
bool luna_tflite_convert_graph(LunaTfliteImport *import, int64_t graph_index,
                               const LunaTfliteNode *caller,
                               const MlirValue *arguments, MlirValue *results);

#endif // LUNA_TFLITE_IMPORT_H
