#ifndef TFLITE_CONTROL_H
#define TFLITE_CONTROL_H

// IF and WHILE become scf.if and scf.while. The graphs they call are converted
// in place; the variables that those assign are carried as further values.

#include "tflite_import.h"
#include "tflite_ops.h"

/// What regions give beyond the graph's outputs: variables.
typedef struct LunaTfliteCarried {
  int32_t *variables; ///< assigned inside
  int64_t variable_count;
  MlirValue *before; ///< of all variables, when the operator was met
} LunaTfliteCarried;

/// Returns the variables that the graphs of an operator assign.
LunaTfliteCarried luna_tflite_carried(const LunaTfliteNode *node);
/// Restores in all variables the values that they had before the operator.
void luna_tflite_restore(const LunaTfliteNode *node,
                         const LunaTfliteCarried *carried);
/// Makes the results of `op` the values of outputs and variables.
void luna_tflite_take_results(LunaTfliteNode *node,
                              const LunaTfliteCarried *carried,
                              MlirOperation op);

/// Reads the values of inputs `first` on and their types.
bool luna_tflite_read_arguments(LunaTfliteNode *node, int64_t first,
                                MlirValue *values, MlirType *types);
/// Fails if a graph does not have as many of `what` as needed.
bool luna_tflite_check_count(const LunaTfliteNode *node, int64_t graph_index,
                             int64_t found, int64_t needed, const char *what);
/// Fails if a graph takes, or returns, values of other types. Tensors that the
/// file leaves open take their sizes.
bool luna_tflite_check_types(const LunaTfliteNode *node, int64_t graph_index,
                             const int32_t *tensors, int64_t tensor_count,
                             const MlirType *types, int64_t count,
                             const char *what);
/// Adds the one element of a boolean tensor as an i1.
bool luna_tflite_add_condition(LunaTfliteNode *node, MlirValue tensor,
                               MlirValue *condition);

#endif // TFLITE_CONTROL_H
