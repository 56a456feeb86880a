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

/// A loop under construction: values carried from iteration to iteration, and
/// tensors that take a row per iteration (scan outputs).
typedef struct LunaOnnxIteration {
  const Onnx__GraphProto *body;
  int carried_count, scan_count;
  /// Initial values; then, as seen in the body; then, what the body yields.
  LunaOnnxValue **carried, **inside, **yielded;
  MlirBlock block;
  MlirValue index;
  /// Rows that go into the scan outputs, and where.
  LunaOnnxValue **rows;
  LunaShape *scan_shapes;
  int *scan_axes;
  bool *scan_backwards;
  int64_t trip_count;
} LunaOnnxIteration;

/// Opens loop->block with its index and carried values; c->block is that block.
void luna_onnx_open_body(LunaOnnxImport *c, LunaOnnxIteration *loop);

/// Checks that the body yields values of the types and shapes that it carries.
bool luna_onnx_check_carried(LunaOnnxImport *c, const LunaOnnxIteration *loop);

/// Sets the shapes of the scan outputs: a row for each trip, or as the model
/// declares; false after an error.
bool luna_onnx_set_scan_shapes(LunaOnnxImport *c, const LunaOnnxNode *n,
                               LunaOnnxIteration *loop);

/// Returns the index of this iteration's row, from the end if it goes
/// backwards.
MlirValue luna_onnx_row_at(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                           bool backwards);

/// Builds the terminator of the body: `lead` values, then those carried on.
void luna_onnx_close_body(LunaOnnxImport *c, LunaOnnxIteration *loop,
                          const MlirValue *lead, int lead_count);

/// Builds the loop around its closed body, and sets the node's outputs.
void luna_onnx_make_for(LunaOnnxImport *c, LunaOnnxNode *n,
                        LunaOnnxIteration *loop, MlirValue trips);
void luna_onnx_make_while(LunaOnnxImport *c, LunaOnnxNode *n,
                          LunaOnnxIteration *loop, MlirValue trips,
                          MlirValue condition);

#endif // LUNA_ONNX_CONTROL_H
