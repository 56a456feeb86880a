#include <string.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_machine.h"
#include "verify_operators.h"
#include "verify_weights.h"

// A constant operand with a separate part for each output channel.
typedef struct Part {
  const uint8_t *bytes; // NULL if absent
  int64_t outer, inner_bytes;
} Part;

typedef struct Product {
  LunaSide *side;
  MlirOperation op;
  int64_t channels;
  LunaPlainWeights weights;
  Part parts[3];
  LunaTerm common; // what all channels share
} Product;

// The axis of the output channels in the weights, or -1.
static intptr_t weight_axis(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_MATMUL))
    return mlirAttributeIsNull(luna_attr(op, "rhs_transposed")) ? 2 : 1;
  bool is_product = luna_op_is(op, LUNA_OP_LUNA_CONV2D) &&
                    luna_attr_int(op, "kind", 0) != LUNA_CONV_DEPTHWISE;
  return is_product ? 0 : -1;
}

static MlirType type_of(const Product *product, LunaOperandRole role) {
  return role == LUNA_ROLE_WEIGHT
             ? product->weights.type
             : mlirValueGetType(luna_unit_operand(product->op, role));
}

static bool read_part(Product *product, int index, LunaOperandRole role,
                      intptr_t axis) {
  MlirValue operand = luna_unit_operand(product->op, role);
  if (mlirValueIsNull(operand))
    return true;
  MlirType type = type_of(product, role);
  Part *part = &product->parts[index];
  *part = (Part){.bytes = role == LUNA_ROLE_WEIGHT
                              ? product->weights.bytes
                              : luna_verify_constant(product->side, operand),
                 .outer = 1,
                 .inner_bytes = luna_element_type_bytes(
                     mlirShapedTypeGetElementType(type))};
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (i != axis)
      *(i < axis ? &part->outer : &part->inner_bytes) *=
          mlirShapedTypeGetDimSize(type, i);
  return part->bytes != NULL &&
         mlirShapedTypeGetDimSize(type, axis) == product->channels;
}

// The bias before a zero point was folded in, else the operand.
static bool read_bias(Product *product, const int32_t *unfolded) {
  if (!unfolded)
    return read_part(product, 1, LUNA_ROLE_BIAS, 0);
  product->parts[1] = (Part){(const uint8_t *)unfolded, 1, sizeof *unfolded};
  return true;
}

static bool read_product(Product *product, const int32_t *unfolded) {
  MlirOperation op = product->op;
  intptr_t axis = weight_axis(op);
  if (axis < 0)
    return false;
  product->weights = luna_verify_weights(product->side, op);
  MlirType weight = type_of(product, LUNA_ROLE_WEIGHT);
  MlirValue table = luna_unit_operand(op, LUNA_ROLE_TABLE);
  intptr_t table_axis =
      mlirValueIsNull(table)
          ? 0
          : (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(table)) - 1;
  product->channels = mlirShapedTypeGetDimSize(weight, axis);
  return read_part(product, 0, LUNA_ROLE_WEIGHT, axis) &&
         read_bias(product, unfolded) &&
         read_part(product, 2, LUNA_ROLE_TABLE, table_axis);
}

// An absent bias is one of zeros.
static void record_bias(LunaRecord *record, MlirOperation op) {
  MlirValue bias = luna_unit_operand(op, LUNA_ROLE_BIAS);
  MlirType element = mlirIntegerTypeGet(mlirOperationGetContext(op), 32);
  if (!mlirValueIsNull(bias))
    element = mlirShapedTypeGetElementType(mlirValueGetType(bias));
  luna_record_pointer(record, element.ptr);
}

// The types of all operands, without the number of channels.
static void record_shapes(LunaRecord *record, const Product *product) {
  MlirOperation op = product->op;
  record_bias(record, op);
  for (intptr_t i = 0; i <= LUNA_ROLE_OUTPUT; ++i) {
    MlirValue operand = luna_unit_operand(op, (LunaOperandRole)i);
    if (i == LUNA_ROLE_SCRATCH || i == LUNA_ROLE_BIAS ||
        mlirValueIsNull(operand))
      continue;
    MlirType type = type_of(product, (LunaOperandRole)i);
    luna_record_word(record, (uint64_t)i);
    luna_record_pointer(record, mlirShapedTypeGetElementType(type).ptr);
    intptr_t rank = mlirShapedTypeGetRank(type);
    for (intptr_t d = 0; d < rank; ++d) {
      bool is_channels = (i == LUNA_ROLE_WEIGHT && d == weight_axis(op)) ||
                         (i > LUNA_ROLE_BIAS && d == rank - 1);
      luna_record_word(
          record,
          is_channels ? 0 : (uint64_t)mlirShapedTypeGetDimSize(type, d));
    }
  }
}

static void record_common(Product *product) {
  LunaRecord record = {.side = product->side};
  luna_record_head(&record, LUNA_TERM_RESULT, product->op);
  record_shapes(&record, product);
  MlirValue input = luna_unit_operand(product->op, LUNA_ROLE_INPUT);
  luna_record_term(
      &record, luna_side_contents(product->side,
                                  luna_side_get(product->side, input).pointer));
  product->common = luna_record_finish(&record);
}

