#include <string.h>

#include "tflite_lstm.h"
#include "time_loop.h"

// What all forms of UNIDIRECTIONAL_SEQUENCE_LSTM share: the operands of the
// gates, and the loop over the steps.

enum {
  LSTM_PEEPHOLE = 9,
  LSTM_PROJECTION = 16,
  LSTM_NORMS = 20,
  LSTM_INPUTS = 24
};
// Products with the input are made step by step beyond this size.
enum { MAX_PRODUCT_BYTES = 256 << 10 };

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool luna_tflite_lstm_check_gates(LunaTfliteNode *node,
                                  const LunaTfliteLstm *lstm, int weight_type,
                                  int bias_type) {
  for (int64_t i = 0; i < LSTM_INPUTS; ++i) {
    bool is_extra = (i >= LSTM_PEEPHOLE && i < LUNA_LSTM_BIAS) ||
                    i == LSTM_PROJECTION || i == LSTM_PROJECTION + 1 ||
                    i >= LSTM_NORMS;
    if (is_extra && luna_tflite_input(node, i))
      return luna_tflite_fail(node,
                              "input %lld is given: peepholes, projection "
                              "and layer normalisation are not supported",
                              (long long)i);
  }
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    if (!luna_tflite_need_shape(node, LUNA_LSTM_WEIGHTS + gate, weight_type, 2,
                                lstm->units, lstm->inputs) ||
        !luna_tflite_need_shape(node, LUNA_LSTM_RECURRENT + gate, weight_type,
                                2, lstm->units, lstm->units) ||
        !luna_tflite_need_shape(node, LUNA_LSTM_BIAS + gate, bias_type, 1,
                                lstm->units, 1))
      return false;
  return true;
}

bool luna_tflite_lstm_join(LunaTfliteNode *node, int64_t first,
                           const LunaShape *shape, MlirValue *value) {
  MlirValue parts[LUNA_LSTM_GATES];
  for (int64_t gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    if (!luna_tflite_value(node, first + gate, &parts[gate]))
      return false;
  MlirValue joined =
      luna_build_concat(node->builder, LUNA_LSTM_GATES, parts, 0);
  *value = luna_build_reshape(node->builder, joined, shape);
  return true;
}

bool luna_tflite_lstm_join_weights(LunaTfliteNode *node,
                                   const LunaTfliteLstm *lstm, int64_t first,
                                   MlirValue *value) {
  LunaShape shape = {4,
                     {LUNA_LSTM_GATES * lstm->units, 1, 1,
                      luna_tflite_input(node, first)->shape[1]}};
  return luna_tflite_lstm_join(node, first, &shape, value);
}

MlirValue luna_tflite_lstm_zeros(LunaBuilder *b, const LunaTfliteLstm *lstm,
                                 MlirType element) {
  return luna_build_splat(
      b, luna_list_type(element, LUNA_LSTM_GATES * lstm->units), 0);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// An input or a result is [batch, steps, ...] or, time first, [steps, batch,
// ...]; `steps` of 1 gives the shape of a row.
static void set_lead(const LunaTfliteLstm *lstm, int64_t steps,
                     LunaShape *shape) {
  shape->dims[lstm->is_time_major] = lstm->batch;
  shape->dims[!lstm->is_time_major] = steps;
}

// What the steps take a row of: products of all rows, or the input itself.
typedef struct Source {
  MlirValue sequence;
  bool is_product;
} Source;

static Source make_source(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                          MlirValue input, const LunaTfliteLstmForm *form) {
  int64_t rows = lstm->batch * lstm->steps;
  LunaShape whole = {4, {0, 0, LUNA_LSTM_GATES, lstm->units}};
  if (rows * lstm->units >
      MAX_PRODUCT_BYTES / LUNA_LSTM_GATES / form->product_bytes)
    return (Source){.sequence = input};
  set_lead(lstm, lstm->steps, &whole);
  MlirValue products = form->multiply(node, lstm, form->data, input, rows);
  return (Source){luna_build_reshape(node->builder, products, &whole), true};
}

static MlirValue take_row(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                          const LunaTimeLoop *loop, const Source *source,
                          const LunaTfliteLstmForm *form) {
  LunaShape shape = {3, {lstm->batch, LUNA_LSTM_GATES, lstm->units}};
  MlirValue row = luna_build_slice_at(node->builder, source->sequence,
                                      lstm->is_time_major ? 0 : 1, loop->at, 1);
  if (source->is_product)
    return luna_build_reshape(node->builder, row, &shape);
  return form->multiply(node, lstm, form->data, row, lstm->batch);
}

static MlirValue run_loop(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                          MlirValue input, const LunaTfliteLstmForm *form) {
  LunaBuilder *b = node->builder;
  Source source = make_source(node, lstm, input, form);
  LunaShape whole = {3, {0, 0, lstm->units}}, slot = whole;
  set_lead(lstm, lstm->steps, &whole);
  set_lead(lstm, 1, &slot);
  MlirType type =
      luna_tensor_type(luna_element_of(lstm->hidden->value), &whole);
  LunaTimeSpec spec = {.steps = lstm->steps,
                       .count = 3,
                       .first = {lstm->hidden->value, lstm->cell->value,
                                 luna_build_empty(b, type)}};
  LunaTimeLoop loop = luna_time_loop(b, &spec);
  lstm->hidden->value = loop.carried[0];
  lstm->cell->value = loop.carried[1];
  form->step(node, lstm, form->data,
             take_row(node, lstm, &loop, &source, form));
  MlirValue shown = luna_build_reshape(b, lstm->hidden->value, &slot);
  MlirValue next[3] = {lstm->hidden->value, lstm->cell->value,
                       luna_build_insert_at(b, shown, loop.carried[2],
                                            lstm->is_time_major ? 0 : 1,
                                            loop.at)};
  luna_time_end(&loop, next);
  lstm->hidden->value = luna_time_last(&loop, 0);
  lstm->cell->value = luna_time_last(&loop, 1);
  return luna_time_last(&loop, 2);
}

MlirValue luna_tflite_lstm_run(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                               MlirValue input,
                               const LunaTfliteLstmForm *form) {
  if (lstm->steps > 1)
    return run_loop(node, lstm, input, form);
  form->step(node, lstm, form->data,
             form->multiply(node, lstm, form->data, input, lstm->batch));
  return lstm->hidden->value;
}
