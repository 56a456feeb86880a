#ifndef LUNA_C_BUILDER_H
#define LUNA_C_BUILDER_H

//===-- luna-c/builder.h - building functions on tensors ------------------===//
//
// A builder holds the place where ops go and their location. luna_build_* add
// one op (or none, where the result exists already) and return its result;
// operands and types are the caller's business, the verifier checks them.
//
//   LunaBuilder b = luna_builder(context);
//   b.block = block;
//   MlirValue row = luna_build_reshape(&b, value, &(LunaShape){2, {1, 64}});
//   MlirValue sum = luna_build_binary(&b, "tosa.add", row, bias);
//
// build_tosa.h has ops on whole tensors, build_generic.h linalg.generic,
// build_scalar.h the ops of its body.
//
//===----------------------------------------------------------------------===//

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Shapes and types
//===----------------------------------------------------------------------===//

/// The static shape of a tensor.
typedef struct LunaShape {
  int rank;
  int64_t dims[LUNA_RANK_MAX];
} LunaShape;

/// Returns the shape, the rank, an extent or the element type of a tensor.
LunaShape luna_shape_of(MlirValue tensor);
int luna_rank_of(MlirValue tensor);
int64_t luna_extent(MlirValue tensor, int64_t dimension);
MlirType luna_element_of(MlirValue tensor);

/// Returns a tensor type.
MlirType luna_tensor_type(MlirType element, const LunaShape *shape);
/// Returns the type of a tensor of one dimension.
MlirType luna_list_type(MlirType element, int64_t count);
/// Returns the type of the function whose body is `block`, which ends in its
/// return.
MlirType luna_function_type_of(MlirBlock block);
/// Returns a function type whose inputs and results are those of `type` by
/// `map`.
MlirType luna_function_type_map(MlirType type, MlirType (*map)(MlirType type));
/// Returns `tensor` with another element type.
MlirType luna_with_element(MlirType tensor, MlirType element);

/// Broadcasts two shapes as NumPy does, from the last dimension on. Returns
/// false, and leaves `out`, if extents differ and neither is 1.
bool luna_broadcast(const LunaShape *a, const LunaShape *b, LunaShape *out);

//===----------------------------------------------------------------------===//
// The builder
//===----------------------------------------------------------------------===//

typedef struct LunaBuilder {
  MlirContext context;
  /// Where ops go: before the op `before` of `block`, or at its end if null.
  MlirBlock block;
  MlirOperation before;
  MlirLocation location;
  MlirType i1, i8, i16, i32, i48, i64, f32, index;
} LunaBuilder;

/// Returns a builder without a block, of unknown location. The dialects of the
/// ops that it will build must be loaded.
LunaBuilder luna_builder(MlirContext context);
/// Returns a builder of ops before `op`, with the location of `like`.
LunaBuilder luna_builder_before(MlirOperation op, MlirOperation like);

/// An attribute of an op being built.
typedef struct LunaAttr {
  const char *name;
  MlirAttribute value;
} LunaAttr;

/// Adds an op with any number of results and regions, at the location of the
/// builder (that of `spec` is ignored).
MlirOperation luna_build_spec(const LunaBuilder *b, const LunaOpSpec *spec);
/// Adds an op without results, such as a terminator.
void luna_build_end(const LunaBuilder *b, const char *name, intptr_t count,
                    const MlirValue *operands);
/// Adds an op with one result.
MlirValue luna_build_op(const LunaBuilder *b, const char *name, MlirType type,
                        intptr_t operand_count, const MlirValue *operands,
                        int attribute_count, const LunaAttr *attributes);

/// Returns a region of one block, which it owns.
MlirRegion luna_region_of(MlirBlock block);

/// A function. Its arguments are those of the body, its results those of the
/// return that ends it.
typedef struct LunaFunctionSpec {
  const char *name;
  MlirBlock owned_body;
  MlirAttribute arg_attrs, res_attrs;
} LunaFunctionSpec;

/// Adds a func.func.
MlirOperation luna_build_function(const LunaBuilder *b,
                                  const LunaFunctionSpec *function);

/// Appends the declaration of a private func.func to the body of a module.
void luna_declare_function(MlirBlock module, const char *name, MlirType type);

/// Returns a dense array attribute.
MlirAttribute luna_i64s_attr(MlirContext context, intptr_t count,
                             const int64_t *values);
MlirAttribute luna_i32s_attr(MlirContext context, intptr_t count,
                             const int32_t *values);
/// Parses an attribute of our own making.
MlirAttribute luna_parse_attr(MlirContext context, const char *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_BUILDER_H
