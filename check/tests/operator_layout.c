#include "check.h"
#include "luna/chain_cost.h"
#include "luna/finish.h"
#include "luna/fold.h"
#include "luna/slots.h"
#include "luna/tiling.h"
#include "luna/weight_layout.h"
#include "operator_places.h"

// The operands of random operators as they lie in memory.

static int row_count(const LunaUnitDesc *desc) {
  int count = 0;
  luna_unit_class_operands(desc->unit_class, &count);
  return count;
}

uint8_t *scratch_create(LunaArena *arena, int64_t bytes) {
  uint8_t *scratch = luna_arena_alloc(arena, (uint64_t)bytes + 1, 8);
  memset(scratch, GUARD, (size_t)bytes + 1);
  return scratch;
}

void scratch_check(const uint8_t *scratch, int64_t bytes) {
  CHECK_EQ(scratch[bytes], GUARD);
}

//===- Layouts ------------------------------------------------------------===//

static void set_planes(LunaTensorDesc *desc) {
  const int32_t *dims = desc->dims;
  int32_t plane = dims[1] * dims[2];
  desc->strides[0] = plane * dims[3];
  desc->strides[1] = dims[2];
  desc->strides[2] = 1;
  desc->strides[3] = plane;
}

static void copy_box(const LunaTensorDesc *from_desc, const uint8_t *from,
                     const LunaTensorDesc *to_desc, uint8_t *to) {
  const int32_t *dims = from_desc->dims;
  const int32_t *a = from_desc->strides, *b = to_desc->strides;
  int32_t bytes = luna_element_bytes(from_desc->type);
  for (int32_t i = 0; i < dims[0]; ++i)
    for (int32_t j = 0; j < dims[1]; ++j)
      for (int32_t k = 0; k < dims[2]; ++k)
        for (int32_t c = 0; c < dims[3]; ++c)
          memcpy(to + bytes * (i * b[0] + j * b[1] + k * b[2] + c * b[3]),
                 from + bytes * (i * a[0] + j * a[1] + k * a[2] + c * a[3]),
                 (size_t)bytes);
}

// Returns true if the tensor in a row may have planes: what is no parameter.
static bool has_planes(const LunaUnitDesc *desc, LayoutForm layout, int row) {
  bool is_output = row == row_count(desc) - 1;
  bool is_tensor = is_output || row == 0 ||
                   (desc->unit_class == LUNA_UNIT_ELTWISE && row == 1);
  return is_tensor && desc->unit_class != LUNA_UNIT_MATMUL &&
         (layout == LAYOUT_PLANES ||
          (layout == LAYOUT_PLANES_OUT && is_output));
}

Laid operator_lay_out(const RandomOperator *op, LayoutForm layout,
                      LunaArena *arena) {
  Laid laid = {.op = op, .desc = op->desc};
  int count = row_count(&op->desc);
  for (int row = 0; row < count; ++row) {
    LunaTensorDesc *desc = operand_desc_of(&laid.desc, row);
    const LunaTensorDesc dense = *desc;
    if (!op->data[row] && row != count - 1)
      continue;
    if (has_planes(&op->desc, layout, row))
      set_planes(desc);
    laid.data[row] = luna_arena_alloc(arena, operand_bytes(op, row), 8);
    if (op->data[row])
      copy_box(&dense, op->data[row], desc, laid.data[row]);
  }
  return laid;
}

const uint8_t *operator_output(const Laid *laid, LunaArena *arena) {
  int row = row_count(&laid->desc) - 1;
  LunaUnitDesc desc = laid->desc, dense = laid->op->desc;
  uint8_t *output = luna_arena_alloc(arena, operand_bytes(laid->op, row), 8);
  copy_box(operand_desc_of(&desc, row), laid->data[row],
           operand_desc_of(&dense, row), output);
  return output;
}

//===- Products -----------------------------------------------------------===//

LunaTiling *product_tiling(LunaUnitDesc *desc) {
  return desc->unit_class == LUNA_UNIT_MATMUL ? &desc->as.matmul.tiling
                                              : &desc->as.conv2d.tiling;
}

const LunaRequantDesc *product_requant(const LunaUnitDesc *desc) {
  return desc->unit_class == LUNA_UNIT_MATMUL ? &desc->as.matmul.requant
                                              : &desc->as.conv2d.requant;
}

bool product_has_chain(const Laid *laid, const LunaMachine *machine,
                       LunaFinish finish) {
  const LunaRequantDesc *requant = product_requant(&laid->desc);
  LunaUnitDesc desc = laid->desc;
  if (laid->op->has_long_sums ||
      !luna_finish_is_legal(machine, desc.unit_class, &desc.as, finish))
    return false;
  const int32_t *table = (const int32_t *)(const void *)laid->data[TABLE];
  int32_t channels = operand_desc_of(&desc, OUTPUT)->dims[3];
  return !requant->per_channel ||
         luna_finish_takes_channels(requant, table, table + channels, channels);
}

LunaFinish product_chain(const Laid *laid, const LunaMachine *machine) {
  for (LunaFinish finish = LUNA_FINISH_UNIT; finish <= LUNA_FINISH_STRIPS;
       ++finish)
    if (product_has_chain(laid, machine, finish))
      return finish;
  return LUNA_FINISH_CORE;
}

// Returns the element at which an operator has the weight `at`.
static int32_t plain_place(const LunaConv2dDesc *desc,
                           const int32_t at[LUNA_WEIGHT_AXES]) {
  const int32_t *strides = desc->weight.strides;
  if (desc->kind == LUNA_CONV_DEPTHWISE)
    return at[1] * strides[0] + at[2] * strides[1] + at[0] * strides[2];
  return at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2] +
         at[3] * strides[3];
}

