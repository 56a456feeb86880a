#include "tflite_lstm.h"

// UNIDIRECTIONAL_SEQUENCE_LSTM: its shapes and options, then one of its forms.
// Hidden and cell state are state of the model.

enum { LSTM_HIDDEN = 18, LSTM_CELL = 19 };
enum {
  OPTION_ACTIVATION,
  OPTION_CELL_CLIP,
  OPTION_PROJ_CLIP,
  OPTION_TIME_MAJOR
};

static bool read_lstm(LunaTfliteNode *node, LunaTfliteLstm *lstm) {
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  lstm->is_time_major = luna_tflite_option_bool(node, OPTION_TIME_MAJOR);
  lstm->cell_clip = luna_tflite_option_f32(node, OPTION_CELL_CLIP);
  lstm->activation = luna_tflite_option_enum(node, OPTION_ACTIVATION);
  if (!luna_tflite_find_variable(node, LSTM_HIDDEN, &lstm->hidden) ||
      !luna_tflite_find_variable(node, LSTM_CELL, &lstm->cell))
    return false;
  const LunaTfliteTensor *cell = lstm->cell->tensor;
  if (input->rank != 3 || cell->rank != 2)
    return luna_tflite_fail(node,
                            "input and state have %lld and %lld "
                            "dimensions, need 3 and 2",
                            (long long)input->rank, (long long)cell->rank);
  lstm->batch = input->shape[lstm->is_time_major];
  lstm->steps = input->shape[!lstm->is_time_major];
  lstm->inputs = input->shape[2];
  lstm->units = cell->shape[1];
  const LunaTfliteTensor *states[2] = {lstm->hidden->tensor, cell};
  for (int i = 0; i < 2; ++i)
    if (states[i]->rank != 2 || states[i]->shape[0] != lstm->batch ||
        states[i]->shape[1] != lstm->units)
      return luna_tflite_fail(
          node, "state '%s' has another shape than %lld by %lld",
          states[i]->name, (long long)lstm->batch, (long long)lstm->units);
  if (states[0]->type != input->type)
    return luna_tflite_fail(node, "state '%s' is %s, the input %s",
                            states[0]->name,
                            luna_tflite_type_name(states[0]->type),
                            luna_tflite_type_name(input->type));
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (output->element_count != lstm->batch * lstm->steps * lstm->units)
    return luna_tflite_fail(node,
                            "output '%s' has another size than %lld by "
                            "%lld by %lld",
                            output->name, (long long)lstm->batch,
                            (long long)lstm->steps, (long long)lstm->units);
  return true;
}

bool luna_tflite_op_lstm(LunaTfliteNode *node) {
  LunaTfliteLstm lstm = {0};
  MlirValue input, output;
  if (!luna_tflite_value(node, 0, &input) || !read_lstm(node, &lstm))
    return false;
  bool is_float = luna_tflite_input(node, 0)->type == LUNA_TFLITE_F32;
  bool converted = is_float ? luna_tflite_lstm_f32(node, &lstm, input, &output)
                            : luna_tflite_lstm_int(node, &lstm, input, &output);
  return converted && luna_tflite_set(node, 0, output);
}
