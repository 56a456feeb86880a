#include "luna/checked.h"
#include "tflite_recurrent.h"

// SVDF: products of the input with the features are kept in a window over time,
// which weights sum up. The window is state of the model.

enum { SVDF_FEATURE = 1, SVDF_TIME = 2, SVDF_BIAS = 3, SVDF_STATE = 4 };
enum { SVDF_RANK = 0, SVDF_ACTIVATION = 1 };

typedef struct Svdf {
  int64_t batch, filters, memory, rank, units;
  bool is_float;
  double feature_scale, output_scale;
  int64_t input_zp, output_zp;
  LunaTfliteVariable *state;
} Svdf;

static bool read_svdf_scales(LunaTfliteNode *node, Svdf *svdf) {
  LunaTfliteScale input, feature, time, state, output;
  if (!luna_tflite_scale(node, luna_tflite_input(node, 0), &input) ||
      !luna_tflite_scale(node, luna_tflite_input(node, SVDF_FEATURE),
                         &feature) ||
      !luna_tflite_scale(node, luna_tflite_input(node, SVDF_TIME), &time) ||
      !luna_tflite_scale(node, luna_tflite_input(node, SVDF_STATE), &state) ||
      !luna_tflite_output_scale(node, &output))
    return false;
  if (feature.zero_point || time.zero_point || state.zero_point)
    return luna_tflite_fail(node,
                            "weights and state must have the zero point 0");
  // In single precision, as TensorFlow Lite computes them.
  svdf->feature_scale = (double)(input.scale * feature.scale / state.scale);
  svdf->output_scale = (double)(state.scale * time.scale / output.scale);
  svdf->input_zp = input.zero_point;
  svdf->output_zp = output.zero_point;
  return true;
}

static bool read_svdf(LunaTfliteNode *node, Svdf *svdf) {
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  const LunaTfliteTensor *feature = luna_tflite_input(node, SVDF_FEATURE);
  const LunaTfliteTensor *time = luna_tflite_input(node, SVDF_TIME);
  const LunaTfliteTensor *state = luna_tflite_input(node, SVDF_STATE);
  svdf->is_float = input->type == LUNA_TFLITE_F32;
  svdf->rank = luna_tflite_option_i32(node, SVDF_RANK, 0);
  if (!luna_tflite_find_variable(node, SVDF_STATE, &svdf->state))
    return false;
  int64_t cells = 0;
  if (!feature || !time || input->rank != 2 || feature->rank != 2 ||
      time->rank != 2 || svdf->rank < 1 ||
      feature->shape[0] % svdf->rank != 0 ||
      !luna_checked_mul(input->shape[0], feature->shape[0], &cells) ||
      !luna_checked_mul(cells, time->shape[1], &cells) ||
      state->element_count != cells)
    return luna_tflite_fail(node,
                            "shapes of input, weights and state do not go "
                            "with each other and rank %lld",
                            (long long)svdf->rank);
  svdf->batch = input->shape[0];
  svdf->filters = feature->shape[0];
  svdf->memory = time->shape[1];
  svdf->units = svdf->filters / svdf->rank;
  int weight = svdf->is_float ? LUNA_TFLITE_F32 : LUNA_TFLITE_I8;
  int bias = svdf->is_float ? LUNA_TFLITE_F32 : LUNA_TFLITE_I32;
  if (time->type != state->type)
    return luna_tflite_fail(node, "state and time weights must have one type");
  return luna_tflite_need_shape(node, SVDF_FEATURE, weight, 2, svdf->filters,
                                input->shape[1]) &&
         luna_tflite_need_shape(node, SVDF_TIME, time->type, 2, svdf->filters,
                                svdf->memory) &&
         (!luna_tflite_input(node, SVDF_BIAS) ||
          luna_tflite_need_shape(node, SVDF_BIAS, bias, 1, svdf->units, 1)) &&
         (svdf->is_float || read_svdf_scales(node, svdf));
}