bool product_pack(Laid *laid, const LunaMachine *machine, LunaArena *arena) {
  LunaConv2dDesc *desc = &laid->desc.as.conv2d, plain = *desc;
  int32_t extents[LUNA_WEIGHT_AXES], at[LUNA_WEIGHT_AXES];
  if (laid->desc.unit_class != LUNA_UNIT_CONV2D ||
      !luna_tiling_pack(machine, desc))
    return false;
  luna_conv2d_weights(&plain, extents);
  int32_t count = desc->weight.dims[3];
  uint8_t *packed = luna_arena_alloc(arena, (uint64_t)count, 1);
  memset(packed, GUARD, (size_t)count);
  for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
      for (at[2] = 0; at[2] < extents[2]; ++at[2])
        for (at[3] = 0; at[3] < extents[3]; ++at[3])
          packed[luna_weight_layout_index(desc->weight_layout, extents, at)] =
              laid->data[WEIGHT][plain_place(&plain, at)];
  laid->data[WEIGHT] = packed;
  return true;
}

bool product_fold(const RandomOperator *op, LunaArena *arena,
                  RandomOperator *folded) {
  int32_t rows = luna_fold_rows(&op->desc);
  *folded = *op;
  LunaUnitDesc *desc = &folded->desc;
  if (rows == 0 || operand_desc_of(desc, INPUT)->type != LUNA_TYPE_I8 ||
      (op->data[BIAS] && operand_desc_of(desc, BIAS)->type != LUNA_TYPE_I32))
    return false;
  int32_t channels = operand_desc_of(desc, OUTPUT)->dims[3];
  int32_t *bias = LUNA_ARENA_ARRAY(arena, int32_t, (int64_t)rows *channels);
  if (!luna_fold_bias(desc, (const int8_t *)op->data[WEIGHT],
                      (const int32_t *)(const void *)op->data[BIAS], arena,
                      bias))
    return false;
  folded->data[BIAS] = (uint8_t *)bias;
  folded->is_folded = true;
  *operand_desc_of(desc, BIAS) =
      tensor_desc(LUNA_TYPE_I32, 1, 1, rows, channels);
  if (rows > 1)
    product_tiling(desc)->finish = LUNA_FINISH_CORE;
  if (desc->unit_class == LUNA_UNIT_MATMUL)
    desc->as.matmul.lhs_zero_point = 0;
  else
    desc->as.conv2d.input_zero_point = 0;
  return true;
}

LunaTiling product_whole_tiling(LunaUnitDesc *desc) {
  const int32_t *out = operand_desc_of(desc, OUTPUT)->dims;
  const int32_t *in = operand_desc_of(desc, INPUT)->dims;
  const int32_t *weight = operand_desc_of(desc, WEIGHT)->dims;
  if (desc->unit_class == LUNA_UNIT_MATMUL)
    return (LunaTiling){.out_h = out[2], .out_w = out[3], .in_c = in[3]};
  bool is_depthwise = desc->as.conv2d.kind == LUNA_CONV_DEPTHWISE;
  return (LunaTiling){.out_h = out[1],
                      .out_w = out[2],
                      .out_c = out[3],
                      .in_c = in[3],
                      .kernel_h = weight[is_depthwise ? 0 : 1],
                      .kernel_w = weight[is_depthwise ? 1 : 2]};
}

// The most bytes that a tile needs.
static int64_t tile_bytes(const LunaUnitDesc *desc,
                          const LunaVectorChain *chain) {
  LunaTiles tiles;
  LunaLaunch launch;
  int64_t most = 0;
  if (desc->unit_class == LUNA_UNIT_MATMUL)
    luna_tiles_matmul_begin(&tiles, &desc->as.matmul);
  else
    luna_tiles_conv2d_begin(&tiles, &desc->as.conv2d);
  while (luna_tiles_next(&tiles, &launch)) {
    int64_t bytes = luna_chain_launch_bytes(chain, &launch);
    most = bytes > most ? bytes : most;
  }
  return most;
}

// Keeps the slots that were drawn where the tiles can have them.
static void set_slots(LunaUnitDesc *desc) {
  LunaTiling *tiling = product_tiling(desc);
  const LunaTiling drawn = *tiling;
  tiling->scratch_bytes = INT32_MAX / 8 * 8;
  if (!luna_unit_class(desc->unit_class)->check_slots(&desc->as, NULL))
    tiling->slots = 1;
  tiling->scratch_bytes = drawn.scratch_bytes;
}

void product_tile(Laid *laid, LunaFinish finish, LunaArena *arena) {
  LunaTiling *tiling = product_tiling(&laid->desc);
  LunaVectorChain chain;
  if (tiling->out_h == 0)
    *tiling = laid->op->tiling.out_h > 0 ? laid->op->tiling
                                         : product_whole_tiling(&laid->desc);
  tiling->finish = finish;
  luna_finish_of(finish, product_requant(&laid->desc),
                 operand_desc_of(&laid->desc, OUTPUT)->type, &chain);
  set_slots(&laid->desc);
  int64_t bytes = tile_bytes(&laid->desc, &chain);
  if (tiling->slots > 1)
    bytes *= tiling->slots;
  CHECK(tiling->scratch_bytes == 0 || bytes <= tiling->scratch_bytes);
  tiling->scratch_bytes = (int32_t)bytes;
  laid->data[SCRATCH] = scratch_create(arena, bytes);
}

bool product_has_own_sums(const Laid *laid) {
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, &laid->desc.as.conv2d);
  while (luna_tiles_next(&tiles, &launch))
    if (!launch.is_first)
      return true;
  return false;
}
