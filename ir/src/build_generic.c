#include "luna-c/build_generic.h"

#include "luna-c/build_tosa.h"

#include "mlir-c/AffineExpr.h"

LunaGeneric luna_generic(LunaBuilder *b, const LunaShape *loops) {
  LunaGeneric generic = {.builder = b,
                         .outer = b->block,
                         .before = b->before,
                         .body = mlirBlockCreate(0, NULL, NULL),
                         .loops = *loops};
  b->block = generic.body;
  b->before = (MlirOperation){NULL};
  return generic;
}

LunaGeneric luna_generic_over(LunaBuilder *b, MlirValue tensor) {
  LunaShape shape = luna_shape_of(tensor);
  return luna_generic(b, &shape);
}

static MlirValue add_element(LunaGeneric *generic, MlirType element) {
  return mlirBlockAddArgument(generic->body, element,
                              generic->builder->location);
}

static MlirAffineMap map_of(const LunaGeneric *generic, int rank,
                            const int *loops) {
  MlirContext context = generic->builder->context;
  MlirAffineExpr exprs[LUNA_RANK_MAX];
  for (int d = 0; d < rank; ++d)
    exprs[d] = loops[d] < 0 ? mlirAffineConstantExprGet(context, -1 - loops[d])
                            : mlirAffineDimExprGet(context, loops[d]);
  return mlirAffineMapGet(context, generic->loops.rank, 0, rank, exprs);
}

//===----------------------------------------------------------------------===//
// Inputs and results
//===----------------------------------------------------------------------===//

MlirValue luna_generic_input_map(LunaGeneric *generic, MlirValue tensor,
                                 MlirAffineMap map) {
  generic->inputs[generic->input_count] = tensor;
  generic->maps[generic->input_count++] = map;
  return add_element(generic, luna_element_of(tensor));
}

MlirValue luna_generic_input_at(LunaGeneric *generic, MlirValue tensor,
                                const int *loops) {
  return luna_generic_input_map(generic, tensor,
                                map_of(generic, luna_rank_of(tensor), loops));
}

MlirValue luna_generic_input(LunaGeneric *generic, MlirValue tensor) {
  int loops[LUNA_RANK_MAX], rank = luna_rank_of(tensor);
  int missing = generic->loops.rank - rank;
  for (int d = 0; d < rank; ++d) {
    bool repeats =
        luna_extent(tensor, d) == 1 && generic->loops.dims[missing + d] != 1;
    loops[d] = repeats ? -1 : missing + d;
  }
  return luna_generic_input_at(generic, tensor, loops);
}

static MlirValue add_result(LunaGeneric *generic, MlirType type, MlirValue init,
                            const int *loops) {
  int rank = (int)mlirShapedTypeGetRank(type), i = generic->result_count++;
  for (int d = 0; d < rank; ++d)
    if (loops[d] >= 0)
      generic->is_parallel[loops[d]] = true;
  generic->inits[i] = init;
  generic->results[i] = type;
  generic->result_maps[i] = map_of(generic, rank, loops);
  return add_element(generic, mlirShapedTypeGetElementType(type));
}

static const int in_order[LUNA_RANK_MAX] = {0, 1, 2,  3,  4,  5,  6,  7,
                                            8, 9, 10, 11, 12, 13, 14, 15};

void luna_generic_result(LunaGeneric *generic, MlirType element) {
  add_result(generic, luna_tensor_type(element, &generic->loops),
             (MlirValue){NULL}, in_order);
}

MlirValue luna_generic_update(LunaGeneric *generic, MlirValue tensor) {
  return luna_generic_update_at(generic, tensor, in_order);
}

MlirValue luna_generic_update_at(LunaGeneric *generic, MlirValue tensor,
                                 const int *loops) {
  return add_result(generic, mlirValueGetType(tensor), tensor, loops);
}

void luna_generic_in_order(LunaGeneric *generic, int loop) {
  generic->is_ordered[loop] = true;
}

