#include "random_operator.h"

#include <math.h>
#include <string.h>

static bool one_in(Random *random, int32_t count) {
  return random_in(random, 1, count) == 1;
}

static int32_t any_int32(Random *random) {
  return (int32_t)((uint32_t)random_in(random, 0, 0xffff) << 16 |
                   (uint32_t)random_in(random, 0, 0xffff));
}

//===- Contents -----------------------------------------------------------===//

LunaTensorDesc *operand_desc_of(LunaUnitDesc *desc, int row) {
  int count = 0;
  const LunaUnitOperand *rows =
      luna_unit_class_operands(desc->unit_class, &count);
  return (LunaTensorDesc *)(void *)((char *)&desc->as + rows[row].offset_bytes);
}

static LunaTensorDesc *desc_of(RandomOperator *op, int row) {
  return operand_desc_of(&op->desc, row);
}

int64_t element_count(const LunaTensorDesc *desc) {
  return (int64_t)desc->dims[0] * desc->dims[1] * desc->dims[2] * desc->dims[3];
}

size_t operand_bytes(const RandomOperator *op, int row) {
  RandomOperator copy = *op;
  const LunaTensorDesc *desc = desc_of(&copy, row);
  return (size_t)(element_count(desc) * luna_element_bytes(desc->type));
}

// Random elements, at most `largest` where that is not 0; of 8 bits it has to
// fit them.
static void fill(Random *random, LunaArena *arena, RandomOperator *op, int row,
                 int32_t largest) {
  const LunaTensorDesc *desc = desc_of(op, row);
  int32_t bytes = luna_element_bytes(desc->type);
  uint8_t *data = luna_arena_alloc(arena, operand_bytes(op, row), 1);
  op->data[row] = data;
  for (int64_t i = 0; i < element_count(desc); ++i, data += bytes) {
    int64_t value = (int64_t)((uint64_t)(uint32_t)any_int32(random) << 32 |
                              (uint32_t)any_int32(random));
    if (largest > 0 && (bytes > 1 || largest <= INT8_MAX))
      value = random_in(random, -largest, largest);
    memcpy(data, &value, (size_t)bytes);
  }
}

static int32_t scale_bits(Random *random) {
  static const float special[] = {0.0f, -0.5f, INFINITY, NAN, 1e30f};
  float scale = ldexpf((float)random_in(random, 1 << 20, 1 << 21),
                       random_in(random, -36, -18));
  if (one_in(random, 3))
    scale = ldexpf(1.0f, random_in(random, -20, 2)); // ties
  if (one_in(random, 8))
    scale = special[random_in(random, 0, 4)];
  int32_t bits;
  memcpy(&bits, &scale, sizeof bits);
  return bits;
}

// A multiplier and a shift of apply_scale_32.
typedef struct Scale {
  int32_t multiplier, shift;
} Scale;

static Scale draw_usual_scale(Random *random) {
  return (Scale){random_in(random, 1 << 30, INT32_MAX),
                 random_in(random, 32, 45)};
}

// Half of a number, rounded twice: see operator_make_tie.
static Scale draw_tie_scale(Random *random) {
  return (Scale){1 << 30, 31 + random_in(random, 1, 6)};
}

static Scale draw_scale(Forms *forms) {
  static const int32_t shifts[] = {0, 1, 30, 31, 32, 52, 53, 62};
  Random *random = &forms->random;
  Scale scale = draw_usual_scale(random);
  ScaleForm form = (ScaleForm)form_draw(forms, FORM_SCALE);
  switch (form) {
  case SCALE_USUAL:
    break;
  case SCALE_TIES:
    return draw_tie_scale(random);
  case SCALE_0:
    scale.multiplier = 0;
    break;
  case SCALE_1:
    scale.multiplier = 1;
    break;
  case SCALE_LARGEST:
    scale.multiplier = INT32_MAX;
    break;
  case SCALE_ANY:
    scale.multiplier = any_int32(random);
    break;
  case SCALE_SHIFT_0:
  case SCALE_SHIFT_1:
  case SCALE_SHIFT_30:
  case SCALE_SHIFT_31:
  case SCALE_SHIFT_32:
  case SCALE_SHIFT_52:
  case SCALE_SHIFT_53:
  case SCALE_SHIFT_62:
    scale.shift = shifts[form - SCALE_SHIFT_0];
    break;
  case SCALE_SHIFT_ANY:
    scale.shift = random_in(random, 0, 62);
    break;
  }
  return scale;
}

