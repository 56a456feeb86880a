#include "random_operator.h"

#include "luna/eltwise_launches.h"

#include <math.h>
#include <string.h>

// The rows of tiled operators in luna/units.def.
enum { INPUT, WEIGHT, BIAS, TABLE, SCRATCH, OUTPUT };

static bool one_in(Random *random, int32_t count) {
  return random_in(random, 1, count) == 1;
}

static int32_t any_int32(Random *random) {
  return (int32_t)((uint32_t)random_in(random, 0, 0xffff) << 16 |
                   (uint32_t)random_in(random, 0, 0xffff));
}

static int32_t integer_type(Random *random) {
  return random_in(random, LUNA_TYPE_I8, LUNA_TYPE_I32);
}

//===- Contents -----------------------------------------------------------===//

static LunaTensorDesc *desc_of(RandomOperator *op, int row) {
  int count = 0;
  const LunaUnitOperand *rows =
      luna_unit_class_operands(op->desc.unit_class, &count);
  return (LunaTensorDesc *)(void *)((char *)&op->desc.as +
                                    rows[row].offset_bytes);
}

static int64_t element_count(const LunaTensorDesc *desc) {
  return (int64_t)desc->dims[0] * desc->dims[1] * desc->dims[2] * desc->dims[3];
}

size_t operand_bytes(const RandomOperator *op, int row) {
  RandomOperator copy = *op;
  const LunaTensorDesc *desc = desc_of(&copy, row);
  return (size_t)(element_count(desc) * luna_element_bytes(desc->type));
}