MlirValue luna_generic_index(LunaGeneric *generic, int64_t loop) {
  const LunaBuilder *b = generic->builder;
  return luna_build_op(b, "linalg.index", b->index, 0, NULL, 1,
                       &(LunaAttr){"dim", luna_i64_attr(b->context, loop)});
}

LunaGeneric luna_generic_map(LunaBuilder *b, int count,
                             const MlirValue *tensors, MlirType element,
                             MlirValue *elements) {
  LunaShape loops = luna_shape_of(tensors[0]);
  for (int i = 1; i < count; ++i) {
    LunaShape shape = luna_shape_of(tensors[i]);
    luna_broadcast(&loops, &shape, &loops);
  }
  LunaGeneric generic = luna_generic(b, &loops);
  for (int i = 0; i < count; ++i)
    elements[i] = luna_generic_input(&generic, tensors[i]);
  luna_generic_result(&generic, element);
  return generic;
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

static MlirAttribute make_maps(const LunaGeneric *generic) {
  MlirAttribute maps[2 * LUNA_GENERIC_MAX];
  int count = 0;
  for (int i = 0; i < generic->input_count; ++i)
    maps[count++] = mlirAffineMapAttrGet(generic->maps[i]);
  for (int i = 0; i < generic->result_count; ++i)
    maps[count++] = mlirAffineMapAttrGet(generic->result_maps[i]);
  return mlirArrayAttrGet(generic->builder->context, count, maps);
}

static MlirAttribute make_iterators(const LunaGeneric *generic) {
  MlirContext context = generic->builder->context;
  MlirAttribute kinds[LUNA_RANK_MAX];
  for (int d = 0; d < generic->loops.rank; ++d)
    kinds[d] = luna_parse_attr(
        context, generic->is_parallel[d] && !generic->is_ordered[d]
                     ? "#linalg.iterator_type<parallel>"
                     : "#linalg.iterator_type<reduction>");
  return mlirArrayAttrGet(context, generic->loops.rank, kinds);
}

// Memrefs are written, not returned.
static int result_count(const LunaGeneric *generic) {
  return mlirTypeIsATensor(generic->results[0]) ? generic->result_count : 0;
}

// Inputs, then what the results start as.
static int make_operands(const LunaGeneric *generic, MlirValue *operands) {
  int count = 0;
  for (int i = 0; i < generic->input_count; ++i)
    operands[count++] = generic->inputs[i];
  for (int i = 0; i < generic->result_count; ++i)
    operands[count++] =
        mlirValueIsNull(generic->inits[i])
            ? luna_build_empty(generic->builder, generic->results[i])
            : generic->inits[i];
  return count;
}

MlirOperation luna_generic_close(LunaGeneric *generic,
                                 const MlirValue *values) {
  LunaBuilder *b = generic->builder;
  luna_build_end(b, "linalg.yield", generic->result_count, values);
  b->block = generic->outer;
  b->before = generic->before;
  MlirValue operands[2 * LUNA_GENERIC_MAX];
  int count = make_operands(generic, operands);
  int32_t segments[2] = {generic->input_count, generic->result_count};
  MlirNamedAttribute attributes[3] = {
      luna_named(b->context, "indexing_maps", make_maps(generic)),
      luna_named(b->context, "iterator_types", make_iterators(generic)),
      luna_named(b->context, "operandSegmentSizes",
                 luna_i32s_attr(b->context, 2, segments)),
  };
  MlirRegion region = luna_region_of(generic->body);
  return luna_build_spec(b, &(LunaOpSpec){.name = "linalg.generic",
                                          .operands = operands,
                                          .operand_count = count,
                                          .results = generic->results,
                                          .result_count = result_count(generic),
                                          .attributes = attributes,
                                          .attribute_count = 3,
                                          .owned_regions = &region,
                                          .region_count = 1});
}

MlirValue luna_generic_end(LunaGeneric *generic, MlirValue value) {
  return mlirOperationGetResult(luna_generic_close(generic, &value), 0);
}
