#ifndef LUNA_OPERATOR_PLACES_H
#define LUNA_OPERATOR_PLACES_H

// An operator computed at each place where it may be: by the launches alone, by
// the core, by each chain of vector calls that is legal, whether a machine
// would choose it or not, and as machines tile it; in rows and in planes, and
// in place.

#include "luna/machine.h"
#include "luna/simulator.h"
#include "luna/unit_port.h"
#include "random_operator.h"

/// What is counted of each form of result.
typedef enum PlaceColumn {
  COLUMN_FUSED,
  COLUMN_CORE,
  COLUMN_SHIFTS,   ///< launches of a sum whose operands are shifted
  COLUMN_CHAIN,    ///< of the tensor, or of rows of channels
  COLUMN_BY_PLANE, ///< a chain with calls for each plane
  COLUMN_STRIPS,   ///< one with products of the channels' numbers and ones
  COLUMN_PLANES,   ///< at any of these places, of planar tensors
  COLUMN_IN_PLACE, ///< the same, in place of an operand
  COLUMN_FOLDED,   ///< at any place, the zero point of the input in the bias
  COLUMN_CALLS,    ///< on whole planes, as the vendor's library
  COLUMN_ADDS,     ///< the same, with sums that are added
  COLUMN_SLOTS,    ///< by calls, several tiles at once
  COLUMN_VENUS,    ///< with the tiling or scratch for the unit's calls
  COLUMN_ARCS,
  COLUMN_VENUSA,
  COLUMN_COUNT
} PlaceColumn;

enum { MACHINE_COUNT = COLUMN_COUNT - COLUMN_VENUS };

typedef struct Places {
  Forms *forms;
  LunaMachine machines[MACHINE_COUNT];
  LunaSimulator *sim; ///< below the core; times are not looked at
  int counts[RESULT_COUNT + RESULT_SUMS][COLUMN_COUNT]; ///< products first
} Places;

/// Reads the machines, and makes the simulator that is active.
Places places_create(Forms *forms);
void places_destroy(Places *places);

/// Prints the counts, one row for each form of result.
void places_print(const Places *places);

/// Returns true if every column has a count, of products and of sums where they
/// have it.
bool places_has_all(const Places *places);

/// Ends the program unless the operator has the `expected` bytes wherever it is
/// computed.
void places_compare(Places *places, const RandomOperator *op,
                    const uint8_t *expected, LunaArena *arena);

/// Ends the program unless `output`, in rows, has the `expected` bytes.
void expect_equal(const RandomOperator *op, const uint8_t *output,
                  const uint8_t *expected, const char *who);

/// Ends the program with a fault of an operator.
_Noreturn void operator_fail(const RandomOperator *op, const char *why);

//===- Operands -----------------------------------------------------------===//

/// A byte behind a scratch.
enum { GUARD = 0x6b };

/// Returns a scratch with a guard behind it.
uint8_t *scratch_create(LunaArena *arena, int64_t bytes);
void scratch_check(const uint8_t *scratch, int64_t bytes);

/// An operator with its operands as they lie in memory.
typedef struct Laid {
  const RandomOperator *op;
  LunaUnitDesc desc;
  uint8_t *data[LUNA_UNIT_OPERANDS_MAX];
} Laid;

/// Lays an operator out, its output empty.
Laid operator_lay_out(const RandomOperator *op, LayoutForm layout,
                      LunaArena *arena);

/// Returns the output of a laid out operator in rows.
const uint8_t *operator_output(const Laid *laid, LunaArena *arena);

/// Writes the product whose bias has taken up the zero point of the input.
/// Returns false if there is none.
bool product_fold(const RandomOperator *op, LunaArena *arena,
                  RandomOperator *folded);

/// Returns the operands of a laid out product.
LunaProductOperands product_operands(const Laid *laid);

/// The fields of a product's descriptor that both classes have.
LunaTiling *product_tiling(LunaUnitDesc *desc);

/// Returns the tiling of one tile and one launch.
LunaTiling product_whole_tiling(LunaUnitDesc *desc);
const LunaRequantDesc *product_requant(const LunaUnitDesc *desc);

/// Returns true if a chain of a form finishes a product's sums exactly on a
/// machine.
bool product_has_chain(const Laid *laid, const LunaMachine *machine,
                       LunaFinish finish);

/// Returns the first form that does so, LUNA_FINISH_CORE without one.
LunaFinish product_chain(const Laid *laid, const LunaMachine *machine);

/// Packs the weights of a convolution in the order of a machine's library, if
/// its calls take those of all input channels. What fills blocks is not 0.
/// Returns false if they stay as they are.
bool product_pack(Laid *laid, const LunaMachine *machine, LunaArena *arena);
/// Returns true if a convolution has launches that are added to others.
bool product_has_own_sums(const Laid *laid);

/// Tiles a product as it was drawn, or whole, and gives it the scratch that it
/// needs.
void product_tile(Laid *laid, LunaFinish finish, LunaArena *arena);

#endif // LUNA_OPERATOR_PLACES_H