static int32_t draw_shift(Forms *forms) {
  static const int32_t shifts[] = {-31, 0, 1, 30, 31, 32, 62};
  ShiftForm form = (ShiftForm)form_draw(forms, FORM_SHIFT);
  if (form == SHIFT_USUAL)
    return random_in(&forms->random, 2, 16);
  if (form == SHIFT_LEFT)
    return -random_in(&forms->random, 1, 16);
  return shifts[form - SHIFT_LEFT_31];
}

//===- Requantisation -----------------------------------------------------===//

static int32_t draw_zero_point(Forms *forms, FormKind kind) {
  switch ((ZeroPointForm)form_draw(forms, kind)) {
  case ZERO_POINT_0:
    return 0;
  case ZERO_POINT_LOW:
    return -128;
  case ZERO_POINT_HIGH:
    return 127;
  case ZERO_POINT_ANY:
    break;
  case ZERO_POINT_WIDE:
    return any_int32(&forms->random);
  }
  return random_in(&forms->random, -128, 127);
}

// Bounds between those of the type, of which the lower one is -high - 1.
static void draw_range(Forms *forms, LunaRequantDesc *requant, int32_t high) {
  Random *random = &forms->random;
  int32_t zero_point = requant->output_zero_point;
  int32_t *low = &requant->clamp_min, *up = &requant->clamp_max;
  *low = -high - 1;
  *up = high;
  switch ((RangeForm)form_draw(forms, FORM_RANGE)) {
  case RANGE_TYPE:
    break;
  case RANGE_RELU:
    *low = zero_point;
    break;
  case RANGE_AROUND:
    *low = random_in(random, -128, zero_point);
    *up = random_in(random, zero_point, 127);
    break;
  case RANGE_ABOVE:
    *low = random_in(random, zero_point, 127);
    *up = random_in(random, *low, 127);
    break;
  case RANGE_BELOW:
    *up = random_in(random, -128, zero_point);
    *low = random_in(random, -128, *up);
    break;
  case RANGE_POINT:
    *low = *up = random_in(random, -128, 127);
    break;
  }
}

// By a card of FORM_RESULT or FORM_SUM, into which the output's type goes.
static LunaRequantDesc draw_requant(Forms *forms, const ResultForm *result) {
  int32_t bits = 8 * luna_element_bytes(result->type);
  LunaRequantDesc requant = {.mode = result->mode,
                             .rounding = result->rounding,
                             .per_channel = result->per_channel};
  requant.output_zero_point = draw_zero_point(forms, FORM_ZERO_POINT);
  draw_range(forms, &requant, (int32_t)((UINT32_C(1) << (bits - 1)) - 1));
  Scale scale;
  switch ((LunaRequantMode)requant.mode) {
  case LUNA_REQUANT_NONE:
    break;
  case LUNA_REQUANT_SHIFT:
    requant.shift = draw_shift(forms);
    break;
  case LUNA_REQUANT_MULTIPLIER:
    scale = draw_scale(forms);
    requant.multiplier = scale.multiplier;
    requant.shift = scale.shift;
    break;
  case LUNA_REQUANT_FLOAT:
    do // the dialect wants one of its own above 0
      requant.multiplier = scale_bits(&forms->random);
    while (requant.multiplier <= 0 || requant.multiplier > 0x7f800000);
    break;
  }
  return requant;
}

