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

/// Where the live count of an operand goes: of a tensor of which only the
/// running program knows how many indices of a dimension hold elements.
typedef enum LunaShapeLive {
  LUNA_LIVE_NONE,          ///< nowhere: such operands are refused
  LUNA_LIVE_ACROSS,        ///< the same dimension, but that of `axis`
  LUNA_LIVE_ARGMAX,        ///< nowhere along `axis`, which then goes
  LUNA_LIVE_BATCH,         ///< the first dimension, or one without windows
  LUNA_LIVE_BROADCAST,     ///< the same, of operands that broadcast
  LUNA_LIVE_CAST,          ///< the same; to a known size, it is that
  LUNA_LIVE_CONCAT,        ///< the same; along `axis` counts are summed
  LUNA_LIVE_DIM,           ///< it is the result
  LUNA_LIVE_EMPTY,         ///< from a size to the tensor of that size
  LUNA_LIVE_EXTRACT_SLICE, ///< from the sizes of a slice
  LUNA_LIVE_GATHER,        ///< from the indices
  LUNA_LIVE_INSERT_SLICE,  ///< nowhere: so much is written
  LUNA_LIVE_LOOPS,         ///< by indexing maps
  LUNA_LIVE_MATMUL,        ///< rows and columns; sums end at it
  LUNA_LIVE_PAD,           ///< the same, where that is not padded
  LUNA_LIVE_REDUCE,        ///< the same; along `axis` it ends at it
  LUNA_LIVE_RESHAPE,       ///< to the dimension that counts the same elements
  LUNA_LIVE_RESIZE,        ///< the first and the last dimension
  LUNA_LIVE_SAME,          ///< the same dimension
  LUNA_LIVE_SLICE,         ///< the same, where all of it is taken
  LUNA_LIVE_TILE,          ///< the same, where it is not repeated
  LUNA_LIVE_TRANSPOSE,     ///< by the permutation
} LunaShapeLive;

enum { LUNA_SHAPE_ATTRIBUTES_MAX = 3 };

struct LunaShapeStep;

/// One row of shape_rules.def.
typedef struct LunaShapeRule {
  const char *name; ///< of the operator, "dialect.name"
  LunaShapeClass shape_class;
  void (*forward)(struct LunaShapeStep *step);
  void (*backward)(struct LunaShapeStep *step);
  void (*value)(struct LunaShapeStep *step);
  const char *forward_name, *backward_name, *value_name, *live_name;
  LunaShapeLive live;
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
