#include <string.h>

#include "kernels.h"
#include "random_operator.h"

// The parts of a product that a tie is made of.
typedef struct Product {
  RandomOperator *op;
  LunaRequantDesc *requant;
  int32_t channels;
} Product;

// Returns the sums of a product, bias included, as the unit gives them.
static int32_t *sums_of(const RandomOperator *op, LunaArena *arena) {
  RandomOperator plain = *op;
  LunaTensorDesc *output = operand_desc_of(&plain.desc, OUTPUT);
  const LunaRequantDesc none = {.mode = LUNA_REQUANT_NONE};
  output->type = LUNA_TYPE_I32;
  size_t count = (size_t)element_count(output);
  int32_t *sums = LUNA_ARENA_ARRAY(arena, int32_t, count);
  const LunaKernelOperands operands = {
      .input = op->data[INPUT],
      .weight = op->data[WEIGHT],
      .bias = op->data[BIAS],
      .scratch = LUNA_ARENA_ARRAY(arena, int32_t, count),
      .output = sums,
  };
  if (op->desc.unit_class == LUNA_UNIT_CONV2D) {
    plain.desc.as.conv2d.requant = none;
    luna_kernel_conv2d(&plain.desc.as.conv2d, &operands);
  } else {
    plain.desc.as.matmul.requant = none;
    luna_kernel_matmul(&plain.desc.as.matmul, &operands);
  }
  return sums;
}

// Halves the sums of a channel, and then divides them by 2^halvings. Other
// channels that no chain takes become alike.
static void set_scale(const Product *product, int32_t channel,
                      int32_t halvings) {
  const int32_t multiplier = 1 << 30, shift = 31 + halvings;
  product->requant->multiplier = multiplier;
  product->requant->shift = shift;
  if (!product->requant->per_channel)
    return;
  uint8_t *table = product->op->data[TABLE];
  for (int32_t c = 0; c < product->channels; ++c) {
    uint8_t *own = table + 4 * c, *own_shift = own + 4 * product->channels;
    int32_t old[2];
    memcpy(&old[0], own, 4);
    memcpy(&old[1], own_shift, 4);
    if (c != channel && old[0] >= 0 && old[1] >= 32 && old[1] <= 45)
      continue;
    memcpy(own, &multiplier, 4);
    memcpy(own_shift, &shift, 4);
  }
}

static void add_to_bias(RandomOperator *op, int32_t channel, int64_t amount) {
  int32_t bytes = luna_element_bytes(operand_desc_of(&op->desc, BIAS)->type);
  int64_t bias = 0;
  if (bytes == 8) {
    memcpy(&bias, op->data[BIAS] + 8 * channel, 8);
    bias += amount;
    memcpy(op->data[BIAS] + 8 * channel, &bias, 8);
    return;
  }
  int32_t narrow;
  memcpy(&narrow, op->data[BIAS] + 4 * channel, 4);
  narrow = (int32_t)((uint32_t)narrow + (uint32_t)(uint64_t)amount);
  memcpy(op->data[BIAS] + 4 * channel, &narrow, 4);
}

// The sum is -2^halvings; of its half, the last `halvings` bits are a tie.
void operator_make_tie(Random *random, RandomOperator *op,
                       LunaRequantDesc *requant, LunaArena *arena) {
  const LunaTensorDesc *output = operand_desc_of(&op->desc, OUTPUT);
  int32_t bits = 8 * luna_element_bytes(output->type);
  if (requant->mode != LUNA_REQUANT_MULTIPLIER ||
      requant->rounding != LUNA_ROUND_DOUBLE || !op->data[BIAS])
    return;
  Product product = {op, requant, output->dims[3]};
  int32_t at = random_in(random, 0, (int32_t)element_count(output) - 1);
  int32_t channel = at % product.channels, halvings = random_in(random, 1, 6);
  set_scale(&product, channel, halvings);
  requant->output_zero_point = random_in(random, -100, 100);
  requant->clamp_max = (int32_t)((UINT32_C(1) << (bits - 1)) - 1);
  requant->clamp_min = -requant->clamp_max - 1;
  int64_t sum = sums_of(op, arena)[at];
  add_to_bias(op, channel, -(INT64_C(1) << halvings) - sum);
  op->has_tie = true;
}