// Builds the state with its oldest column gone and a new one at the end.
static bool push_features(LunaTfliteNode *node, const Svdf *svdf,
                          MlirValue *state) {
  LunaBuilder *b = node->builder;
  MlirValue input, weights, old = svdf->state->value, parts[2];
  MlirType element = luna_element_of(old);
  const LunaTfliteTensor *feature = luna_tflite_input(node, SVDF_FEATURE);
  LunaShape rows = {4, {1, svdf->batch, 1, feature->shape[1]}};
  LunaShape filter = {4, {svdf->filters, 1, 1, feature->shape[1]}};
  if (!luna_tflite_value(node, 0, &input) ||
      !luna_tflite_const(node, feature, &filter, &weights))
    return false;
  MlirType sum = svdf->is_float ? b->f32 : b->i32;
  MlirValue zeros = luna_build_splat(b, luna_list_type(sum, svdf->filters), 0);
  parts[1] = luna_tflite_multiply_rows(b, luna_build_reshape(b, input, &rows),
                                       weights, zeros, svdf->input_zp);
  if (!svdf->is_float && !luna_tflite_rescale_real(node, svdf->feature_scale, 0,
                                                   0, element, &parts[1]))
    return false;
  LunaShape column = {3, {svdf->batch, svdf->filters, 1}};
  LunaShape whole = {3, {svdf->batch, svdf->filters, svdf->memory}};
  int64_t start[3] = {0, 0, 1};
  int64_t rest[3] = {svdf->batch, svdf->filters, svdf->memory - 1};
  parts[1] = luna_build_reshape(b, parts[1], &column);
  *state = parts[1];
  if (svdf->memory == 1)
    return true;
  parts[0] =
      luna_build_slice(b, luna_build_reshape(b, old, &whole), start, rest);
  *state = luna_build_concat(b, 2, parts, 2);
  return true;
}

// Sums the state over time and over the filters of a unit.
static bool weigh_time(LunaTfliteNode *node, const Svdf *svdf, MlirValue state,
                       MlirValue *value) {
  LunaBuilder *b = node->builder;
  MlirType wide = svdf->is_float ? b->f32 : b->i32;
  const LunaTfliteTensor *time = luna_tflite_input(node, SVDF_TIME);
  LunaShape shape = {3, {1, svdf->filters, svdf->memory}};
  LunaShape grouped = {3, {svdf->batch, svdf->units, svdf->rank}};
  LunaShape matrix = {2, {svdf->batch, svdf->units}};
  MlirValue weights, bias;
  if (!luna_tflite_const(node, time, &shape, &weights))
    return false;
  *value = luna_build_binary(b, "tosa.mul", luna_build_cast(b, state, wide),
                             luna_build_cast(b, weights, wide));
  *value = luna_build_reduce(b, "tosa.reduce_sum", *value, 2);
  *value = luna_build_reshape(b, *value, &grouped);
  *value = luna_build_reduce(b, "tosa.reduce_sum", *value, 2);
  *value = luna_build_reshape(b, *value, &matrix);
  if (!luna_tflite_input(node, SVDF_BIAS))
    return true;
  if (!luna_tflite_value(node, SVDF_BIAS, &bias))
    return false;
  *value = luna_build_binary(b, "tosa.add", *value, bias);
  return true;
}

bool luna_tflite_op_svdf(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  Svdf svdf = {0};
  MlirValue state, value;
  if (!read_svdf(node, &svdf) || !push_features(node, &svdf, &state) ||
      !weigh_time(node, &svdf, state, &value) ||
      (!svdf.is_float &&
       !luna_tflite_rescale_real(node, svdf.output_scale, 0, svdf.output_zp,
                                 b->i8, &value)))
    return false;
  LunaShape shape = luna_tflite_shape_of(svdf.state->tensor);
  svdf.state->value = luna_build_reshape(b, state, &shape);
  int64_t activation = luna_tflite_option_enum(node, SVDF_ACTIVATION);
  // On int8 the reference kernel takes RELU for granted and leaves it to the
  // range of the output.
  if (!svdf.is_float && activation == LUNA_TFLITE_ACTIVATION_RELU)
    activation = LUNA_TFLITE_ACTIVATION_NONE;
  return luna_tflite_activate(node, luna_tflite_output(node, 0), activation,
                              &value) &&
         luna_tflite_set(node, 0, value);
}