// Random elements; of those wider than 8 bits at most `largest` where that is
// not 0.
static void fill(Random *random, LunaArena *arena, RandomOperator *op, int row,
                 int32_t largest) {
  const LunaTensorDesc *desc = desc_of(op, row);
  int32_t bytes = luna_element_bytes(desc->type);
  uint8_t *data = luna_arena_alloc(arena, operand_bytes(op, row), 1);
  op->data[row] = data;
  for (int64_t i = 0; i < element_count(desc); ++i, data += bytes) {
    int64_t value = (int64_t)((uint64_t)(uint32_t)any_int32(random) << 32 |
                              (uint32_t)any_int32(random));
    if (largest > 0 && bytes > 1)
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

static int32_t draw_multiplier(Random *random) {
  return one_in(random, 4) ? any_int32(random)
                           : random_in(random, 1 << 30, INT32_MAX);
}

static int32_t draw_shift(Random *random) {
  return one_in(random, 4) ? random_in(random, 0, 62)
                           : random_in(random, 28, 45);
}

//===- Requantisation -----------------------------------------------------===//

static void draw_clamp(Random *random, LunaRequantDesc *requant, int32_t type) {
  int32_t bits = 8 * luna_element_bytes(type);
  int32_t high = (int32_t)((UINT32_C(1) << (bits - 1)) - 1);
  requant->clamp_min = -high - 1;
  requant->clamp_max = high;
  if (one_in(random, 3)) {
    requant->clamp_min = -random_in(random, 0, 127);
    requant->clamp_max = random_in(random, 0, 127);
  }
  requant->output_zero_point =
      one_in(random, 2) ? 0 : random_in(random, -128, 127);
}

// `type` is that of the output.
static LunaRequantDesc draw_requant(Random *random, int32_t type) {
  bool is_i32 = type == LUNA_TYPE_I32;
  LunaRequantDesc requant = {
      .mode = random_in(random, is_i32 ? LUNA_REQUANT_NONE : LUNA_REQUANT_SHIFT,
                        is_i32 ? LUNA_REQUANT_MULTIPLIER : LUNA_REQUANT_FLOAT),
  };
  draw_clamp(random, &requant, type);
  switch ((LunaRequantMode)requant.mode) {
  case LUNA_REQUANT_NONE:
    break;
  case LUNA_REQUANT_SHIFT:
    requant.shift = one_in(random, 4) ? random_in(random, -31, 62)
                                      : random_in(random, 0, 16);
    break;
  case LUNA_REQUANT_MULTIPLIER:
    requant.multiplier = draw_multiplier(random);
    requant.shift = draw_shift(random);
    requant.rounding = random_in(random, 0, 1);
    requant.per_channel = random_in(random, 0, 1);
    break;
  case LUNA_REQUANT_FLOAT:
    requant.per_channel = random_in(random, 0, 1);
    do // the dialect wants one of its own above 0
      requant.multiplier = scale_bits(random);
    while (requant.multiplier <= 0 || requant.multiplier > 0x7f800000);
    break;
  }
  return requant;
}

static void draw_table(Random *random, LunaArena *arena, RandomOperator *op,
                       const LunaRequantDesc *requant, int32_t channels) {
  if (!requant->per_channel)
    return;
  bool is_float = requant->mode == LUNA_REQUANT_FLOAT;
  *desc_of(op, TABLE) = tensor_desc(is_float ? LUNA_TYPE_F32 : LUNA_TYPE_I32, 1,
                                    1, is_float ? 1 : 2, channels);
  fill(random, arena, op, TABLE, 0);
  for (int32_t c = 0; c < channels; ++c) {
    int32_t factor = is_float ? scale_bits(random) : draw_multiplier(random);
    int32_t shift = draw_shift(random);
    memcpy(op->data[TABLE] + 4 * c, &factor, 4);
    if (!is_float)
      memcpy(op->data[TABLE] + 4 * (channels + c), &shift, 4);
  }
}

//===- Sums of products ---------------------------------------------------===//

// What is left of a product once its shape is there: types, zero points, bias,
// requantisation, contents. Sums of int16 that may lie in the scratch, in 32
// bits, must be small: all but those of a matrix product in one tile.
static void finish_product(Random *random, LunaArena *arena, RandomOperator *op,
                           LunaRequantDesc *requant, LunaTiling *tiling,
                           int32_t *zero_points[2]) {
  LunaTensorDesc *input = desc_of(op, INPUT), *weight = desc_of(op, WEIGHT);
  LunaTensorDesc *output = desc_of(op, OUTPUT);
  int32_t channels = output->dims[3];
  bool is_wide = one_in(random, 4), is_tiled = tiling->out_h > 0;
  input->type = is_wide ? LUNA_TYPE_I16 : LUNA_TYPE_I8;
  weight->type = is_wide && one_in(random, 3) ? LUNA_TYPE_I16 : LUNA_TYPE_I8;
  output->type = integer_type(random);
  if (!is_wide || weight->type == LUNA_TYPE_I8)
    *zero_points[1] = one_in(random, 2) ? random_in(random, -128, 127) : 0;
  if (!is_wide)
    *zero_points[0] = random_in(random, -128, 127);
  *requant = draw_requant(random, output->type);
  tiling->finish = is_tiled && one_in(random, 2);
  tiling->scratch_bytes = (int32_t)(4 * element_count(output));
  bool is_whole = op->desc.unit_class == LUNA_UNIT_MATMUL && !is_tiled;
  int32_t largest = is_wide && !is_whole ? 300 : 0;
  fill(random, arena, op, INPUT, largest);
  fill(random, arena, op, WEIGHT, largest);
  if (!one_in(random, 4)) {
    *desc_of(op, BIAS) = tensor_desc(
        one_in(random, 4) ? LUNA_TYPE_I64 : LUNA_TYPE_I32, 1, 1, 1, channels);
    bool is_any = !is_wide && one_in(random, 4);
    fill(random, arena, op, BIAS, is_any ? 0 : 1 << 20);
  }
  draw_table(random, arena, op, requant, channels);
}

static void draw_conv2d(Random *random, LunaArena *arena, RandomOperator *op) {
  LunaConv2dDesc *desc = &op->desc.as.conv2d;
  *desc = random_conv(random, 5);
  if (!one_in(random, 3))
    desc->tiling = random_tiling(random, desc);
  finish_product(
      random, arena, op, &desc->requant, &desc->tiling,
      (int32_t *[]){&desc->input_zero_point, &desc->weight_zero_point});
}

static void draw_matmul(Random *random, LunaArena *arena, RandomOperator *op) {
  LunaMatmulDesc *desc = &op->desc.as.matmul;
  int32_t n = random_in(random, 1, 3), h = random_in(random, 1, 6);
  int32_t c = random_in(random, 1, 30), w = random_in(random, 1, 6);
  desc->rhs_transposed = random_in(random, 0, 1);
  desc->lhs = tensor_desc(0, 1, n, h, c);
  desc->rhs = desc->rhs_transposed ? tensor_desc(0, 1, n, w, c)
                                   : tensor_desc(0, 1, n, c, w);
  desc->output = tensor_desc(0, 1, n, h, w);
  if (!one_in(random, 3))
    desc->tiling = (LunaTiling){.out_h = random_in(random, 1, h),
                                .out_w = random_in(random, 1, w),
                                .in_c = random_in(random, 1, c)};
  finish_product(random, arena, op, &desc->requant, &desc->tiling,
                 (int32_t *[]){&desc->lhs_zero_point, &desc->rhs_zero_point});
}

//===- The others ---------------------------------------------------------===//

static LunaTensorDesc broadcast_desc(Random *random, int32_t type,
                                     const int32_t *dims) {
  int32_t d[4];
  for (int i = 0; i < 4; ++i)
    d[i] = one_in(random, 5) ? 1 : dims[i];
  if (one_in(random, 5)) // padded
    d[3] = random_in(random, 1, d[3]);
  return tensor_desc(type, d[0], d[1], d[2], d[3]);
}

// Scales by powers of two, and a scratch that holds some of the operands.
static void draw_shifts(Random *random, LunaEltwiseDesc *desc) {
  int32_t scaled = random_in(random, 1, 3), bits[2], *dims = desc->output.dims;
  for (int i = 0; i < 2; ++i)
    bits[i] = random_in(random, 2, 30);
  desc->lhs_multiplier = scaled & 1 ? 1 << bits[0] : 0;
  desc->rhs_multiplier = scaled & 2 ? 1 << bits[1] : 0;
  desc->lhs_shift = bits[0] + random_in(random, 1, one_in(random, 4) ? 31 : 8);
  desc->rhs_shift = bits[1] + random_in(random, 1, one_in(random, 4) ? 31 : 8);
  desc->lhs_zero_point = desc->rhs_zero_point = 0;
  int32_t step = luna_eltwise_scratch_step(desc);
  int32_t bytes =
      luna_eltwise_scratch_loss(desc) +
      random_in(random, step, step * dims[0] * dims[1] * dims[2] * dims[3]);
  desc->scratch = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, bytes);
}

static void draw_eltwise(Random *random, LunaArena *arena, RandomOperator *op) {
  LunaEltwiseDesc *desc = &op->desc.as.eltwise;
  int32_t dims[4], scaled = random_in(random, 0, 3);
  for (int i = 0; i < 4; ++i)
    dims[i] = random_in(random, 1, 4);
  desc->lhs = broadcast_desc(random, integer_type(random), dims);
  desc->rhs = broadcast_desc(random, integer_type(random), dims);
  desc->output =
      tensor_desc(integer_type(random), dims[0], dims[1], dims[2], dims[3]);
  desc->lhs_zero_point = random_in(random, -128, 127);
  desc->rhs_zero_point = one_in(random, 3) ? any_int32(random) : 0;
  desc->lhs_multiplier = scaled & 1 ? draw_multiplier(random) : 0;
  desc->rhs_multiplier = scaled & 2 ? draw_multiplier(random) : 0;
  desc->lhs_shift = draw_shift(random);
  desc->rhs_shift = draw_shift(random);
  desc->input_rounding = random_in(random, 0, 1);
  if (one_in(random, 2))
    draw_shifts(random, desc);
  desc->requant = draw_requant(random, desc->output.type);
  desc->requant.per_channel = 0;
  fill(random, arena, op, 0, one_in(random, 2) ? 1000 : 0);
  fill(random, arena, op, 1, one_in(random, 2) ? 1000 : 0);
}

static void draw_pool(Random *random, LunaArena *arena, RandomOperator *op) {
  LunaPoolDesc *desc = &op->desc.as.pool;
  int32_t in[2], out[2], type = integer_type(random);
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
  fill(random, arena, op, 0, one_in(random, 2) ? 1000 : 0);
}

static void draw_table_lookup(Random *random, LunaArena *arena,
                              RandomOperator *op) {
  LunaTableDesc *desc = &op->desc.as.table;
  desc->input = tensor_desc(LUNA_TYPE_I8, random_in(random, 1, 3),
                            random_in(random, 1, 3), random_in(random, 1, 5),
                            random_in(random, 1, 16));
  desc->output = desc->input;
  desc->table = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 256);
  fill(random, arena, op, 0, 0);
  fill(random, arena, op, 1, 0);
}