// One channel has the card that the operator drew.
static void draw_table(Forms *forms, LunaArena *arena, RandomOperator *op,
                       const LunaRequantDesc *requant, int32_t channels) {
  Random *random = &forms->random;
  if (!requant->per_channel)
    return;
  bool is_float = requant->mode == LUNA_REQUANT_FLOAT;
  *desc_of(op, TABLE) = tensor_desc(is_float ? LUNA_TYPE_F32 : LUNA_TYPE_I32, 1,
                                    1, is_float ? 1 : 2, channels);
  fill(random, arena, op, TABLE, 0);
  int32_t special = random_in(random, 0, channels - 1);
  for (int32_t c = 0; c < channels; ++c) {
    Scale scale = draw_usual_scale(random);
    if (is_float)
      scale.multiplier = scale_bits(random);
    else if (c == special)
      scale = (Scale){requant->multiplier, requant->shift};
    memcpy(op->data[TABLE] + 4 * c, &scale.multiplier, 4);
    if (!is_float)
      memcpy(op->data[TABLE] + 4 * (channels + c), &scale.shift, 4);
  }
}

//===- Sums of products ---------------------------------------------------===//

// Sums of int16 that may lie in the scratch, in 32 bits, must be small.
static int32_t largest_of(NumbersForm numbers, bool is_narrow) {
  return numbers != NUMBERS_ANY ? 3 : is_narrow ? 0 : 300;
}

static void draw_bias(Forms *forms, LunaArena *arena, RandomOperator *op,
                      bool is_wide, bool is_small) {
  BiasForm form = (BiasForm)form_draw(forms, FORM_BIAS);
  if (form == BIAS_NONE && !is_small)
    return;
  *desc_of(op, BIAS) =
      tensor_desc(form == BIAS_64 ? LUNA_TYPE_I64 : LUNA_TYPE_I32, 1, 1, 1,
                  desc_of(op, OUTPUT)->dims[3]);
  int32_t largest = form == BIAS_ANY && !is_wide ? 0 : 1 << 20;
  fill(&forms->random, arena, op, BIAS, is_small ? 1 << 8 : largest);
}

// What is left of a product once its shape is there: types, zero points, bias,
// requantisation, contents.
static void finish_product(Forms *forms, LunaArena *arena, RandomOperator *op,
                           LunaRequantDesc *requant, int32_t *zero_points[2]) {
  LunaTensorDesc *input = desc_of(op, INPUT), *weight = desc_of(op, WEIGHT);
  LunaTensorDesc *output = desc_of(op, OUTPUT);
  ProductForm factors = (ProductForm)form_draw(forms, FORM_PRODUCT);
  NumbersForm numbers = (NumbersForm)form_draw(forms, FORM_NUMBERS);
  op->result = form_draw(forms, FORM_RESULT);
  bool is_wide = factors != PRODUCT_8_8;
  input->type = is_wide ? LUNA_TYPE_I16 : LUNA_TYPE_I8;
  weight->type = factors == PRODUCT_16_16 ? LUNA_TYPE_I16 : LUNA_TYPE_I8;
  output->type = result_forms[op->result].type;
  int32_t most = numbers == NUMBERS_ANY ? 127 : 3;
  if (!is_wide)
    *zero_points[0] = random_in(&forms->random, -most - 1, most);
  if (factors != PRODUCT_16_16 && one_in(&forms->random, 2))
    *zero_points[1] = random_in(&forms->random, -most - 1, most);
  *requant = draw_requant(forms, &result_forms[op->result]);
  op->has_long_sums = is_wide && numbers == NUMBERS_ANY &&
                      op->desc.unit_class == LUNA_UNIT_MATMUL &&
                      op->tiling.out_h == 0;
  int32_t largest = largest_of(numbers, !is_wide || op->has_long_sums);
  fill(&forms->random, arena, op, INPUT, largest);
  fill(&forms->random, arena, op, WEIGHT, largest);
  draw_bias(forms, arena, op, is_wide, numbers != NUMBERS_ANY);
  draw_table(forms, arena, op, requant, output->dims[3]);
  if (numbers == NUMBERS_TIE)
    operator_make_tie(&forms->random, op, requant, arena);
}

static void draw_conv2d(Forms *forms, LunaArena *arena, RandomOperator *op) {
  LunaConv2dDesc *desc = &op->desc.as.conv2d;
  int kind = form_draw(forms, FORM_CONV);
  do
    *desc = random_conv(&forms->random, 7);
  while (desc->kind != kind);
  if (form_draw(forms, FORM_TILING))
    op->tiling = random_tiling(&forms->random, desc);
  finish_product(
      forms, arena, op, &desc->requant,
      (int32_t *[]){&desc->input_zero_point, &desc->weight_zero_point});
}

