#ifndef LUNA_RANDOM_OPERATOR_H
#define LUNA_RANDOM_OPERATOR_H

// Random operators of the unit: every attribute over the whole range that the
// simulator accepts, more often where results are neither all equal nor all at
// a bound.

#include "luna/arena.h"
#include "luna/text.h"
#include "luna/units.h"
#include "tile_random.h"

/// An operator, with dense operands.
typedef struct RandomOperator {
  LunaUnitDesc desc;
  const char *name; ///< "luna.conv2d"
  /// By row of luna_unit_class_operands; NULL where the operator has none, and
  /// of the scratch and the output.
  uint8_t *data[LUNA_UNIT_OPERANDS_MAX];
} RandomOperator;

/// Draws an operator of luna/units.def, its tiling and the contents of its
/// operands, from `arena`.
RandomOperator random_operator(Random *random, LunaArena *arena);

/// Returns the size of the operand in row `row` in bytes.
size_t operand_bytes(const RandomOperator *op, int row);

/// The two forms of an operator.
typedef enum OperatorForm { ON_TENSORS, ON_MEMREFS } OperatorForm;

/// Appends the operator: its operands are %x<number>_<row>; on tensors its
/// result is %y<number>, and the output an empty tensor made ahead.
void operator_print(LunaText *text, const RandomOperator *op, OperatorForm form,
                    int number);
/// Appends the type of the operand in row `row`.
void operand_type_print(LunaText *text, const RandomOperator *op,
                        OperatorForm form, int row);

#endif // LUNA_RANDOM_OPERATOR_H
