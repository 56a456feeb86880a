// What packed weights are, read by the names of their dimensions: with code
// that shares nothing with the one that packs (luna/weight_layout.h).

#include "verify_weights.h"

#include <ctype.h>
#include <string.h>

#include "luna-c/ops.h"
#include "luna/runtime.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_operators.h"

// The axes as a program orders them: OHWI, or HWC.
enum { OUT, ROW, COLUMN, IN, AXES };

// A dimension of packed weights: one step along it is `step` places of its
// axis.
typedef struct Dimension {
  int axis;
  int64_t extent, step;
} Dimension;

typedef struct Packed {
  int64_t extents[AXES];
  bool is_depthwise;
  Dimension dimensions[16];
  int count;
} Packed;

static bool are_packed(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_LUNA_CONV2D) &&
         luna_attr_string(op, "weight_layout").data;
}

static int axis_of(char letter) {
  switch (tolower((unsigned char)letter)) {
  case 'h':
    return ROW;
  case 'w':
    return COLUMN;
  case 'i':
    return IN;
  default:
    return OUT;
  }
}

// Returns the block that an upper-case letter counts, further in.
static int64_t block_behind(const char *at, const char *end) {
  for (const char *inner = at + 1; inner < end; ++inner)
    if (*inner == tolower((unsigned char)*at)) {
      int64_t block = 0, ten = 1;
      for (const char *digit = inner - 1; isdigit((unsigned char)*digit);
           --digit, ten *= 10)
        block += ten * (*digit - '0');
      return block;
    }
  return 1;
}

static void add_dimension(Packed *packed, const char *at, const char *end,
                          int64_t number) {
  Dimension *dimension = &packed->dimensions[packed->count++];
  *dimension = (Dimension){.axis = axis_of(*at), .extent = number, .step = 1};
  if (number > 0)
    return;
  if (isupper((unsigned char)*at))
    dimension->step = block_behind(at, end);
  int64_t extent = packed->extents[dimension->axis];
  dimension->extent = (extent + dimension->step - 1) / dimension->step;
}

// The operator's verifier has seen that the layout is one.
static void read_dimensions(Packed *packed, MlirStringRef layout) {
  const char *end = layout.data + layout.length;
  int64_t number = 0;
  for (const char *at = layout.data; at < end; ++at) {
    if (isdigit((unsigned char)*at)) {
      number = 10 * number + (*at - '0');
      continue;
    }
    add_dimension(packed, at, end, number);
    number = 0;
  }
}

static Packed packed_of(MlirOperation op) {
  int64_t kernel[2] = {1, 1};
  luna_attr_ints(op, "weight_kernel", kernel, 2);
  MlirType input = mlirValueGetType(luna_unit_operand(op, LUNA_ROLE_INPUT));
  MlirType output = mlirValueGetType(luna_unit_output(op));
  bool is_depthwise = luna_attr_int(op, "kind", 0) == LUNA_CONV_DEPTHWISE;
  Packed packed = {
      .extents = {mlirShapedTypeGetDimSize(output, 3), kernel[0], kernel[1],
                  is_depthwise ? 1 : mlirShapedTypeGetDimSize(input, 3)},
      .is_depthwise = is_depthwise,
  };
  read_dimensions(&packed, luna_attr_string(op, "weight_layout"));
  return packed;
}

static MlirType plain_type(const Packed *packed, MlirType element) {
  const int64_t *extents = packed->extents;
  const int64_t ohwi[] = {extents[OUT], extents[ROW], extents[COLUMN],
                          extents[IN]};
  const int64_t hwcm[] = {extents[ROW], extents[COLUMN], extents[OUT], 1};
  return mlirRankedTensorTypeGet(AXES, packed->is_depthwise ? hwcm : ohwi,
                                 element, mlirAttributeGetNull());
}

// Returns where a program has the weight, or -1 for a lane that fills a block.
static int64_t plain_place(const Packed *packed, const int64_t at[AXES]) {
  const int64_t *extents = packed->extents;
  for (int i = 0; i < AXES; ++i)
    if (at[i] >= extents[i])
      return -1;
  if (packed->is_depthwise)
    return (at[ROW] * extents[COLUMN] + at[COLUMN]) * extents[OUT] + at[OUT];
  return ((at[OUT] * extents[ROW] + at[ROW]) * extents[COLUMN] + at[COLUMN]) *
             extents[IN] +
         at[IN];
}

// Writes the axes of the packed byte `index`, whose last dimension is the
// fastest.
static void decode(const Packed *packed, int64_t index, int64_t at[AXES]) {
  memset(at, 0, AXES * sizeof *at);
  for (int i = packed->count; i-- > 0;) {
    const Dimension *dimension = &packed->dimensions[i];
    at[dimension->axis] += index % dimension->extent * dimension->step;
    index /= dimension->extent;
  }
}

static bool unpack(const Packed *packed, const uint8_t *from, int64_t count,
                   uint8_t *to) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t at[AXES];
    decode(packed, i, at);
    int64_t place = plain_place(packed, at);
    if (place >= 0)
      to[place] = from[i];
    else if (from[i] != 0)
      return false;
  }
  return true;
}

LunaPlainWeights luna_verify_weights(LunaSide *side, MlirOperation op) {
  MlirValue operand = luna_unit_operand(op, LUNA_ROLE_WEIGHT);
  LunaPlainWeights weights = {mlirValueGetType(operand),
                              luna_verify_constant(side, operand)};
  if (!are_packed(op))
    return weights;
  Packed packed = packed_of(op);
  int64_t count = luna_shaped_bytes(weights.type);
  const uint8_t *bytes = weights.bytes;
  weights.type =
      plain_type(&packed, mlirShapedTypeGetElementType(weights.type));
  uint8_t *plain =
      LUNA_ARENA_ARRAY(side->arena, uint8_t, luna_shaped_bytes(weights.type));
  weights.bytes = bytes && unpack(&packed, bytes, count, plain) ? plain : NULL;
  return weights;
}

bool luna_record_weights(LunaRecord *record, MlirOperation op, intptr_t i) {
  if (!are_packed(op) || i != luna_unit_operand_index(op, LUNA_ROLE_WEIGHT))
    return false;
  LunaPlainWeights weights = luna_verify_weights(record->side, op);
  if (weights.bytes)
    luna_record_constant(record, weights.type, weights.bytes);
  return weights.bytes != NULL;
}