static void draw_matmul(Forms *forms, LunaArena *arena, RandomOperator *op) {
  Random *random = &forms->random;
  LunaMatmulDesc *desc = &op->desc.as.matmul;
  int32_t n = random_in(random, 1, 3), h = random_in(random, 1, 6);
  int32_t c = random_in(random, 1, 30), w = random_in(random, 1, 6);
  desc->rhs_transposed = random_in(random, 0, 1);
  desc->lhs = tensor_desc(0, 1, n, h, c);
  desc->rhs = desc->rhs_transposed ? tensor_desc(0, 1, n, w, c)
                                   : tensor_desc(0, 1, n, c, w);
  desc->output = tensor_desc(0, 1, n, h, w);
  if (form_draw(forms, FORM_TILING))
    op->tiling = (LunaTiling){.out_h = random_in(random, 1, h),
                              .out_w = random_in(random, 1, w),
                              .in_c = random_in(random, 1, c),
                              .slots = random_in(random, 1, 2)};
  finish_product(forms, arena, op, &desc->requant,
                 (int32_t *[]){&desc->lhs_zero_point, &desc->rhs_zero_point});
}

//===- The others ---------------------------------------------------------===//

// An operand as large as the output, or less.
static LunaTensorDesc operand_desc(Forms *forms, ShapesForm shapes,
                                   bool is_padded, const int32_t *dims) {
  int32_t type = LUNA_TYPE_I8 + form_draw(forms, FORM_INPUT_TYPE), d[4];
  for (int i = 0; i < 4; ++i)
    d[i] =
        shapes == SHAPES_BROADCAST && one_in(&forms->random, 3) ? 1 : dims[i];
  if (is_padded || (shapes == SHAPES_BROADCAST && one_in(&forms->random, 5)))
    d[3] = random_in(&forms->random, d[3] > 1 ? 2 : 1, d[3]);
  return tensor_desc(type, d[0], d[1], d[2], d[3]);
}

// The scale of an input; one by a power of two has no zero point.
static void draw_input(Forms *forms, int32_t *zero_point, int32_t *multiplier,
                       int32_t *shift) {
  Random *random = &forms->random;
  Scale scale = {0, 0};
  *zero_point = draw_zero_point(forms, FORM_INPUT_ZERO_POINT);
  switch ((InputForm)form_draw(forms, FORM_INPUT_SCALE)) {
  case INPUT_NONE:
    break;
  case INPUT_POWER:
    *zero_point = 0;
    scale.shift = random_in(random, 2, 30);
    scale.multiplier = 1 << scale.shift;
    scale.shift += random_in(random, 1, one_in(random, 4) ? 31 : 8);
    break;
  case INPUT_SINGLE:
    scale = draw_usual_scale(random);
    scale.shift = random_in(random, 20, 36);
    break;
  case INPUT_DOUBLE:
    scale = draw_usual_scale(random);
    break;
  case INPUT_TIES:
    scale = (Scale){1 << 30, 31 + random_in(random, 1, 3)};
    break;
  case INPUT_LIMIT:
    scale = draw_scale(forms);
    break;
  }
  *multiplier = scale.multiplier;
  *shift = scale.shift;
}

