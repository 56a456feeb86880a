#ifndef LUNA_RANDOM_OPERATOR_H
#define LUNA_RANDOM_OPERATOR_H

// Random operators of the unit: every attribute over the whole range that the
// simulator accepts, by forms and limits that are drawn equally often.

#include "forms.h"
#include "luna/arena.h"
#include "luna/text.h"
#include "luna/units.h"

/// The rows of tiled operators in luna/units.def.
enum { INPUT, WEIGHT, BIAS, TABLE, SCRATCH, OUTPUT };

enum { NO_RESULT = -1 };

/// An operator, with dense operands, not tiled and without a scratch.
typedef struct RandomOperator {
  LunaUnitDesc desc;
  const char *name; ///< "luna.conv2d"
  /// By row of luna_unit_class_operands; NULL where the operator has none, and
  /// of the scratch and the output.
  uint8_t *data[LUNA_UNIT_OPERANDS_MAX];
  LunaTiling tiling; ///< one that covers the output, or all 0
  int result;        ///< the row of result_forms, or NO_RESULT
  /// One of the sums, rounded twice, is half of a negative odd number after the
  /// first time: a chain that does not fix signs gives another result.
  bool has_tie;
  bool has_long_sums; ///< of more than 32 bits
  bool is_folded;     ///< the bias has taken up the zero point of the input
} RandomOperator;

/// Draws an operator of luna/units.def and the contents of its operands, from
/// `arena`.
RandomOperator random_operator(Forms *forms, LunaArena *arena);

/// Changes a product with a bias so that it has_tie, where its sums are rounded
/// twice.
void operator_make_tie(Random *random, RandomOperator *op,
                       LunaRequantDesc *requant, LunaArena *arena);

/// Returns the tensor in row `row` of a descriptor.
LunaTensorDesc *operand_desc_of(LunaUnitDesc *desc, int row);

int64_t element_count(const LunaTensorDesc *desc);

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
