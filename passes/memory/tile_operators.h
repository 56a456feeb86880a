#ifndef LUNA_TILE_OPERATORS_H
#define LUNA_TILE_OPERATORS_H

#include <stdbool.h>

#include "luna/finish.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// What an operator's scratch may be where less is free: with a smaller one,
/// its launches take more than the stalls of simpler transfers.
enum { LUNA_SCRATCH_BYTES = 4096 };

/// The most that prices give an operator whose scratch is not known yet.
enum { LUNA_PRICED_SCRATCH_BYTES = 65536 };

/// How operators are tiled.
typedef struct LunaTileOptions {
  LunaPlace place;
  bool wants_calls; ///< of the vendor's library, on whole planes
  /// What tensors, weights and scratch share, and the scratch that an operator
  /// may have in any case.
  int64_t capacity_bytes, least_bytes;
} LunaTileOptions;

/// Tiles the unit operators of a function that are not, as luna-tile-operators
/// does; a scratch may have what every tiling takes. Sums of products whose
/// scratch was removed are finished where they were. Failure means that a
/// diagnostic was emitted.
MlirLogicalResult luna_tile_operators(MlirOperation func,
                                      const LunaMachine *machine,
                                      const LunaTileOptions *options);

/// Asks for launches of `desc` that are calls of the vendor's library
/// (luna/tiling.h), if it is a convolution.
void luna_want_calls(LunaUnitDesc *desc);

/// Option `place`, a string.
#define LUNA_PLACE_OPTION                                                      \
  {.name = "place",                                                            \
   .help = "where sums are finished that launches do not finish: auto, core "  \
           "or unit",                                                          \
   .kind = LUNA_OPTION_STRING,                                                 \
   .string_default = "auto"}

/// Option `layout`, a string, where only `calls` matters.
#define LUNA_CALLS_OPTION                                                      \
  {.name = "layout",                                                           \
   .help = "as of luna-choose-layout: with calls, a launch is a call of the "  \
           "vendor's library on whole planes, where that can be",              \
   .kind = LUNA_OPTION_STRING,                                                 \
   .string_default = "auto"}

/// Reads option `place`. Returns false after an error.
bool luna_place_read(MlirOperation func, const char *text, LunaPlace *place);

/// Returns true if an operator of the function has a scratch.
bool luna_has_scratch(MlirOperation func);

/// Takes the scratch of all operators of a function away, and the tilings that
/// need it.
void luna_remove_scratch(MlirOperation func);

#endif // LUNA_TILE_OPERATORS_H
