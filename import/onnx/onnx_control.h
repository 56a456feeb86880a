#ifndef LUNA_ONNX_CONTROL_H
#define LUNA_ONNX_CONTROL_H

// What If, Loop and Scan share. Bodies see the values around them.

#include "onnx.h"

/// Returns the node's attribute `name`, a graph; NULL after an error.
const Onnx__GraphProto *
luna_onnx_subgraph(LunaOnnxImport *c, const LunaOnnxNode *n, const char *name);

/// Reads the one element of a bool tensor as an i1.
bool luna_onnx_read_condition(LunaOnnxImport *c, LunaOnnxValue *value,
                              MlirValue *out);

/// A value that a loop carries.
typedef struct LunaOnnxCarried {
  /// As the loop carries it: of the bound where one dimension is valid.
  LunaShape shape;
  int valid_axis; ///< or -1
  /// What is known of the valid length; -1 for nothing, or where it may be
  /// more.
  int64_t known;
  /// By how much an iteration makes it larger at most; -1: not known yet.
  int64_t growth;
  MlirValue count; ///< in the body
} LunaOnnxCarried;

/// A loop under construction: values carried from iteration to iteration, and
/// tensors that take a row per iteration (scan outputs).
typedef struct LunaOnnxIteration {
  const Onnx__GraphProto *body;
  int carried_count, scan_count, valid_count;
  /// Initial values; then, as seen in the body; then, what the body yields.
  LunaOnnxValue **carried, **inside, **yielded;
  LunaOnnxCarried *values; ///< of carried_count
  MlirBlock block;
  MlirValue index;
  /// Rows that go into the scan outputs, and where; those that have as many
  /// rows as there were iterations.
  LunaOnnxValue **rows;
  LunaShape *scan_shapes;
  int *scan_axes;
  bool *scan_backwards, *scan_is_valid;
  int64_t trip_count;
  /// The condition may end it before the trip count.
  bool may_stop;
} LunaOnnxIteration;

/// Makes the carried values what the loop starts with; a dimension of 0 is
/// valid, as is that of an initial value.
void luna_onnx_set_carried(LunaOnnxImport *c, LunaOnnxIteration *loop);

/// Opens loop->block with its index and carried values; c->block is that block.
void luna_onnx_open_body(LunaOnnxImport *c, LunaOnnxIteration *loop);

/// Checks that the body yields values of the types and shapes that it carries,
/// but for valid dimensions.
bool luna_onnx_check_carried(LunaOnnxImport *c, const LunaOnnxIteration *loop);
/// Returns the name of output `i` of a node, or where the model leaves it out,
/// of the body's.
const char *luna_onnx_output_name(const LunaOnnxNode *n,
                                  const LunaOnnxIteration *loop, int i);

/// Sets the shapes of the scan outputs: a row for each trip, as the model
/// declares, or of the bound; false after an error.
bool luna_onnx_set_scan_shapes(LunaOnnxImport *c, const LunaOnnxNode *n,
                               LunaOnnxIteration *loop);

/// Returns the index of this iteration's row, from the end if it goes
/// backwards.
MlirValue luna_onnx_row_at(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                           bool backwards);

/// Builds the terminator of the body: `lead` values, then those carried on.
void luna_onnx_close_body(LunaOnnxImport *c, LunaOnnxIteration *loop,
                          const MlirValue *lead, int lead_count);

/// Builds the loop around its closed body, and sets the node's outputs; false
/// after an error.
bool luna_onnx_make_for(LunaOnnxImport *c, LunaOnnxNode *n,
                        LunaOnnxIteration *loop, MlirValue trips);
bool luna_onnx_make_while(LunaOnnxImport *c, LunaOnnxNode *n,
                          LunaOnnxIteration *loop, MlirValue trips,
                          MlirValue condition);

#endif // LUNA_ONNX_CONTROL_H