// The part of one channel: its bytes if they fit a word, else their term. Their
// number is the same in all records with the same `common`.
static uint64_t slice_of(const Product *product, const Part *part,
                         int64_t channel) {
  if (!part->bytes)
    return LUNA_TERM_UNDEFINED;
  int64_t byte_count = part->outer * part->inner_bytes;
  const uint8_t *bytes = part->bytes + channel * part->inner_bytes;
  if (part->outer > 1) {
    uint8_t *copy = LUNA_ARENA_ARRAY(product->side->arena, uint8_t, byte_count);
    for (int64_t i = 0; i < part->outer; ++i)
      memcpy(copy + i * part->inner_bytes,
             bytes + i * product->channels * part->inner_bytes,
             (size_t)part->inner_bytes);
    bytes = copy;
  }
  uint64_t word = 0;
  if (byte_count > (int64_t)sizeof word)
    return luna_term_bytes(product->side->terms, bytes, byte_count);
  memcpy(&word, bytes, (size_t)byte_count);
  return word;
}

static LunaTerm channel_term(const Product *product, int64_t channel) {
  LunaTerms *terms = product->side->terms;
  uint64_t words[5] = {LUNA_TERM_CHANNEL, product->common};
  for (int i = 0; i < 3; ++i)
    words[2 + i] = slice_of(product, &product->parts[i], channel);
  return luna_term(terms, words, 5, luna_term_loops(terms, product->common));
}

//===----------------------------------------------------------------------===//
// Terms of the results
//===----------------------------------------------------------------------===//

// Consecutive channels that are also consecutive in the operator that computed
// them first: they have the terms of that operator's result.
typedef struct Stretch {
  LunaTermHome home;
  int64_t channels;
} Stretch;

static int64_t element_bytes(MlirOperation op) {
  return luna_element_type_bytes(
      mlirShapedTypeGetElementType(mlirValueGetType(luna_unit_output(op))));
}

static uint32_t find_stretches(const Product *product, const LunaTerm *channels,
                               Stretch *stretches) {
  LunaTerms *terms = product->side->terms;
  LunaRecord record = {.side = product->side};
  luna_record_word(&record, LUNA_TERM_CHANNELS);
  for (int64_t c = 0; c < product->channels; ++c)
    luna_record_term(&record, channels[c]);
  LunaTerm own = luna_record_finish(&record);
  uint32_t count = 0;
  for (int64_t c = 0; c < product->channels; ++c) {
    LunaTermHome home = luna_term_home(
        terms, channels[c], (LunaTermHome){own, c, product->channels});
    Stretch *last = count > 0 ? &stretches[count - 1] : NULL;
    if (last && last->home.term == home.term &&
        last->home.index + last->channels == home.index)
      ++last->channels;
    else
      stretches[count++] = (Stretch){home, 1};
  }
  return count;
}

static LunaRuns name_results(const Product *product, const LunaTerm *channels) {
  LunaSide *side = product->side;
  Stretch *stretches =
      LUNA_ARENA_ARRAY(side->arena, Stretch, product->channels);
  uint32_t count = find_stretches(product, channels, stretches);
  int64_t each = element_bytes(product->op);
  int64_t positions =
      luna_shaped_bytes(mlirValueGetType(luna_unit_output(product->op))) /
      (each * product->channels);
  LunaRuns runs = {0};
  for (int64_t p = 0; p < positions; ++p)
    for (uint32_t i = 0; i < count; ++i) {
      const Stretch *stretch = &stretches[i];
      int64_t first = p * stretch->home.index_count + stretch->home.index;
      luna_runs_append(side->arena, &runs, stretch->channels * each,
                       (LunaByte){stretch->home.term, first * each});
    }
  return runs;
}

bool luna_verify_channels(LunaSide *side, MlirOperation op,
                          const int32_t *unfolded) {
  Product product = {.side = side, .op = op};
  if (!side->cuts_channels || !read_product(&product, unfolded))
    return false;
  record_common(&product);
  uint32_t known = side->terms->entries.count;
  LunaTerm *channels =
      LUNA_ARENA_ARRAY(side->arena, LunaTerm, product.channels);
  bool is_unknown = false;
  for (int64_t c = 0; c < product.channels; ++c) {
    channels[c] = channel_term(&product, c);
    is_unknown |= channels[c] >= known;
  }
  if (is_unknown)
    luna_side_computed(side, op);
  LunaRuns runs = name_results(&product, channels);
  luna_side_write(side, luna_side_get(side, luna_unit_output(op)).pointer,
                  &runs);
  MlirValue scratch = luna_unit_operand(op, LUNA_ROLE_SCRATCH);
  if (!mlirValueIsNull(scratch))
    luna_side_forget(side, luna_side_get(side, scratch).pointer);
  return true;
}
