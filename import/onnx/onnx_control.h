#ifndef LUNA_ONNX_CONTROL_H
#define LUNA_ONNX_CONTROL_H

// What If, Loop and Scan share. Bodies see the values around them.

#include "onnx.h"

/// The node's attribute `name`, a graph; NULL after an error.
const Onnx__GraphProto *onnx_subgraph(OnnxImport *c, const OnnxNode *n,
                                      const char *name);

/// Reads the one element of a bool tensor as an i1.
bool onnx_read_condition(OnnxImport *c, OnnxValue *value, MlirValue *out);

/// A loop in the making: values carried from iteration to iteration, and
/// tensors that take a row per iteration (scan outputs).
typedef struct OnnxIteration {
  const Onnx__GraphProto *body;
  int carried_count, scan_count;
  /// Initial values; then, as seen in the body; then, what the body yields.
  OnnxValue **carried, **inside, **yielded;
  MlirBlock block;
  MlirValue index;
  /// Rows that go into the scan outputs, and where.
  OnnxValue **rows;
  LunaShape *scan_shapes;
  int *scan_axes;
  bool *scan_backwards;
  int64_t trip_count;
} OnnxIteration;

/// Opens loop->block with its index and carried values; c->block is that block.
void onnx_open_body(OnnxImport *c, OnnxIteration *loop);

/// Checks that what the body yields is like what it carries.
bool onnx_check_carried(OnnxImport *c, const OnnxIteration *loop);

/// Shapes of the scan outputs: a row for each trip, or as the model declares.
bool onnx_set_scan_shapes(OnnxImport *c, const OnnxNode *n,
                          OnnxIteration *loop);

/// The index of the row that this iteration is about, from the end if it goes
/// backwards.
MlirValue onnx_row_at(OnnxImport *c, const OnnxIteration *loop, bool backwards);

/// Ends the body with what it carries on, after `lead` values.
void onnx_close_body(OnnxImport *c, OnnxIteration *loop, const MlirValue *lead,
                     int lead_count);

/// Makes the loop around its closed body, and the node's outputs.
void onnx_make_for(OnnxImport *c, OnnxNode *n, OnnxIteration *loop,
                   MlirValue trips);
void onnx_make_while(OnnxImport *c, OnnxNode *n, OnnxIteration *loop,
                     MlirValue trips, MlirValue condition);

#endif // LUNA_ONNX_CONTROL_H
