#include <stdlib.h>

#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_machine.h"

MlirType luna_tensor_like(MlirType memref) {
  int64_t shape[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(memref);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(memref, i);
  return mlirRankedTensorTypeGet(rank, shape,
                                 mlirShapedTypeGetElementType(memref),
                                 mlirAttributeGetNull());
}

// Takes shape and strides from the type; keeps the offset.
static bool shape_place(LunaPlace *place, MlirType type) {
  int64_t offset = 0;
  place->rank = mlirShapedTypeGetRank(type);
  place->element_bytes =
      luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  if (luna_shaped_bytes(type) < 0 ||
      !luna_memref_strides(type, &offset, place->strides))
    return false;
  for (intptr_t i = 0; i < place->rank; ++i) {
    place->shape[i] = mlirShapedTypeGetDimSize(type, i);
    if (mlirShapedTypeIsDynamicStrideOrOffset(place->strides[i]) ||
        !luna_checked_mul_signed(place->strides[i], place->element_bytes,
                                 &place->strides[i]))
      return false;
  }
  return true;
}

// Moves one end of `*span` by that of the last element in dimension `i`.
static bool extend_span(const LunaPlace *place, intptr_t i, LunaPiece *span) {
  int64_t *end = place->strides[i] < 0 ? &span->begin : &span->end, last = 0;
  return luna_checked_mul_signed(place->shape[i] - 1, place->strides[i],
                                 &last) &&
         luna_checked_add_signed(*end, last, end);
}

static bool find_span(const LunaPlace *place, LunaPiece *span) {
  *span = (LunaPiece){place->offset_bytes, place->offset_bytes};
  for (intptr_t i = 0; i < place->rank; ++i)
    if (place->shape[i] == 0)
      return true;
  for (intptr_t i = 0; i < place->rank; ++i)
    if (!extend_span(place, i, span))
      return false;
  return luna_checked_add_signed(span->end, place->element_bytes, &span->end);
}

LunaPiece luna_place_span(const LunaPlace *place) {
  LunaPiece span;
  find_span(place, &span); // luna_side_point has checked that it ends
  return span;
}

bool luna_place_is_inside(const LunaPlace *place) {
  LunaPiece span = luna_place_span(place);
  int64_t begin = place->buffer->begin_bytes;
  return luna_place_bytes(place) == 0 ||
         (span.begin >= begin && span.end - begin <= place->buffer->size_bytes);
}

const LunaPlace *luna_side_point(LunaSide *side, MlirType type,
                                 const LunaBuffer *buffer,
                                 int64_t offset_bytes) {
  LunaPlace *place = LUNA_ARENA_ARRAY(side->arena, LunaPlace, 1);
  *place = (LunaPlace){
      .memory = buffer->memory, .buffer = buffer, .offset_bytes = offset_bytes};
  LunaPiece span;
  return shape_place(place, type) && find_span(place, &span) ? place : NULL;
}

bool luna_place_equal(const LunaPlace *a, const LunaPlace *b) {
  bool is_same = a->memory == b->memory && a->offset_bytes == b->offset_bytes &&
                 a->element_bytes == b->element_bytes && a->rank == b->rank &&
                 a->window == b->window;
  for (intptr_t i = 0; is_same && i < a->rank; ++i)
    is_same = a->shape[i] == b->shape[i] && a->strides[i] == b->strides[i];
  return is_same;
}

bool luna_pointer_equal(const LunaPointer *a, const LunaPointer *b) {
  bool is_equal = a->count == b->count;
  for (uint64_t i = 0; a != b && is_equal && i < a->count; ++i)
    is_equal = a->items[i].condition == b->items[i].condition &&
               luna_place_equal(a->items[i].place, b->items[i].place);
  return is_equal;
}

LunaPointer *luna_pointer_to(LunaSide *side, const LunaPlace *place) {
  LunaPointer *pointer = LUNA_ARENA_ARRAY(side->arena, LunaPointer, 1);
  if (place)
    *LUNA_VECTOR_ADD(side->arena, pointer) =
        (LunaOption){place, LUNA_TERM_TRUE};
  return pointer;
}

static LunaOption *find_option(const LunaPointer *pointer,
                               const LunaPlace *place) {
  for (uint64_t i = 0; i < pointer->count; ++i)
    if (luna_place_equal(pointer->items[i].place, place))
      return &pointer->items[i];
  return NULL;
}

void luna_pointer_add(LunaSide *side, LunaPointer *pointer,
                      const LunaPlace *place, LunaTerm condition) {
  LunaOption *known = find_option(pointer, place);
  if (known)
    known->condition = luna_term_either(side->terms, known->condition,
                                        LUNA_TERM_TRUE, condition);
  else
    *LUNA_VECTOR_ADD(side->arena, pointer) = (LunaOption){place, condition};
}

const LunaPointer *
luna_pointer_map(LunaSide *side, const LunaPointer *pointer,
                 const LunaPlace *(*change)(LunaSide *side,
                                            const LunaPlace *place, void *data),
                 void *data) {
  LunaPointer *result = luna_pointer_to(side, NULL);
  for (uint64_t i = 0; i < pointer->count; ++i) {
    const LunaPlace *place = change(side, pointer->items[i].place, data);
    if (!place)
      return NULL;
    luna_pointer_add(side, result, place, pointer->items[i].condition);
  }
  return result;
}

// Each place stands once, under the one condition of its own: decision diagrams
// of pointers that branches exchange would double with every branch.
const LunaPointer *luna_side_choose(LunaSide *side, LunaTerm condition,
                                    const LunaPointer *a,
                                    const LunaPointer *b) {
  if (condition == LUNA_TERM_TRUE || luna_pointer_equal(a, b))
    return a;
  if (condition == LUNA_TERM_FALSE)
    return b;
  LunaPointer *merged = luna_pointer_to(side, NULL);
  for (uint64_t i = 0; i < a->count + b->count; ++i) {
    bool is_first = i < a->count;
    LunaOption option = is_first ? a->items[i] : b->items[i - a->count];
    LunaTerm holds = luna_term_either(
        side->terms, condition, is_first ? option.condition : LUNA_TERM_FALSE,
        is_first ? LUNA_TERM_FALSE : option.condition);
    if (holds != LUNA_TERM_FALSE)
      luna_pointer_add(side, merged, option.place, holds);
  }
  return merged;
}

int64_t luna_place_bytes(const LunaPlace *place) {
  int64_t bytes = place->element_bytes;
  for (intptr_t i = 0; i < place->rank; ++i)
    bytes *= place->shape[i];
  return bytes;
}

int64_t luna_pointer_bytes(const LunaPointer *pointer) {
  const LunaPlace *place = pointer->items[0].place;
  return place->window ? place->window_bytes : luna_place_bytes(place);
}

// A dimension of more than one element: how far these are apart in the memory
// and in the order of the place.
typedef struct Dimension {
  int64_t extent, stride, step;
} Dimension;

// Writes the dimensions, those of the largest strides first.
static int find_dimensions(const LunaPlace *place, Dimension *dimensions) {
  int count = 0;
  int64_t step = place->element_bytes;
  for (intptr_t i = place->rank - 1; i >= 0; step *= place->shape[i--]) {
    int at = count;
    if (place->shape[i] == 1)
      continue;
    while (at > 0 && dimensions[at - 1].stride < place->strides[i]) {
      dimensions[at] = dimensions[at - 1];
      --at;
    }
    dimensions[at] = (Dimension){place->shape[i], place->strides[i], step};
    ++count;
  }
  return count;
}

static int by_address(const void *a, const void *b) {
  int64_t x = ((const LunaStretch *)a)->begin;
  int64_t y = ((const LunaStretch *)b)->begin;
  return (x > y) - (x < y);
}

// Adds a stretch for each element of the dimensions.
static void add_stretches(const LunaSide *side, const LunaPlace *place,
                          const Dimension *dimensions, int count,
                          LunaPieces *pieces) {
  uint64_t stretches = 1;
  int64_t index[LUNA_RANK_MAX] = {0};
  LunaStretch at = {place->offset_bytes, 0};
  bool is_sorted = true;
  for (int i = 0; i < count; ++i)
    stretches *= (uint64_t)dimensions[i].extent;
  pieces->items = LUNA_ARENA_ARRAY(side->arena, LunaStretch, stretches);
  for (; pieces->count < stretches; ++pieces->count) {
    pieces->items[pieces->count] = at;
    is_sorted &= pieces->count == 0 ||
                 pieces->items[pieces->count - 1].begin <= at.begin;
    for (int i = count - 1; i >= 0; --i) {
      const Dimension *dimension = &dimensions[i];
      at.begin += dimension->stride;
      at.position += dimension->step;
      if (++index[i] < dimension->extent)
        break;
      at.begin -= dimension->stride * dimension->extent;
      at.position -= dimension->step * dimension->extent;
      index[i] = 0;
    }
  }
  if (!is_sorted)
    qsort(pieces->items, pieces->count, sizeof *pieces->items, by_address);
}

// Extends units or stretches by a dimension if they stay contiguous.
static bool add_dimension(LunaPieces *pieces, const Dimension *dimension) {
  bool is_first = pieces->unit_count == 1;
  if (dimension->stride != pieces->unit_bytes * pieces->unit_count)
    return false;
  if (is_first && dimension->step == pieces->unit_bytes) {
    pieces->unit_bytes *= dimension->extent;
    return true;
  }
  if (is_first)
    pieces->step_bytes = dimension->step;
  if (dimension->step != pieces->step_bytes * pieces->unit_count)
    return false;
  pieces->unit_count *= dimension->extent;
  return true;
}

LunaPieces luna_place_pieces(const LunaSide *side, const LunaPlace *place) {
  LunaPieces pieces = {.unit_bytes = place->element_bytes, .unit_count = 1};
  Dimension dimensions[LUNA_RANK_MAX];
  if (luna_place_bytes(place) == 0)
    return pieces;
  int count = find_dimensions(place, dimensions);
  while (count > 0 && add_dimension(&pieces, &dimensions[count - 1]))
    --count;
  add_stretches(side, place, dimensions, count, &pieces);
  return pieces;
}

int64_t luna_place_address(const LunaPlace *place, int64_t position) {
  int64_t address = place->offset_bytes + position % place->element_bytes;
  int64_t number = position / place->element_bytes;
  for (intptr_t i = place->rank - 1; i >= 0; number /= place->shape[i--])
    address += number % place->shape[i] * place->strides[i];
  return address;
}