RandomOperator random_operator(Random *random, LunaArena *arena) {
  static void (*const draw[LUNA_UNIT_CLASS_COUNT])(Random *, LunaArena *,
                                                   RandomOperator *) = {
      [LUNA_UNIT_CONV2D] = draw_conv2d,      [LUNA_UNIT_MATMUL] = draw_matmul,
      [LUNA_UNIT_ELTWISE] = draw_eltwise,    [LUNA_UNIT_POOL] = draw_pool,
      [LUNA_UNIT_TABLE] = draw_table_lookup,
  };
  int count = 0;
  const LunaUnitOp *ops = luna_unit_ops(&count);
  const LunaUnitOp *drawn = &ops[random_in(random, 0, count - 1)];
  RandomOperator op = {.desc.unit_class = drawn->unit_class,
                       .name = drawn->name};
  int rows = 0;
  const LunaUnitAttribute *fields =
      luna_unit_class_attributes(drawn->unit_class, &rows);
  draw[drawn->unit_class](random, arena, &op);
  for (int i = 0; i < rows; ++i)
    if (fields[i].kind == LUNA_ATTRIBUTE_OP_KIND)
      memcpy((char *)&op.desc.as + fields[i].offset_bytes, &drawn->kind,
             sizeof drawn->kind);
  return op;
}