static void draw_eltwise(Forms *forms, LunaArena *arena, RandomOperator *op) {
  LunaEltwiseDesc *desc = &op->desc.as.eltwise;
  int32_t dims[4];
  for (int i = 0; i < 4; ++i)
    dims[i] = random_in(&forms->random, 1, 4);
  ShapesForm shapes = (ShapesForm)form_draw(forms, FORM_SHAPES);
  NumbersForm numbers = (NumbersForm)form_draw(forms, FORM_NUMBERS);
  op->result = form_draw(forms, FORM_SUM);
  desc->lhs = operand_desc(forms, shapes, shapes == SHAPES_PADDED_LHS, dims);
  desc->rhs = operand_desc(forms, shapes, shapes == SHAPES_PADDED_RHS, dims);
  desc->output = tensor_desc(result_forms[op->result].type, dims[0], dims[1],
                             dims[2], dims[3]);
  draw_input(forms, &desc->lhs_zero_point, &desc->lhs_multiplier,
             &desc->lhs_shift);
  draw_input(forms, &desc->rhs_zero_point, &desc->rhs_multiplier,
             &desc->rhs_shift);
  desc->input_rounding = random_in(&forms->random, 0, 1);
  desc->requant = draw_requant(forms, &result_forms[op->result]);
  int32_t largest = numbers == NUMBERS_ANY ? 0 : 40;
  fill(&forms->random, arena, op, 0, largest);
  fill(&forms->random, arena, op, 1, largest);
}

static void draw_pool(Forms *forms, LunaArena *arena, RandomOperator *op) {
  Random *random = &forms->random;
  LunaPoolDesc *desc = &op->desc.as.pool;
  int32_t in[2], out[2];
  int32_t type = LUNA_TYPE_I8 + form_draw(forms, FORM_INPUT_TYPE);
  int32_t n = random_in(random, 1, 2), c = random_in(random, 1, 5);
  for (int i = 0; i < 2; ++i) {
    desc->kernel[i] = random_in(random, 1, 4);
    desc->stride[i] = random_in(random, 1, 3);
    desc->pad[2 * i] = random_in(random, 0, desc->kernel[i]);
    desc->pad[2 * i + 1] = random_in(random, 0, desc->kernel[i]);
    in[i] = random_in(random, desc->kernel[i], 7);
    out[i] =
        (in[i] + desc->pad[2 * i] + desc->pad[2 * i + 1] - desc->kernel[i]) /
            desc->stride[i] +
        1;
  }
  desc->input = tensor_desc(type, n, in[0], in[1], c);
  desc->output = tensor_desc(type, n, out[0], out[1], c);
  desc->input_zero_point = random_in(random, -128, 127);
  desc->output_zero_point = random_in(random, -128, 127);
  fill(random, arena, op, 0,
       form_draw(forms, FORM_NUMBERS) == NUMBERS_ANY ? 0 : 1000);
}

static void draw_table_lookup(Forms *forms, LunaArena *arena,
                              RandomOperator *op) {
  Random *random = &forms->random;
  LunaTableDesc *desc = &op->desc.as.table;
  desc->input = tensor_desc(LUNA_TYPE_I8, random_in(random, 1, 3),
                            random_in(random, 1, 3), random_in(random, 1, 5),
                            random_in(random, 1, 16));
  desc->output = desc->input;
  desc->table = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 256);
  fill(random, arena, op, 0, 0);
  fill(random, arena, op, 1, 0);
}

RandomOperator random_operator(Forms *forms, LunaArena *arena) {
  static void (*const draw[LUNA_UNIT_CLASS_COUNT])(Forms *, LunaArena *,
                                                   RandomOperator *) = {
      [LUNA_UNIT_CONV2D] = draw_conv2d,      [LUNA_UNIT_MATMUL] = draw_matmul,
      [LUNA_UNIT_ELTWISE] = draw_eltwise,    [LUNA_UNIT_POOL] = draw_pool,
      [LUNA_UNIT_TABLE] = draw_table_lookup,
  };
  int count = 0;
  const LunaUnitOp *ops = luna_unit_ops(&count);
  int card = form_draw(forms, FORM_OPERATOR);
  const LunaUnitOp *drawn = &ops[card < count ? card : 0];
  RandomOperator op = {.desc.unit_class = drawn->unit_class,
                       .name = drawn->name,
                       .result = NO_RESULT};
  int rows = 0;
  const LunaUnitAttribute *fields =
      luna_unit_class_attributes(drawn->unit_class, &rows);
  draw[drawn->unit_class](forms, arena, &op);
  for (int i = 0; i < rows; ++i)
    if (fields[i].kind == LUNA_ATTRIBUTE_OP_KIND)
      memcpy((char *)&op.desc.as + fields[i].offset_bytes, &drawn->kind,
             sizeof drawn->kind);
  return op;
}
