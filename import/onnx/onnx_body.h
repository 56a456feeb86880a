#ifndef LUNA_ONNX_BODY_H
#define LUNA_ONNX_BODY_H

// Bodies of operators that are functions: what make_bodies.py writes calls. A
// body goes on after an error with NULL values, of rank 0.

#include "onnx.h"

/// A function being built.
typedef struct LunaOnnxBody {
  LunaOnnxImport *c;
  LunaOnnxNode *n; ///< that calls it
  bool has_failed;
} LunaOnnxBody;

/// A body by the name of its operator; the last one has none.
typedef struct LunaOnnxBodyRow {
  const char *name;
  void (*build)(LunaOnnxBody *f);
} LunaOnnxBodyRow;
extern const LunaOnnxBodyRow luna_onnx_bodies[];

enum { LUNA_ONNX_BODY_INPUTS = 8, LUNA_ONNX_BODY_LIST = 24 };

/// A list of integers, such as a shape.
typedef struct LunaOnnxInts {
  int count;
  int64_t items[LUNA_ONNX_BODY_LIST];
} LunaOnnxInts;
#define LUNA_ONNX_LIST(...)                                                    \
  (LunaOnnxInts) {                                                             \
    sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), { __VA_ARGS__ }        \
  }

/// An input of a node: a value, or a number of the type of the last value.
typedef struct LunaOnnxBodyInput {
  LunaOnnxValue *value;
  double number;
  bool is_number;
} LunaOnnxBodyInput;

typedef enum LunaOnnxBodyKind {
  LUNA_ONNX_BODY_TEXT,
  LUNA_ONNX_BODY_NUMBER,
  LUNA_ONNX_BODY_REAL,
  LUNA_ONNX_BODY_INTS,
} LunaOnnxBodyKind;

typedef struct LunaOnnxBodyAttribute {
  const char *name;
  LunaOnnxBodyKind kind;
  const char *text;
  int64_t number;
  double real;
  LunaOnnxInts list;
} LunaOnnxBodyAttribute;

/// One node, and where its outputs but the first go.
typedef struct LunaOnnxBodyNode {
  const char *op;
  int input_count, attribute_count, more_count;
  bool inherits; ///< the attributes of the function, too
  LunaOnnxBodyInput inputs[LUNA_ONNX_BODY_INPUTS];
  LunaOnnxBodyAttribute attributes[4];
  LunaOnnxValue **more[3];
} LunaOnnxBodyNode;

/// Builds a node and returns its first output, NULL after an error.
LunaOnnxValue *luna_onnx_body_node(LunaOnnxBody *f,
                                   const LunaOnnxBodyNode *node);
/// Sets an output of the function, where the caller asks for it.
void luna_onnx_body_output(LunaOnnxBody *f, int index, LunaOnnxValue *value);
/// Refuses the node with this message if the condition holds.
void luna_onnx_body_refuse(LunaOnnxBody *f, bool condition,
                           const char *message);

/// Returns a constant of int64: a list or one number.
LunaOnnxValue *luna_onnx_body_list(LunaOnnxBody *f, LunaOnnxInts list);
LunaOnnxValue *luna_onnx_body_scalar(LunaOnnxBody *f, int64_t number);
/// Returns the integers from `first` up to `end`, without it.
LunaOnnxInts luna_onnx_body_range(LunaOnnxBody *f, int64_t first, int64_t end);
/// Returns the dimensions of a value with the last two exchanged.
LunaOnnxInts luna_onnx_body_swapped(LunaOnnxBody *f,
                                    const LunaOnnxValue *value);

/// Returns true for an input that is there, an attribute that is, an output
/// that the caller asks for, a value of float or of bool.
bool luna_onnx_body_has(LunaOnnxBody *f, const LunaOnnxValue *value);
bool luna_onnx_body_given(LunaOnnxBody *f, const char *attribute);
bool luna_onnx_body_wants(LunaOnnxBody *f, int64_t output);
bool luna_onnx_body_is_bool(LunaOnnxBody *f, const LunaOnnxValue *value);
/// Returns the rank of a value, a dimension, which may count from the end, or
/// the number of elements.
int64_t luna_onnx_body_rank(LunaOnnxBody *f, const LunaOnnxValue *value);
int64_t luna_onnx_body_dim(LunaOnnxBody *f, const LunaOnnxValue *value,
                           int64_t axis);
int64_t luna_onnx_body_count(LunaOnnxBody *f, const LunaOnnxValue *value);
/// Returns an element of a constant.
int64_t luna_onnx_body_at(LunaOnnxBody *f, LunaOnnxValue *value, int64_t index);
/// Returns entry `index` of an attribute that is a list, and how many it has.
int64_t luna_onnx_body_entry(LunaOnnxBody *f, const char *attribute,
                             int64_t index);
int64_t luna_onnx_body_entries(LunaOnnxBody *f, const char *attribute);
double luna_onnx_body_sqrt(LunaOnnxBody *f, double number);
double luna_onnx_body_infinity(LunaOnnxBody *f);

#endif // LUNA_ONNX_BODY_H
