#ifndef LUNA_SHAPE_RULES_H
#define LUNA_SHAPE_RULES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How an operator's result shape depends on its inputs (after SoD2: Niu et
/// al., "SoD2: Statically Optimizing Dynamic Deep Neural Network Execution",
/// ASPLOS 2024, section 2).
typedef enum LunaShapeClass {
  LUNA_ISDO,   ///< shapes in; the values come out, too
  LUNA_ISDOS,  ///< shapes in
  LUNA_ISVDOS, ///< shapes and values in
  LUNA_EDO,    ///< known when it has been executed
} LunaShapeClass;

/// Returns "ISDO", "ISDOS", "ISVDOS" or "EDO".
const char *luna_shape_class_name(LunaShapeClass shape_class);

/// Where the valid length of an operand goes: of a tensor of which only the
/// running program knows how many indices of a dimension hold elements.
typedef enum LunaShapeValid {
  LUNA_VALID_NONE,          ///< nowhere: such operands are refused
  LUNA_VALID_ACROSS,        ///< the same dimension, but that of `axis`
  LUNA_VALID_ARGMAX,        ///< nowhere along `axis`, which then goes
  LUNA_VALID_BATCH,         ///< the first dimension, or one without windows
  LUNA_VALID_BROADCAST,     ///< the same, of operands that broadcast
  LUNA_VALID_CAST,          ///< the same; to a known size, it is that
  LUNA_VALID_CONCAT,        ///< the same; along `axis` counts are summed
  LUNA_VALID_DIM,           ///< it is the result
  LUNA_VALID_EMPTY,         ///< from a size to the tensor of that size
  LUNA_VALID_EXTRACT_SLICE, ///< from the sizes of a slice
  LUNA_VALID_GATHER,        ///< from the indices
  LUNA_VALID_INSERT_SLICE,  ///< nowhere: so much is written
  LUNA_VALID_LOOPS,         ///< by indexing maps
  LUNA_VALID_MATMUL,        ///< rows and columns; sums end at it
  LUNA_VALID_PAD,           ///< the same, where that is not padded
  LUNA_VALID_REDUCE,        ///< the same; along `axis` it ends at it
  LUNA_VALID_RESHAPE,       ///< to the dimension that counts the same elements
  LUNA_VALID_RESIZE,        ///< the first and the last dimension
  LUNA_VALID_SAME,          ///< the same dimension
  LUNA_VALID_SLICE,         ///< the same, where all of it is taken
  LUNA_VALID_TILE,          ///< the same, where it is not repeated
  LUNA_VALID_TRANSPOSE,     ///< by the permutation
} LunaShapeValid;

enum { LUNA_SHAPE_ATTRIBUTES_MAX = 3 };

struct LunaShapeStep;

/// One row of shape_rules.def.
typedef struct LunaShapeRule {
  const char *name; ///< of the operator, "dialect.name"
  LunaShapeClass shape_class;
  void (*forward)(struct LunaShapeStep *step);
  void (*backward)(struct LunaShapeStep *step);
  void (*value)(struct LunaShapeStep *step);
  const char *forward_name, *backward_name, *value_name, *valid_name;
  LunaShapeValid valid;
  /// Bit i: the shape of the result depends on the values of operand i.
  uint32_t value_operands;
  /// Attributes that it reads, NULL where there are fewer. "@maps",
  /// "@reassociation" and "@map" are read as their readers say.
  const char *attributes[LUNA_SHAPE_ATTRIBUTES_MAX];
} LunaShapeRule;

/// Postfix code of the attribute "@map", an affine function of operands: an
/// operation, or a constant or an operand and its number.
enum LunaAffineCode {
  LUNA_AFFINE_CONST,
  LUNA_AFFINE_OPERAND,
  LUNA_AFFINE_ADD,
  LUNA_AFFINE_MUL,
  LUNA_AFFINE_MOD,
  LUNA_AFFINE_FLOORDIV,
  LUNA_AFFINE_CEILDIV,
};

/// All rules, by name; for the tests and the documentation.
extern const LunaShapeRule luna_shape_rules[];
extern const size_t luna_shape_rule_count;

/// Returns the rule of an operator; of one that has no row, luna_shape_opaque.
const LunaShapeRule *luna_shape_rule(const char *name, size_t length);

/// Of what nothing is known but its types.
extern const LunaShapeRule luna_shape_opaque;
/// Where control flow meets: one result, equal to any of its operands.
extern const LunaShapeRule luna_shape_merge;
/// The index of a loop, from operand 0 to below operand 1.
extern const LunaShapeRule luna_shape_induction;
/// Where it does not: one result, equal to its operand.
extern const LunaShapeRule luna_shape_forward_only;

#ifdef __cplusplus
}
#endif

#endif // LUNA_SHAPE_RULES_H
