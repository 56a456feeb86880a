#ifndef LUNA_MODEL_NAMES_H
#define LUNA_MODEL_NAMES_H

// What the memrefs and tokens of a function name: values and slices of its
// model.

#include "buffer_roots.h"
#include "luna/map.h"
#include "luna/model.h"

// What a memref or token names, and where the memory of its views begins.
typedef struct LunaModelView {
  LunaModelId slice;
  int64_t base_bytes; // negative if not known
} LunaModelView;

/// Values and slices under construction.
typedef struct LunaModelNames {
  LunaArena *arena;
  LunaRoots *roots;
  LunaModel *model;
  LunaMap index; ///< of views, by value of the function
  LUNA_VECTOR(LunaModelView) views;
  LunaMap globals; ///< index of constants
  LUNA_VECTOR(LunaModelId) constants;
  LunaMap elements;
  LunaMap types;
  LUNA_VECTOR(MlirType) type_list; ///< by number
  LUNA_VECTOR(MlirValue) values;   ///< the first that names each slice
} LunaModelNames;

/// Returns true for a memref in shared memory.
bool luna_is_on_chip(MlirValue value);
/// Returns true for what names something: a memref or a token.
bool luna_names_has(MlirValue value);

/// Adds the allocations of the function, as the first values.
void luna_names_add_buffers(LunaModelNames *names);
/// Adds the memrefs that the function is given.
void luna_names_add_arguments(LunaModelNames *names, MlirOperation func);
/// Adds what `step` merges, unless it is a number.
void luna_names_add_merged(LunaModelNames *names, MlirValue value,
                           LunaModelId step);
/// Adds the result of a memref.get_global, one constant for all of one global.
void luna_names_add_global(LunaModelNames *names, MlirOperation op);
/// Adds the token of no transfer.
void luna_names_add_no_token(LunaModelNames *names, MlirValue value);
/// Adds the result of an op that gives a view of `source`.
void luna_names_add_view(LunaModelNames *names, MlirOperation op,
                         MlirValue source);
/// Has `value` name a slice of its own, of the same value and place as that of
/// `other`, unless it is a number.
void luna_names_add_same(LunaModelNames *names, MlirValue value,
                         MlirValue other);
/// Has `value` name what `other` names, unless it is a number.
void luna_names_add_alias(LunaModelNames *names, MlirValue value,
                          MlirValue other);
/// Returns the slice that a memref or token names, of a value of its own if
/// nothing is known of it.
LunaModelId luna_names_slice(LunaModelNames *names, MlirValue value);

#endif // LUNA_MODEL_NAMES_H
